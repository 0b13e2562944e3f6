//! The standing ladder of bots: whoever is on it and online is paired again and again, and rated by all its games.
//!
//! Its games are ordinary live games between two bots, created by the ladder, public and with a clock, so boards,
//! records and recovery after a crash are those of all games. Pairing and ratings are the arena's.

use crate::app::App;
use crate::live;
use crate::security::secret;
use crate::store::{Header, LADDER, LadderBot, LadderResult, StoreError};
use api::{ClockRule, Player, Players, Problem, Setup, Visibility};
use arena::journal::Score;
use arena::pairing::next_pair;
use arena::schedule::Task;
use arena::stats;
use game::{Game, Seat};
use play::Termination;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// How often somebody is looked for to play.
const EVERY: Duration = Duration::from_millis(500);
/// Finished games that count for the ratings: the last so many.
const RATED: i64 = 20_000;
/// Bots on the ladder of one game.
pub(crate) const MAX_BOTS: usize = 200;
/// Seed of the pairings.
const SEED: u64 = 1;

/// A bot in the list.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    pub(crate) bot: LadderBot,
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
    /// Bradley-Terry rating; the average is 0.
    pub(crate) elo: f64,
    /// Half the width of its 95 % interval.
    pub(crate) error: f64,
}

/// What came of all games so far.
#[derive(Default)]
pub(crate) struct Standing {
    players: Vec<LadderBot>,
    scores: Vec<Score>,
    /// Best first.
    pub(crate) list: Vec<Ranked>,
    /// Wins, draws and losses of the first against the second.
    pub(crate) meetings: BTreeMap<(String, String), [u32; 3]>,
}

/// The standing of each game's ladder.
#[derive(Default)]
pub(crate) struct Ladder {
    standings: Mutex<HashMap<&'static str, Computed>>,
}

/// A standing with what it was computed from.
struct Computed {
    /// Number of finished games.
    games: i64,
    bots: Vec<LadderBot>,
    standing: Arc<Standing>,
}

