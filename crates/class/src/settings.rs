//! What a teacher says about a class when it is made or changed, checked once for the command line and the browser.
//!
//! Everything is optional: what is left out keeps its value. What programs were checked with, and what the journal of a
//! round is pinned to, stays as it is from then on ([`change`]).

use crate::config::{ClassConfig, MarkWeights};
use crate::entrants::reference;
use crate::{ClassError, ladder, lock, round};
use arena::engine_limits::EngineLimits;
use arena::protocol::Protocol;
use game::Game;
use serde::Deserialize;
use std::path::Path;

/// Reference opponents of one class.
const MAX_REFERENCES: usize = 16;
/// Characters of a title, and of the name of a reference opponent.
const MAX_TITLE: usize = 80;
/// Stones of a random opening.
const MAX_OPENING: usize = 20;

/// Settings of a class; what is left out keeps its value, or has its usual one in a new class.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClassSettings {
    /// Title shown to people, 1 to 80 characters.
    pub title: Option<String>,
    /// Rule variant; empty for the usual one.
    pub rule: Option<String>,
    /// Rows and columns of the board.
    pub size: Option<u8>,
    /// The protocol of the programs: `gomocup`, `htp`, `line` or `botzone`.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub protocol: Option<Protocol>,
    /// Seconds per move.
    pub seconds_per_move: Option<f64>,
    /// Memory of a program, in MiB.
    pub memory_mb: Option<u64>,
    /// When handing in ends, such as `2026-12-01T23:59:00+08:00`; empty for no deadline.
    pub deadline: Option<String>,
    /// Reference opponents, up to 16.
    pub references: Option<Vec<String>>,
    /// Nodes per move of built-in reference opponents instead of the time; 0 for the time.
    pub reference_nodes: Option<u64>,
    /// Stones of random openings; 0 starts every game from the empty board.
    pub opening_stones: Option<usize>,
    /// What the parts of a mark are worth.
    pub marks: Option<MarkWeights>,
    /// Seed of openings, pairings and searches.
    pub seed: Option<u64>,
    /// Games at a time. Only for whoever has the folder: it is about the machine, not about the class.
    #[serde(skip)]
    pub concurrency: Option<usize>,
}

/// Who may be a reference opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponents {
    /// Built-in engines with any options, and programs of this machine: for whoever has the class folder.
    Any,
    /// Built-in engines as they are, for settings that come over the network: those must not start a program.
    BuiltIn,
}

impl ClassSettings {
    /// The settings of a new class.
    pub fn config(
        &self,
        title: &str,
        game: &'static dyn Game,
        opponents: Opponents,
    ) -> Result<ClassConfig, ClassError> {
        let mut config = ClassConfig::new(title, game);
        self.apply(&mut config);
        check(&config, game, opponents, &[])?;
        Ok(config)
    }

    fn apply(&self, config: &mut ClassConfig) {
        fn put<T: Clone>(to: &mut T, wanted: &Option<T>) {
            if let Some(value) = wanted {
                to.clone_from(value);
            }
        }
        put(&mut config.title, &self.title.as_ref().map(|title| title.trim().to_string()));
        put(&mut config.rule, &self.rule);
        put(&mut config.size, &self.size);
        put(&mut config.protocol, &self.protocol);
        put(&mut config.seconds_per_move, &self.seconds_per_move);
        put(&mut config.limits.memory_mb, &self.memory_mb);
        put(&mut config.references, &self.references);
        put(&mut config.opening_stones, &self.opening_stones);
        put(&mut config.marks, &self.marks);
        put(&mut config.seed, &self.seed);
        put(&mut config.concurrency, &self.concurrency);
        if let Some(deadline) = &self.deadline {
            config.deadline = Some(deadline.trim().to_string()).filter(|deadline| !deadline.is_empty());
        }
        if let Some(nodes) = self.reference_nodes {
            config.reference_nodes = Some(nodes).filter(|nodes| *nodes > 0);
        }
    }
}

/// Changes the settings of a class that is there; returns what they are now. The file is written anew: comments in it
/// are lost.
pub fn change(
    folder: &Path,
    game: &'static dyn Game,
    wanted: &ClassSettings,
    opponents: Opponents,
) -> Result<ClassConfig, ClassError> {
    let _lock = lock(&folder.join("class.lock"))?;
    let old = ClassConfig::read(folder)?;
    let mut new = old.clone();
    wanted.apply(&mut new);
    let changed = differences(&old, &new);
    for (setting, since) in fixed(folder) {
        if changed.contains(&setting) {
            return Err(ClassError::Fixed { setting, since });
        }
    }
    check(&new, game, opponents, &old.references)?;
    new.write(folder)?;
    Ok(new)
}

/// What programs are checked with: fixed by the first one that is handed in.
const OF_PROGRAMS: [&str; 3] = ["rule", "size", "protocol"];
/// What journals of games are pinned to: fixed by the first round.
const OF_GAMES: [&str; 5] = ["seconds_per_move", "memory_mb", "reference_nodes", "opening_stones", "seed"];

