//! `tengen match`: two engines, paired games, Elo and SPRT.

use crate::contest::{self, Contest, ContestArgs};
use crate::usage::usage;
use arena::journal;
use arena::schedule::Format;
use arena::stats::{Elo, Sprt, Tally, llr_trinomial};
use serde_json::json;
use std::time::Duration;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The two engines (or use --engine twice): a built-in name with options (NAME:KEY=VALUE,…), a name from
    /// engines.toml, cmd:PROGRAM ARGS, gomocup:…, htp:…, line:…, botzone:…, or child:NAME. Limits of one engine follow an @:
    /// NAME@name=A,time=0.5 (also game-time, increment, nodes, depth, threads, memory)
    #[arg(value_name = "ENGINE")]
    players: Vec<String>,
    /// An engine; give it twice
    #[arg(long = "engine", value_name = "ENGINE")]
    engine: Vec<String>,
    /// Games to play (with --sprt: at most)
    #[arg(long)]
    games: Option<u32>,
    /// Stop when the first engine is shown to be ELO1 or only ELO0 better: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA
    #[arg(long, value_name = "ELO0,ELO1", value_parser = parse_sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// A known set of options. `s4` reproduces the course's referee: Hex 11x11 with swap, two games, 5 s per
    /// move, a sheet with times and points
    #[arg(long)]
    preset: Option<String>,
    #[command(flatten)]
    contest: ContestArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut options = args.contest.clone();
    let mut games = args.games;
    let s4 = match args.preset.as_deref() {
        None => false,
        Some("s4") => {
            options.game.get_or_insert("hex".into());
            if options.opening.is_empty() {
                options.opening = "swap-pieces".into();
            }
            if options.time.is_none() && options.nodes.is_none() && options.depth.is_none() {
                options.time = Some(Duration::from_secs(5));
            }
            games.get_or_insert(2);
            true
        }
        Some(other) => usage!("unknown preset '{other}'; accepted: s4"),
    };
    let engines: Vec<String> = args.players.iter().chain(&args.engine).cloned().collect();
    if engines.len() != 2 {
        usage!("a match is between two engines, {} given; see `tengen tournament` for more", engines.len());
    }
    let games = match (games, args.sprt) {
        (Some(0), _) => usage!("--games must be above 0"),
        (Some(games), _) => games,
        (None, Some(_)) => 40_000,
        (None, None) => usage!("give the number of games: --games N, or --sprt ELO0,ELO1"),
    };
    let mut contest = Contest::prepare(&options, &engines, Format::RoundRobin, games, args.sprt)?;
    let results = contest.play(options.json)?;
    let (tally, pairs) = Tally::of(&results, 0, 1);
    if options.json {
        let (repeats, refused) = contest.repeats(&results);
        let elo = Some(Elo::from_pairs(&tally, &pairs)).filter(|_| !refused);
        let side = |player: usize, tally: Tally| {
            let seconds: f64 = results.values().map(|s| s.seconds[usize::from(s.first != player)]).sum();
            json!({"name": contest.name(player), "wins": tally.wins, "losses": tally.losses,
                   "draws": tally.draws, "seconds": seconds})
        };
        let mirrored = Tally { wins: tally.losses, losses: tally.wins, draws: tally.draws };
        let mut answer = json!({
            "games": results.len(), "a": side(0, tally), "b": side(1, mirrored),
            "elo": elo.map(|e| e.elo), "error": elo.map(|e| e.error), "los": elo.map(|e| e.los), "pairs": pairs,
            "distinct": repeats.distinct, "stopped": contest.stopped, "reasons": contest::reasons(&results),
        });
        if let Some(sprt) = args.sprt.as_ref().filter(|_| !refused) {
            let (low, high) = sprt.bounds();
            answer["llr"] = json!(sprt.llr(&pairs));
            answer["llr_trinomial"] = json!(llr_trinomial(&tally, sprt.elo0, sprt.elo1));
            answer["bounds"] = json!([low, high]);
            answer["sprt"] = json!(sprt.state(&pairs));
        }
        println!("{answer}");
    } else if s4 {
        print_s4(&contest, &results);
    } else {
        contest::match_lines(&contest.tournament, &results).iter().for_each(|line| println!("{line}"));
        let distinct = contest.repeats(&results).0.distinct;
        println!("{} games, {distinct} different: {}", results.len(), contest::reason_words(&results));
    }
    contest.finish(&results)
}

/// The score sheet of the preset: each game with winner, reason and times, then the points.
fn print_s4(contest: &Contest, results: &arena::tournament::Results) {
    for score in results.values() {
        let names = [contest.name(score.first), contest.name(score.second)];
        let how = match score.winner {
            Some(seat) => format!("{} wins by {}", names[seat.index()], score.reason),
            None => format!("drawn by {}", score.reason),
        };
        println!(
            "game {}: {} ({:.2} s) against {} ({:.2} s): {how}",
            score.id + 1,
            names[0],
            score.seconds[0],
            names[1],
            score.seconds[1],
        );
    }
    for player in 0..2 {
        let points: f64 = results.values().map(|score| score.points_of(player)).sum();
        println!("{}: {points} points", contest.name(player));
    }
    if let Some(out) = &contest.out
        && let Ok(games) = journal::read_games(&out.join("games.jsonl"))
    {
        for game in games.filter(|game| !game.detail.is_empty()) {
            println!("game {}: {}", game.task.id + 1, game.detail);
        }
    }
}

fn parse_sprt(text: &str) -> Result<Sprt, String> {
    let bad = || format!("'{text}'; accepted: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA with ELO0 < ELO1");
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|word| word.trim().parse::<f64>()).collect();
    let sprt = match numbers.map_err(|_| bad())?.as_slice() {
        [elo0, elo1] => Sprt::new(*elo0, *elo1),
        [elo0, elo1, alpha, beta] => Sprt { elo0: *elo0, elo1: *elo1, alpha: *alpha, beta: *beta },
        _ => return Err(bad()),
    };
    let rate = |x: f64| x > 0.0 && x < 0.5;
    if sprt.elo0 < sprt.elo1 && sprt.elo1 - sprt.elo0 < 4000.0 && rate(sprt.alpha) && rate(sprt.beta) {
        Ok(sprt)
    } else {
        Err(bad())
    }
}