impl Ladder {
    /// The standing of a game's ladder; computed again only after another game or with another bot.
    pub(crate) async fn standing(&self, app: &App, game: &'static str) -> Result<Arc<Standing>, StoreError> {
        let (games, bots) = (app.store.ladder_count(game).await?, app.store.ladder_bots(game).await?);
        if let Some(known) = self.lock().get(game)
            && known.games == games
            && known.bots == bots
        {
            return Ok(known.standing.clone());
        }
        let results = app.store.ladder_results(game, RATED).await?;
        let on = bots.clone();
        let computed = tokio::task::spawn_blocking(move || Standing::new(on, &results)).await;
        let standing = Arc::new(computed.unwrap_or_default());
        self.lock().insert(game, Computed { games, bots, standing: standing.clone() });
        Ok(standing)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<&'static str, Computed>> {
        self.standings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Standing {
    fn new(on: Vec<LadderBot>, results: &[LadderResult]) -> Standing {
        let mut players = on;
        let mut numbers: HashMap<String, usize> =
            players.iter().enumerate().map(|(number, bot)| (bot.id.clone(), number)).collect();
        let mut standing = Standing::default();
        let mut tallies: Vec<[u32; 3]> = vec![[0; 3]; players.len()];
        // The oldest first, as they were played.
        for (id, result) in results.iter().rev().enumerate() {
            let winner = match result.result.as_str() {
                "first" => Some(Seat::First),
                "second" => Some(Seat::Second),
                "draw" => None,
                // Aborted: as if it had not been.
                _ => continue,
            };
            let names: Option<Players> = serde_json::from_str(&result.players).ok();
            let mut number = |bot: &str, seat: Seat| {
                *numbers.entry(bot.to_string()).or_insert_with(|| {
                    let name = names.as_ref().map(|players| players.at(seat));
                    let name = match name {
                        Some(Player::Bot { name: Some(name), .. }) => name.clone(),
                        _ => bot.to_string(),
                    };
                    players.push(LadderBot { id: bot.into(), name });
                    tallies.push([0; 3]);
                    players.len() - 1
                })
            };
            let (first, second) = (number(&result.first, Seat::First), number(&result.second, Seat::Second));
            let reason = serde_json::from_value(result.reason.clone().into()).unwrap_or(Termination::Aborted);
            let task = Task { id: id as u32, round: 0, first, second, opening: 0 };
            standing.scores.push(Score::new(&task, winner, reason, [0.0; 2], id as u64));
            let kind = |seat: Seat| winner.map_or(1, |winner| if winner == seat { 0 } else { 2 });
            for (player, other, seat) in [(first, second, Seat::First), (second, first, Seat::Second)] {
                tallies[player][kind(seat)] += 1;
                let pair = (players[player].id.clone(), players[other].id.clone());
                standing.meetings.entry(pair).or_default()[kind(seat)] += 1;
            }
        }
        let ratings = stats::rate(players.len(), standing.scores.iter());
        standing.list = ratings
            .ratings
            .iter()
            .map(|rating| Ranked {
                bot: players[rating.player].clone(),
                wins: tallies[rating.player][0],
                draws: tallies[rating.player][1],
                losses: tallies[rating.player][2],
                elo: rating.elo,
                error: rating.error,
            })
            .collect();
        standing.players = players;
        standing
    }
}

/// Pairs bots until the server ends.
pub(crate) async fn run(app: Weak<App>) {
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let Some(app) = app.upgrade() else { return };
        if app.site.as_ref().is_some_and(|site| !site.leads()) {
            continue;
        }
        for game in app.host.games.clone() {
            if let Err(problem) = pair(&app, game).await {
                tracing::warn!(game = game.name(), detail = %problem.detail, "no game of the ladder was begun");
            }
        }
    }
}

/// Begins a game for every two bots that have nothing to do.
async fn pair(app: &Arc<App>, game: &'static dyn Game) -> Result<(), Problem> {
    use crate::problem::storage_failed;
    let on = app.store.ladder_bots(game.name()).await.map_err(storage_failed)?;
    let online: Vec<&LadderBot> = on.iter().filter(|bot| app.bots.is_online(&bot.id)).collect();
    if online.len() < 2 {
        return Ok(());
    }
    let busy = busy(app, game.name()).await.map_err(storage_failed)?;
    let standing = app.ladder.standing(app, game.name()).await.map_err(storage_failed)?;
    let free = |bot: &&&LadderBot| !busy.contains(&bot.id);
    let number_of = |bot: &LadderBot| standing.players.iter().position(|player| player.id == bot.id);
    let mut active: Vec<usize> = online.iter().filter(free).filter_map(|bot| number_of(bot)).collect();
    loop {
        // Different draws for the pairs of one moment: the number of games under way is part of the seed.
        let number = (standing.scores.len() + busy.len() / 2) as u32;
        let seed = SEED ^ active.len() as u64;
        let Some((first, second)) =
            next_pair(standing.players.len(), &active, &standing.scores, seed, number)
        else {
            return Ok(());
        };
        active.retain(|player| *player != first && *player != second);
        begin(app, game, [&standing.players[first], &standing.players[second]]).await?;
    }
}

/// Bots that play a game of the ladder now.
pub(crate) async fn busy(app: &App, game: &str) -> Result<HashSet<String>, StoreError> {
    let live = app.store.ladder_live(game).await?;
    let players = live.into_iter().flat_map(|game| [game.players.first, game.players.second]);
    Ok(players
        .filter_map(|player| match player {
            Player::Bot { bot, .. } => Some(bot),
            _ => None,
        })
        .collect())
}

/// The board on which a game's ladder is played.
pub(crate) fn setup(game: &dyn Game) -> Result<Setup, Problem> {
    let (rows, cols) = game.default_size();
    let position = game.position(&game::Setup::empty(rows, cols))?;
    Ok(Setup::of(game, &*position))
}

async fn begin(app: &Arc<App>, game: &'static dyn Game, bots: [&LadderBot; 2]) -> Result<(), Problem> {
    let [first, second] = bots.map(|bot| Player::Bot { bot: bot.id.clone(), name: Some(bot.name.clone()) });
    let clock: ClockRule = app.config.ladder_clock;
    let header = Header {
        id: secret::random().map_err(crate::problem::storage_failed)?,
        setup: setup(game)?,
        players: Players { first, second },
        clock: Some(clock),
        pace_ms: 0,
        visibility: Visibility::Public,
        // Nobody holds a seat or owns the game.
        secrets: Default::default(),
        created: crate::time::now_ms(),
        creator: LADDER.into(),
    };
    live::create(app, header).await.map(drop)
}
