//! Standing ladders of bots: whoever is on one and online is paired again and again, and rated by all its games. Each game
//! has a public ladder; private arenas are ladders that somebody has made, with a board and clock of their choice, for
//! those with a key.
//!
//! Games of a ladder are ordinary live games between two bots, created by the ladder and with a clock, so boards, records and
//! recovery after a crash are those of all games. Pairing and ratings are the arena's.

use crate::app::App;
use crate::live;
use crate::problem::storage_failed;
use crate::security::secret;
use crate::store::{Arena, Header, LadderBot, LadderId, LadderResult, StoreError, arena_of};
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
use tokio::sync::Semaphore;

/// How often somebody is looked for to play.
const EVERY: Duration = Duration::from_millis(500);
/// Finished games that count for the ratings: the last so many.
const RATED: i64 = 20_000;
/// Bots on one ladder.
pub(crate) const MAX_BOTS: usize = 200;
/// Seed of the pairings.
const SEED: u64 = 1;
/// Files of games that may be written at once.
const DOWNLOADS: usize = 2;
/// Standings that are kept in memory.
const STANDINGS: usize = 256;

/// A ladder, and what is played on it.
pub(crate) struct Ladder {
    pub(crate) id: LadderId,
    pub(crate) game: &'static dyn Game,
    pub(crate) setup: Setup,
    pub(crate) clock: ClockRule,
    /// None for the public one.
    pub(crate) arena: Option<Arena>,
}

/// A ladder by its name: a game's public one, or an arena by its id.
pub(crate) async fn find(app: &App, name: &str) -> Result<Ladder, Problem> {
    if !secret::looks_like_id(name) {
        let game = app.host.game(name)?;
        let id = LadderId { game: game.name(), arena: None };
        return Ok(Ladder {
            id,
            game,
            setup: usual_setup(game)?,
            clock: app.config.ladder_clock,
            arena: None,
        });
    }
    let missing = || Problem::missing("arena.unknown", "there is no such arena");
    let arena = app.store.arena(name).await.map_err(storage_failed)?.ok_or_else(missing)?;
    let game = app.host.game(&arena.setup.game)?;
    let id = LadderId { game: game.name(), arena: Some(arena.id.clone()) };
    Ok(Ladder { id, game, setup: arena.setup.clone(), clock: arena.clock, arena: Some(arena) })
}

/// May a game of this creator be watched with this secret? Only games of arenas have secrets of this kind.
pub(crate) async fn may_watch(app: &App, creator: &str, given: &str) -> Result<bool, Problem> {
    let Some(arena) = arena_of(creator) else { return Ok(false) };
    let arena = app.store.arena(arena).await.map_err(storage_failed)?;
    Ok(arena.is_some_and(|arena| arena.admits(given)))
}

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

/// The standings of ladders, as they were last looked at.
pub(crate) struct Standings {
    known: Mutex<HashMap<LadderId, Computed>>,
    /// A permit for each file of games that is being written: one reads hundreds of games.
    pub(crate) downloads: Semaphore,
}

impl Default for Standings {
    fn default() -> Standings {
        Standings { known: Mutex::default(), downloads: Semaphore::new(DOWNLOADS) }
    }
}

/// A standing with what it was computed from.
struct Computed {
    /// Number of finished games.
    games: i64,
    bots: Vec<LadderBot>,
    standing: Arc<Standing>,
}

impl Standings {
    /// The standing of a ladder; computed again only after another game or with another bot.
    pub(crate) async fn of(&self, app: &App, ladder: &LadderId) -> Result<Arc<Standing>, StoreError> {
        let (games, bots) = (app.store.ladder_count(ladder).await?, app.store.ladder_bots(ladder).await?);
        if let Some(known) = self.lock().get(ladder)
            && known.games == games
            && known.bots == bots
        {
            return Ok(known.standing.clone());
        }
        let results = app.store.ladder_results(ladder, RATED).await?;
        let on = bots.clone();
        let computed = tokio::task::spawn_blocking(move || Standing::new(on, &results)).await;
        let standing = Arc::new(computed.unwrap_or_default());
        let mut known = self.lock();
        if known.len() >= STANDINGS && !known.contains_key(ladder) {
            // Those that are played on are computed again at their next game anyway.
            known.clear();
        }
        known.insert(ladder.clone(), Computed { games, bots, standing: standing.clone() });
        Ok(standing)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<LadderId, Computed>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
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
        let online: Vec<String> = app.bots.list().into_iter().map(|(id, _)| id).collect();
        if online.len() < 2 {
            continue;
        }
        let names = app.store.ladders_of(&online).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "nobody is paired on a ladder");
            Vec::new()
        });
        for name in names {
            let begun = match find(&app, &name).await {
                Ok(ladder) => pair(&app, &ladder).await,
                Err(problem) => Err(problem),
            };
            if let Err(problem) = begun {
                tracing::warn!(ladder = name, detail = %problem.detail, "no game of a ladder was begun");
            }
        }
    }
}

/// Begins a game for every two bots that have nothing to do.
async fn pair(app: &Arc<App>, ladder: &Ladder) -> Result<(), Problem> {
    let on = app.store.ladder_bots(&ladder.id).await.map_err(storage_failed)?;
    let online: Vec<&LadderBot> = on.iter().filter(|bot| app.bots.is_online(&bot.id)).collect();
    if online.len() < 2 {
        return Ok(());
    }
    let busy = busy(app, &ladder.id).await.map_err(storage_failed)?;
    let standing = app.standings.of(app, &ladder.id).await.map_err(storage_failed)?;
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
        begin(app, ladder, [&standing.players[first], &standing.players[second]]).await?;
    }
}

/// Bots that play a game of the ladder now.
pub(crate) async fn busy(app: &App, ladder: &LadderId) -> Result<HashSet<String>, StoreError> {
    let live = app.store.ladder_live(ladder).await?;
    let players = live.into_iter().flat_map(|game| [game.players.first, game.players.second]);
    Ok(players
        .filter_map(|player| match player {
            Player::Bot { bot, .. } => Some(bot),
            _ => None,
        })
        .collect())
}

/// The board on which a game's public ladder is played.
fn usual_setup(game: &dyn Game) -> Result<Setup, Problem> {
    let (rows, cols) = game.default_size();
    let position = game.position(&game::Setup::empty(rows, cols))?;
    Ok(Setup::of(game, &*position))
}

async fn begin(app: &Arc<App>, ladder: &Ladder, bots: [&LadderBot; 2]) -> Result<(), Problem> {
    let [first, second] = bots.map(|bot| Player::Bot { bot: bot.id.clone(), name: Some(bot.name.clone()) });
    let header = Header {
        id: secret::random().map_err(storage_failed)?,
        setup: ladder.setup.clone(),
        players: Players { first, second },
        clock: Some(ladder.clock),
        pace_ms: 0,
        visibility: if ladder.arena.is_some() { Visibility::Private } else { Visibility::Public },
        // Nobody holds a seat or owns the game; whoever has a key of the arena may watch it.
        secrets: Default::default(),
        created: crate::time::now_ms(),
        creator: ladder.id.creator(),
    };
    live::create(app, header).await.map(drop)
}
