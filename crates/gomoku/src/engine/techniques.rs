//! The techniques of the search. Each can be switched off, so that a match shows what it is worth.

use ::game::EngineError;

/// The techniques in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Techniques(u32);

/// A technique of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Technique {
    /// Aspiration windows at the root.
    Aspiration,
    /// Razoring: hopeless nodes near the horizon go straight to the leaf search.
    Razoring,
    /// Reverse futility pruning: nodes far above beta fail high.
    Futility,
    /// Late move pruning: a limited number of moves near the horizon.
    LateMovePruning,
    /// Late move reduction.
    Lmr,
    /// Reduce more when the ordering score is low.
    OrderReduction,
    /// Reduce the remaining moves after alpha was raised.
    AlphaRaiseReduction,
    /// Internal iterative reduction: reduce nodes without a hash move.
    Iir,
    /// Extend blocks of a four.
    FourExtension,
    /// Extend a hash move that is better than all others.
    SingularExtension,
    /// Search for a VCF at the leaves.
    LeafVcf,
    /// History heuristic.
    History,
    /// Killer moves and counter moves.
    Killers,
    /// Look for a VCT at the root before the search.
    RootVct,
}

/// Every technique with the name that switches it off.
const NAMES: [(Technique, &str); 14] = [
    (Technique::Aspiration, "aspiration"),
    (Technique::Razoring, "razoring"),
    (Technique::Futility, "futility"),
    (Technique::LateMovePruning, "late-move-pruning"),
    (Technique::Lmr, "lmr"),
    (Technique::OrderReduction, "order-reduction"),
    (Technique::AlphaRaiseReduction, "alpha-raise-reduction"),
    (Technique::Iir, "iir"),
    (Technique::FourExtension, "four-extension"),
    (Technique::SingularExtension, "singular-extension"),
    (Technique::LeafVcf, "leaf-vcf"),
    (Technique::History, "history"),
    (Technique::Killers, "killers"),
    (Technique::RootVct, "root-vct"),
];

/// Names of an earlier release, still accepted and not listed.
const ALIASES: [(&str, Technique); 7] = [
    ("move-count", Technique::LateMovePruning),
    ("reduction", Technique::Lmr),
    ("promise", Technique::OrderReduction),
    ("raised", Technique::AlphaRaiseReduction),
    ("unknown", Technique::Iir),
    ("extension", Technique::FourExtension),
    ("singular", Technique::SingularExtension),
];

impl Techniques {
    /// All of them.
    pub(super) const ALL: Techniques = Techniques(u32::MAX);

    /// All but those named, separated by commas or plus signs.
    pub(super) fn without(text: &str) -> Result<Techniques, EngineError> {
        let mut techniques = Techniques::ALL;
        for word in text.split([',', '+']).filter(|word| !word.is_empty()) {
            let named = NAMES.iter().find(|(_, name)| *name == word).map(|(technique, _)| *technique);
            let alias = || ALIASES.iter().find(|(name, _)| *name == word).map(|(_, technique)| *technique);
            match named.or_else(alias) {
                Some(technique) => techniques.0 &= !(1 << technique as u8),
                None => {
                    let names: Vec<_> = NAMES.iter().map(|(_, name)| *name).collect();
                    return Err(EngineError::Option {
                        key: "without".into(),
                        value: text.into(),
                        problem: format!("no technique '{word}'; accepted: {}", names.join(", ")),
                    });
                }
            }
        }
        Ok(techniques)
    }

    #[inline]
    pub(super) fn uses(self, technique: Technique) -> bool {
        self.0 >> technique as u8 & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn techniques_are_left_out_by_name() {
        for (technique, name) in NAMES {
            let techniques = Techniques::without(name).unwrap();
            assert!(!techniques.uses(technique));
            assert_eq!(NAMES.iter().filter(|(other, _)| techniques.uses(*other)).count(), NAMES.len() - 1);
        }
        assert_eq!(Techniques::without("").unwrap(), Techniques::ALL);
        let two = Techniques::without("futility+singular").unwrap();
        assert!(
            !two.uses(Technique::Futility)
                && !two.uses(Technique::SingularExtension)
                && two.uses(Technique::Killers)
        );
        assert!(Techniques::without("luck").unwrap_err().to_string().contains("accepted: aspiration"));
    }

    #[test]
    fn earlier_names_are_accepted_and_not_listed() {
        let listed = Techniques::without("luck").unwrap_err().to_string();
        for (alias, technique) in ALIASES {
            assert!(!Techniques::without(alias).unwrap().uses(technique), "{alias}");
            assert!(!listed.split([' ', ',']).any(|word| word == alias), "{alias}");
        }
    }
}