/// The settings of a class that can no longer change, each with the reason.
pub fn fixed(folder: &Path) -> Vec<(&'static str, &'static str)> {
    let handed_in = std::fs::read_dir(folder.join("submissions")).is_ok_and(|mut all| all.next().is_some());
    let played = !round::names(folder).is_empty() || ladder::exists(folder);
    let mut list = Vec::new();
    if handed_in || played {
        list.extend(OF_PROGRAMS.map(|setting| (setting, "the first program was handed in")));
    }
    if played {
        list.extend(OF_GAMES.map(|setting| (setting, "the first games were played")));
    }
    list
}

/// Those of them that two versions of a class differ in.
fn differences(old: &ClassConfig, new: &ClassConfig) -> Vec<&'static str> {
    let all = [
        ("rule", old.rule != new.rule),
        ("size", old.size != new.size),
        ("protocol", old.protocol != new.protocol),
        ("seconds_per_move", old.seconds_per_move != new.seconds_per_move),
        ("memory_mb", old.limits.memory_mb != new.limits.memory_mb),
        ("reference_nodes", old.reference_nodes != new.reference_nodes),
        ("opening_stones", old.opening_stones != new.opening_stones),
        ("seed", old.seed != new.seed),
    ];
    all.into_iter().filter(|(_, differs)| *differs).map(|(setting, _)| setting).collect()
}

/// Refuses what no class can be like. Opponents that were there before are kept wherever they come from.
fn check(
    config: &ClassConfig,
    game: &'static dyn Game,
    opponents: Opponents,
    before: &[String],
) -> Result<(), ClassError> {
    let refuse = |text: String| Err(ClassError::Setting(text));
    let printable = |text: &str| {
        let length = text.chars().count();
        (1..=MAX_TITLE).contains(&length) && !text.chars().any(char::is_control)
    };
    if !printable(&config.title) {
        return refuse(format!("title: accepted: 1 to {MAX_TITLE} characters on one line"));
    }
    game.position(&config.setup()).map_err(|error| ClassError::Setting(error.to_string()))?;
    if config.opening_stones > MAX_OPENING {
        return refuse(format!("opening_stones is {}; accepted: 0 to {MAX_OPENING}", config.opening_stones));
    }
    if !config.protocol.takes_openings() && config.opening_stones > 0 {
        let protocol = config.protocol.name();
        return refuse(format!(
            "opening_stones: the protocol {protocol} cannot start from an opening; accepted: 0"
        ));
    }
    if config.references.len() > MAX_REFERENCES {
        return refuse(format!("references: accepted: up to {MAX_REFERENCES}"));
    }
    for (index, name) in config.references.iter().enumerate() {
        let shown: String = name.chars().take(MAX_TITLE).flat_map(char::escape_debug).collect();
        if !printable(name) {
            return refuse(format!(
                "references: '{shown}' is not a name; accepted: 1 to {MAX_TITLE} characters"
            ));
        }
        if config.references[..index].contains(name) {
            return refuse(format!("references: '{shown}' is in the list twice"));
        }
        if !before.contains(name) {
            check_reference(game, name, opponents)?;
        }
    }
    config.check().map_err(ClassError::Setting)
}

