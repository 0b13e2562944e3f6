//! Hostile programs in a round: the games of the others are the same as without them, and nothing is left running.

#![cfg(target_os = "linux")]

#[path = "../../arena/tests/hostile/processes.rs"]
mod processes;

use arena::sandbox::{Sandbox, SandboxPolicy};
use class::config::ClassConfig;
use class::round::Round;
use class::students::Students;
use class::submission::{Desk, Tongue, built_folder};
use game::{Game, StopFlag};
use play::Termination;
use processes::{namespaces_below, processes_in};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

const GAME: &dyn Game = &gomoku::GOMOKU;

/// What a sample program does at its third move: it has passed the checks and turns hostile now.
const ATTACKS: [(&str, &str); 3] = [
    (
        "bomb",
        "
    try:
        while os.fork():
            pass
        while True:
            pass
    except OSError:
        print('99,99', flush=True)
        time.sleep(600)
",
    ),
    (
        "hog",
        "
    for _ in range(20):
        if os.fork() == 0:
            break
    blocks = []
    while True:
        blocks.append(b'x' * (10 << 20))
",
    ),
    (
        "flood",
        "
    while True:
        os.write(1, b'MESSAGE nothing\\n' * 4096)
        os.write(2, b'error ' * 4096)
",
    ),
];

/// Winner, reason and moves of the games of these players, by who sat first and second.
type Games = BTreeMap<[String; 2], (Option<game::Seat>, Termination, Vec<String>)>;

fn games_of(folder: &Path, round: &str, players: &[&str]) -> Games {
    let finished = Round::read(folder, round).unwrap().finished(folder).unwrap();
    let ours = finished.into_iter().filter(|game| game.names.iter().all(|name| players.contains(&&**name)));
    ours.map(|game| (game.names, (game.winner, game.reason, game.moves))).collect()
}

/// Plays a round; the most sandboxes that were there when a game ended.
fn play(folder: &Path, config: &ClassConfig, sandbox: &Sandbox, round: &str) -> usize {
    let round = Round::open(folder, config, round, None, Some(2)).unwrap();
    let mut most = 0;
    let mut watch = |_: &_, _: &_| most = most.max(namespaces_below(std::process::id()).len());
    round.play(folder, config, GAME, sandbox, &StopFlag::new(), &mut watch).unwrap();
    most
}

#[test]
fn hostile_programs_change_no_game_of_the_others() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path();
    let mut config = ClassConfig::new("x", GAME);
    config.size = 9;
    // Enough that nobody is late because of what the attackers take from the machine.
    config.seconds_per_move = 30.0;
    config.reference_nodes = Some(200);
    config.references = vec!["classic-ac@depth=1".into()];
    config.concurrency = 2;
    config.limits = SandboxPolicy { memory_mb: 200, cpu_seconds: 20, ..SandboxPolicy::default() };
    config.write(folder).unwrap();
    Students::update(folder, |all| all.add(b"random,R\nlines,L\nbomb,B\nhog,H\nflood,F\n")).unwrap();
    let students = Students::read(folder).unwrap();
    let sandbox = Sandbox::new(config.limits.clone()).expect("bubblewrap must be installed for this test");
    let desk = Desk { folder, config: &config, game: GAME, sandbox: &sandbox, tongue: Tongue::English };
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/class/programs");
    let hand_in = |student: &str, sample: &str, file: &str| {
        let bytes = std::fs::read(programs.join(sample)).unwrap();
        let done = desk.submit(students.get(student).unwrap(), file, &bytes, jiff::Timestamp::now()).unwrap();
        assert!(done.verdict.accepted, "{student}: {}", done.verdict.message);
        built_folder(folder, &done)
    };
    hand_in("random", "random_player.py", "main.py");
    hand_in("lines", "line_counter.c", "main.c");
    play(folder, &config, &sandbox, "calm");
    for (student, attack) in ATTACKS {
        let program = hand_in(student, "random_player.py", "main.py").join("main.py");
        let code = std::fs::read_to_string(&program).unwrap();
        let turn = "def choose():\n    if list(stones.values()).count(1) == 2:\n        attack()\n";
        let hostile = code.replace("def choose():\n", turn);
        assert_ne!(hostile, code);
        std::fs::write(&program, format!("import os, time\ndef attack():{attack}\n{hostile}")).unwrap();
    }
    let running = play(folder, &config, &sandbox, "stormy");
    assert!(running > 0, "sandboxes are seen while games are played");
    let others = ["random", "lines", "classic-ac@depth=1"];
    let calm = games_of(folder, "calm", &others);
    assert_eq!(calm.len(), 6);
    assert_eq!(games_of(folder, "stormy", &others), calm);
    let finished = Round::read(folder, "stormy").unwrap().finished(folder).unwrap();
    assert_eq!(finished.len(), 30);
    for (attacker, _) in ATTACKS {
        let against: Vec<_> = finished
            .iter()
            .filter(|game| game.names.iter().any(|name| name == attacker))
            .filter(|game| game.names.iter().any(|name| others.contains(&&**name)))
            .collect();
        assert_eq!(against.len(), 6);
        for game in against {
            let loser = &game.names[usize::from(game.winner == Some(game::Seat::First))];
            assert!(loser == attacker && game.reason.is_fault(), "{attacker}: {:?}", game.reason);
        }
    }
    // Orphans become children of the process that plays a round.
    let gone = Instant::now() + Duration::from_secs(10);
    loop {
        let left = namespaces_below(std::process::id());
        if left.is_empty() {
            break;
        }
        assert!(Instant::now() < gone, "left running: {:?}", processes_in(&left));
        std::thread::sleep(Duration::from_millis(50));
    }
}
