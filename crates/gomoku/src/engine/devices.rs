//! The devices of the search, each of which can be left out so that a match shows what it is worth.

use ::game::EngineError;

/// Which devices are in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Devices(u32);

/// A device of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Device {
    /// Windows around the last value at the root.
    Aspiration,
    /// Hopeless nodes near the horizon are left to the search by fours.
    Razoring,
    /// Nodes far above beta are taken for granted.
    Futility,
    /// Only so many moves are searched near the horizon.
    MoveCount,
    /// Late moves are searched less deeply.
    Reduction,
    /// The less so, the less the move order thinks of them.
    Promise,
    /// After alpha has risen the rest is searched less deeply.
    Raised,
    /// Nodes without a hash move are searched less deeply.
    Unknown,
    /// Answers to fours are searched deeper.
    Extension,
    /// An only good move is searched deeper.
    Singular,
    /// Wins by fours at the horizon.
    LeafVcf,
    /// What was learnt about moves.
    History,
    /// Killers and counter moves.
    Killers,
}

/// Every device with the name it is left out by.
const NAMES: [(Device, &str); 13] = [
    (Device::Aspiration, "aspiration"),
    (Device::Razoring, "razoring"),
    (Device::Futility, "futility"),
    (Device::MoveCount, "move-count"),
    (Device::Reduction, "reduction"),
    (Device::Promise, "promise"),
    (Device::Raised, "raised"),
    (Device::Unknown, "unknown"),
    (Device::Extension, "extension"),
    (Device::Singular, "singular"),
    (Device::LeafVcf, "leaf-vcf"),
    (Device::History, "history"),
    (Device::Killers, "killers"),
];

impl Devices {
    /// All of them.
    pub(super) const ALL: Devices = Devices(u32::MAX);

    /// All but those named, separated by commas or plus signs.
    pub(super) fn without(text: &str) -> Result<Devices, EngineError> {
        let mut devices = Devices::ALL;
        for word in text.split([',', '+']).filter(|word| !word.is_empty()) {
            match NAMES.iter().find(|(_, name)| *name == word) {
                Some((device, _)) => devices.0 &= !(1 << *device as u8),
                None => {
                    let names: Vec<_> = NAMES.iter().map(|(_, name)| *name).collect();
                    return Err(EngineError::Option {
                        key: "without".into(),
                        value: text.into(),
                        problem: format!("no device '{word}'; accepted: {}", names.join(", ")),
                    });
                }
            }
        }
        Ok(devices)
    }

    #[inline]
    pub(super) fn has(self, device: Device) -> bool {
        self.0 >> device as u8 & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_left_out_by_name() {
        for (device, name) in NAMES {
            let devices = Devices::without(name).unwrap();
            assert!(!devices.has(device));
            assert_eq!(NAMES.iter().filter(|(other, _)| devices.has(*other)).count(), NAMES.len() - 1);
        }
        assert_eq!(Devices::without("").unwrap(), Devices::ALL);
        let two = Devices::without("futility+singular").unwrap();
        assert!(!two.has(Device::Futility) && !two.has(Device::Singular) && two.has(Device::Killers));
        assert!(Devices::without("luck").unwrap_err().to_string().contains("accepted: aspiration"));
    }
}
