//! `tengen tournament`: many engines, a rating list and a cross table.

use crate::contest::{self, Contest, ContestArgs};
use crate::usage::usage;
use arena::schedule::Format;
use arena::stats::{Tally, rate};
use serde_json::json;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The engines (or use --engine many times), as for `tengen match`
    #[arg(value_name = "ENGINE")]
    players: Vec<String>,
    /// An engine; may be repeated
    #[arg(long = "engine", value_name = "ENGINE")]
    engine: Vec<String>,
    /// round-robin, gauntlet (the first against all others), knockout, swiss or swiss:ROUNDS
    #[arg(long, default_value = "round-robin", value_parser = |text: &str| text.parse::<Format>())]
    format: Format,
    /// Games of each pairing
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    #[command(flatten)]
    contest: ContestArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let engines: Vec<String> = args.players.iter().chain(&args.engine).cloned().collect();
    if args.format == Format::Knockout && args.games > 400 {
        usage!("a knockout plays at most 400 games per tie");
    }
    let mut contest = Contest::prepare(&args.contest, &engines, args.format, args.games, None)?;
    let results = contest.play(args.contest.json)?;
    let players = contest.tournament.entrants.len();
    let list = rate(players, results.values());
    let (repeats, refused) = contest.repeats(&results);
    let elo = |value: f64| Some(value).filter(|_| !refused);
    let champion = (args.format == Format::Knockout)
        .then(|| contest.tournament.schedule.champion(&results))
        .flatten()
        .map(|player| contest.name(player));
    if args.contest.json {
        let rows: Vec<_> = list
            .ratings
            .iter()
            .map(|r| {
                let against: serde_json::Map<_, _> = (0..players)
                    .filter(|other| *other != r.player)
                    .map(|other| {
                        let (tally, _) = Tally::of(&results, r.player, other);
                        (contest.name(other).to_string(), json!(tally))
                    })
                    .collect();
                json!({"name": contest.name(r.player), "elo": elo(r.elo), "error": elo(r.error), "games": r.games,
                       "score": r.score, "against": against})
            })
            .collect();
        println!(
            "{}",
            json!({"games": results.len(), "distinct": repeats.distinct, "stopped": contest.stopped,
                   "ratings": rows, "first_move": elo(list.first_move),
                   "draw_rate": list.draw_rate, "champion": champion,
                   "reasons": contest::reasons(&results)})
        );
    } else {
        contest::rating_lines(&contest.tournament, &list, !refused)
            .iter()
            .for_each(|line| println!("{line}"));
        let words = contest::reason_words(&results);
        println!("{} games, {} different: {words}", results.len(), repeats.distinct);
        if refused {
            println!("no Elo: too many games repeat others; force it with --allow-repeats");
        } else {
            println!("the first move is worth {:.0} Elo", list.first_move);
        }
        if let Some(champion) = champion {
            println!("champion: {champion}");
        }
    }
    contest.finish(&results)
}