fn check_reference(game: &'static dyn Game, name: &str, opponents: Opponents) -> Result<(), ClassError> {
    let (engine, _, limits) = EngineLimits::split(name).map_err(ClassError::Setting)?;
    let EngineLimits { time, game_time, increment, threads, memory, level: _, depth: _, nodes: _ } = limits;
    if time.or(game_time).or(increment).is_some() || threads.is_some() || memory.is_some() {
        return Err(ClassError::Setting(format!(
            "reference opponent '{name}': time and memory are the class's; accepted after @: level, depth, nodes"
        )));
    }
    if opponents == Opponents::BuiltIn && engine.contains(':') {
        return Err(ClassError::Setting(format!(
            "reference opponent '{name}': accepted here: a built-in engine and its level, such as ENGINE@level=5; \
             programs and options are added by whoever has the class folder"
        )));
    }
    reference(game, name).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &dyn Game = &gomoku::GOMOKU;

    fn said(settings: ClassSettings, opponents: Opponents) -> String {
        settings.config("x", GAME, opponents).unwrap_err().to_string()
    }

    #[test]
    fn what_is_left_out_has_its_usual_value() {
        let usual = ClassSettings::default().config("AI", GAME, Opponents::BuiltIn).unwrap();
        assert_eq!(usual, ClassConfig::new("AI", GAME));
        let wanted = ClassSettings {
            title: Some(" 人工智能 ".into()),
            deadline: Some(String::new()),
            reference_nodes: Some(0),
            memory_mb: Some(64),
            references: Some(vec!["tengen@level=3".into(), "classic-ac@depth=1".into()]),
            ..ClassSettings::default()
        };
        let config = wanted.config("AI", GAME, Opponents::BuiltIn).unwrap();
        assert_eq!((config.title.as_str(), config.limits.memory_mb), ("人工智能", 64));
        assert_eq!((config.deadline, config.reference_nodes), (None, None));
    }

    #[test]
    fn impossible_settings_are_named_with_what_is_accepted() {
        let of = |settings| said(settings, Opponents::Any);
        let base = ClassSettings::default;
        assert!(of(ClassSettings { title: Some("a\nb".into()), ..base() }).contains("1 to 80 characters"));
        assert!(of(ClassSettings { size: Some(200), ..base() }).contains("200"));
        assert!(of(ClassSettings { memory_mb: Some(1 << 40), ..base() }).contains("memory_mb 16 to 65536"));
        assert!(of(ClassSettings { seconds_per_move: Some(f64::NAN), ..base() }).contains("above 0"));
        assert!(of(ClassSettings { deadline: Some("soon".into()), ..base() }).contains("2026-12-01T23:59"));
        let line = ClassSettings { protocol: Some(Protocol::Line), opening_stones: Some(2), ..base() };
        assert!(of(line).contains("cannot start from an opening"));
        let twice = vec!["classic-ac".to_string(), "classic-ac".to_string()];
        assert!(of(ClassSettings { references: Some(twice), ..base() }).contains("twice"));
        let many = (0..17).map(|depth| format!("classic-ac@depth={depth}")).collect();
        assert!(of(ClassSettings { references: Some(many), ..base() }).contains("up to 16"));
        let memory = vec!["classic-ac@memory=100000".to_string()];
        assert!(of(ClassSettings { references: Some(memory), ..base() }).contains("accepted after @: level"));
    }

    #[test]
    fn over_the_network_no_program_becomes_an_opponent() {
        for name in ["cmd:sh -c true", "gomocup:true", "child:classic-ac", "classic-ac:width=all", "line:sh"]
        {
            let wanted = ClassSettings { references: Some(vec![name.into()]), ..ClassSettings::default() };
            assert!(said(wanted, Opponents::BuiltIn).contains("such as ENGINE@level=5"), "{name}");
        }
        let own = ClassSettings {
            references: Some(vec!["classic-ac:width=all".into()]),
            ..ClassSettings::default()
        };
        assert!(own.config("x", GAME, Opponents::Any).is_ok());
    }

    #[test]
    fn what_games_depend_on_is_fixed_by_the_first_program_and_the_first_round() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path();
        ClassConfig::new("x", GAME).write(folder).unwrap();
        let tell = |wanted: ClassSettings| change(folder, GAME, &wanted, Opponents::BuiltIn);
        let size = |size| ClassSettings { size: Some(size), ..ClassSettings::default() };
        let time = |seconds| ClassSettings { seconds_per_move: Some(seconds), ..ClassSettings::default() };
        let deadline = |text: &str| ClassSettings { deadline: Some(text.into()), ..ClassSettings::default() };
        assert_eq!(tell(size(9)).unwrap().size, 9);
        std::fs::create_dir_all(folder.join("submissions/1")).unwrap();
        let fixed = tell(size(11)).unwrap_err();
        assert!(fixed.to_string().contains("size is fixed since the first program"), "{fixed}");
        assert!(tell(size(9)).is_ok(), "the same value is no change");
        assert!(tell(time(2.0)).is_ok());
        std::fs::create_dir_all(folder.join("rounds/final")).unwrap();
        std::fs::write(folder.join("rounds/final/round.json"), "{}").unwrap();
        let fixed = tell(time(3.0)).unwrap_err();
        assert!(matches!(fixed, ClassError::Fixed { setting: "seconds_per_move", .. }), "{fixed}");
        tell(deadline("2027-01-01T00:00:00Z")).unwrap();
        assert!(tell(deadline("")).unwrap().deadline.is_none());
        assert_eq!(ClassConfig::read(folder).unwrap().seconds_per_move, 2.0);
    }

    #[test]
    fn an_opponent_of_the_operator_survives_a_change_over_the_network() {
        let home = tempfile::tempdir().unwrap();
        let mut config = ClassConfig::new("x", GAME);
        config.references = vec!["classic-ac:width=all".into()];
        config.write(home.path()).unwrap();
        let title = ClassSettings { title: Some("y".into()), ..ClassSettings::default() };
        let done = change(home.path(), GAME, &title, Opponents::BuiltIn).unwrap();
        assert_eq!((done.title.as_str(), done.references.len()), ("y", 1));
        let more = |name: &str| ClassSettings {
            references: Some(vec!["classic-ac:width=all".into(), name.into()]),
            ..ClassSettings::default()
        };
        assert!(change(home.path(), GAME, &more("tengen@level=1"), Opponents::BuiltIn).is_ok());
        assert!(change(home.path(), GAME, &more("cmd:true"), Opponents::BuiltIn).is_err());
    }
}
