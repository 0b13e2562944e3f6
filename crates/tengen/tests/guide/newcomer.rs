//! What a newcomer does first, by the commands of the pages: a game, an analysis, an engine of one's own in a rated match.
//! Each takes three commands at most and ends soon.

use crate::page::{Block, Kind, Page};
use crate::run::{run, with_examples};
use std::time::{Duration, Instant};

const MOST_COMMANDS: usize = 3;
/// Wide, for a busy machine and a build that is not optimised: it is seconds on an idle one.
const MOST_TIME: Duration = Duration::from_secs(180);

/// The blocks that a test can run, from the top of the page until one prints what the newcomer came for.
fn follow(page: &str, came_for: &str) {
    let page = Page::read(crate::page::root().join("guide/en").join(page)).unwrap();
    let folder = with_examples();
    let began = Instant::now();
    let mut commands = Vec::new();
    let shell = |block: &&Block| block.kind == Kind::Run("bash");
    for block in page.blocks.iter().filter(shell) {
        commands.extend(block.body.lines().filter(|line| !line.is_empty()));
        let printed = run("bash", &block.body, folder.path()).unwrap();
        if printed.contains(came_for) {
            let took = began.elapsed();
            eprintln!("{}: {} commands, {:.1} s", page.path.display(), commands.len(), took.as_secs_f64());
            assert!(commands.len() <= MOST_COMMANDS, "{commands:?}");
            assert!(took < MOST_TIME, "{took:?} for {commands:?}");
            return;
        }
    }
    panic!("{}: nothing printed '{came_for}'", page.path.display());
}

#[test]
fn the_first_game_takes_three_commands_at_most() {
    follow("first-game.md", "saved game.sgf");
}

#[test]
fn the_first_analysis_takes_three_commands_at_most() {
    follow("analysis.md", "tengen plays");
}

#[test]
fn ones_own_engine_in_a_rated_match_takes_three_commands_at_most() {
    follow("first-engine.md", "Elo ");
}
