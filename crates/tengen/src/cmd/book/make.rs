//! `tengen book make`: here, or on a fleet.

use super::{MakeArgs, hex_size};
use crate::fleet::{News, PieceRun, Piecework, all};
use crate::output;
use crate::usage::Usage;
use anyhow::{Context, bail, ensure};
use fleet::executor::Work;
use game::{Options, StopFlag, Watch};
use gomoku::book::{self, Answer, BookEntry, Maker, Question};
use gomoku::engine::Tengen;
use serde::{Deserialize, Serialize};

/// The lines of a book for Gomoku.
pub(super) fn gomoku(args: &MakeArgs, stop: &StopFlag) -> anyhow::Result<Vec<String>> {
    let recipe = book::Recipe {
        rule: args.rule.parse().map_err(Usage)?,
        size: args.size.unwrap_or(15),
        openings: args.openings,
        plies: args.plies,
        nodes: args.nodes,
        seed: args.seed,
    };
    let mut tell = |count: usize| output::progress(&format!("{count} positions"));
    let entries = match &args.fleet.url {
        None => book::make(&recipe, &Watch::start(stop.clone()), &mut tell),
        Some(url) => gomoku_on_fleet(url, &recipe, stop, &mut tell)?,
    };
    output::progress("");
    if entries.is_empty() {
        bail!("stopped before the first position was decided");
    }
    entries.iter().map(|entry| Ok(serde_json::to_string(entry)?)).collect()
}

/// Has every decision made by the fleet. Which ones are needed depends on those before; games whose turn has not come are
/// looked at meanwhile, and what was decided for them in vain is not used.
fn gomoku_on_fleet(
    url: &str,
    recipe: &book::Recipe,
    stop: &StopFlag,
    tell: &mut dyn FnMut(usize),
) -> anyhow::Result<Vec<BookEntry>> {
    let &book::Recipe { rule, size, openings, plies, nodes, seed } = recipe;
    let job = GomokuBook { rule: rule.name().into(), size, openings, plies, nodes, seed };
    let mut run = PieceRun::open(url, format!("book make gomoku, seed {seed}"), &job)?;
    let mut maker = Maker::new(recipe);
    loop {
        let questions = maker.advance(run.window(), &mut |question| run.found(question).cloned(), tell);
        if stop.is_stopped() {
            break;
        }
        let complete = questions.is_empty();
        let news = if complete {
            run.settle(stop)?
        } else {
            run.ask(questions)?;
            run.look()?
        };
        match news {
            News::Replaced => maker = Maker::new(recipe),
            News::More if complete => break,
            News::More => {}
        }
    }
    run.end(stop)?;
    Ok(maker.into_entries())
}

/// The decisions of a book for Gomoku, as work for a fleet.
#[derive(Serialize, Deserialize)]
pub(crate) struct GomokuBook {
    rule: String,
    size: u8,
    openings: u64,
    plies: usize,
    nodes: u64,
    seed: u64,
}

impl Piecework for GomokuBook {
    const KIND: &'static str = "gomoku-book";
    /// A game waits for each of its decisions.
    const MOST_PIECES: usize = 1;
    type Piece = Question;
    type Found = Answer;
    type Tools = Tengen;

    fn tools(&self, _: &Work) -> anyhow::Result<Tengen> {
        Ok(Tengen::new(&Options::new())?)
    }

    fn compute(&self, engine: &mut Tengen, question: &Question, stop: &StopFlag) -> anyhow::Result<Answer> {
        question.decide(engine, self.nodes, &Watch::start(stop.clone())).context("stopped")
    }
}

/// The lines of a book for Hex. It begins with every first stone, so it is the swap map too.
pub(super) fn hex(args: &MakeArgs, stop: &StopFlag) -> anyhow::Result<Vec<String>> {
    let &MakeArgs { plies, nodes, seed, .. } = args;
    let n = args.size.unwrap_or(11);
    let job = HexBook { size: n, nodes, plies, seed };
    let recipe = job.recipe()?;
    let tell = |done, all| output::progress(&format!("{done} of {all} first stones"));
    let book = match &args.fleet.url {
        None => hex::book::Book::make(&recipe, &Watch::start(stop.clone()), &mut |done, all| {
            tell(done, all);
            !stop.is_stopped()
        }),
        Some(url) => {
            let run = PieceRun::open(url, format!("book make hex, {n}x{n}, seed {seed}"), &job)?;
            let stones: Vec<usize> = (0..hex::book::Book::first_stones(recipe.size)).collect();
            let found = all(run, &stones, stop, &mut |done| tell(done, stones.len()))?;
            found
                .map(|mut found| whole_book(&recipe, stones.iter().filter_map(|stone| found.remove(stone))))
                .transpose()?
        }
    };
    output::progress("");
    let book = book.context("stopped before the book was made")?;
    let command = format!("tengen book make hex --size {n} --plies {plies} --nodes {nodes} --seed {seed}");
    Ok(book.write(&command).lines().map(str::to_string).collect())
}

fn whole_book(
    recipe: &hex::book::Recipe,
    parts: impl Iterator<Item = String>,
) -> anyhow::Result<hex::book::Book> {
    let mut book = hex::book::Book::empty(recipe.size);
    for part in parts {
        book.extend(hex::book::Book::parse(&part).map_err(anyhow::Error::msg)?);
    }
    Ok(book)
}

/// The first stones of a book for Hex, as work for a fleet.
#[derive(Serialize, Deserialize)]
pub(crate) struct HexBook {
    size: u8,
    nodes: u64,
    plies: usize,
    seed: u64,
}

impl HexBook {
    fn recipe(&self) -> anyhow::Result<hex::book::Recipe> {
        let &HexBook { size, nodes, plies, seed } = self;
        Ok(hex::book::Recipe { size: hex_size(size)?, playouts: nodes, plies, seed })
    }
}

impl Piecework for HexBook {
    const KIND: &'static str = "hex-book";
    /// Each takes `plies` long searches.
    const MOST_PIECES: usize = 1;
    /// A first stone.
    type Piece = usize;
    /// Its part of the book as text.
    type Found = String;
    type Tools = hex::book::Recipe;

    fn tools(&self, _: &Work) -> anyhow::Result<hex::book::Recipe> {
        self.recipe()
    }

    fn compute(
        &self,
        recipe: &mut hex::book::Recipe,
        stone: &usize,
        stop: &StopFlag,
    ) -> anyhow::Result<String> {
        ensure!(*stone < recipe.size.cells(), "there is no cell {stone}");
        let part = hex::book::Book::answers(recipe, *stone, &Watch::start(stop.clone()));
        Ok(part.context("no book can be made")?.write("part of a book"))
    }
}
