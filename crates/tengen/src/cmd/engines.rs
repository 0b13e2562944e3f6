//! `tengen engines`: the built-in engines, one line each.

use crate::games;
use serde_json::json;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this game's
    game: Option<String>,
    /// JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let games = match &args.game {
        Some(name) => vec![games::by_name(name)?],
        None => games::all(),
    };
    if args.json {
        let list: Vec<_> = games
            .iter()
            .flat_map(|game| {
                game.engines().iter().map(|info| {
                    let options: serde_json::Map<_, _> =
                        info.options.iter().map(|(key, about)| (key.to_string(), json!(about))).collect();
                    json!({"game": game.name(), "name": info.name, "about": info.about, "options": options})
                })
            })
            .collect();
        println!("{}", json!(list));
        return Ok(());
    }
    for game in games {
        println!("{}", game.name());
        for info in game.engines() {
            println!("  {:<18} {}", info.name, info.about);
            for (key, about) in info.options {
                println!("    {key:<16} {about}");
            }
        }
    }
    Ok(())
}
