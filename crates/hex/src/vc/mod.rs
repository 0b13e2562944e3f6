//! Virtual connections by H-search (Anshelevich, *The game of Hex: an automatic theorem proving approach to
//! game programming*, 2000), and the must-play region they give.
//!
//! A *full* connection joins two ends of a side (a group of its stones, an edge, or an empty cell that
//! counts as its stone) even if the opponent moves first in its *carrier*, the empty cells it needs; a *semi* connection
//! does if the side itself moves first. The AND rule chains two fulls with disjoint carriers over a middle:
//! over a stone to a full, over an empty cell to a semi. The OR rule makes a full of semis that have no cell
//! in common. A semi from edge to edge wins for the side to move; the opponent of such semis has to move into
//! all of them, the must-play region, and has lost if that is empty.

mod lists;
mod rules;

use crate::bits::Bits;
use crate::stones::{Shape, Stones};
use game::Side;
use lists::Lists;

/// Limits of H-search. More effort finds more connections; what is found is always sound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Largest carrier kept between two empty cells.
    pub between_cells: usize,
    /// Fulls kept for a pair of ends.
    pub fulls: usize,
    /// Semis kept for a pair of ends.
    pub semis: usize,
    /// Semis that one application of the OR rule may combine.
    pub or_depth: usize,
    /// Whether to try the OR rule with more semis too, one way only.
    pub or_of_many: bool,
    /// Stop once the side has a semi connection from edge to edge.
    pub until_semi: bool,
    /// Stop after combining so many fulls: a bound on the time it takes.
    pub steps: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            between_cells: 2,
            fulls: 6,
            semis: 12,
            or_depth: 4,
            or_of_many: false,
            until_semi: false,
            steps: usize::MAX,
        }
    }
}

/// One connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection<const W: usize> {
    /// One end.
    pub from: End,
    /// The other end.
    pub to: End,
    /// The empty cells it needs.
    pub carrier: Bits<W>,
}

/// An end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// An empty cell.
    Cell(usize),
    /// The group of a stone.
    Group(usize),
    /// The first or second edge of the side ([`crate::Edge::of`]), with the stones joined to it.
    Edge(usize),
}

/// The virtual connections of a side.
#[derive(Clone, Debug)]
pub struct Connections<const W: usize> {
    pub(crate) side: Side,
    pub(crate) cells: usize,
    effort: Effort,
    pub(crate) empty: Bits<W>,
    /// The node of each cell: itself if empty, the first stone of its group, an edge, or [`NONE`].
    pub(crate) nodes: Vec<u16>,
    /// For each node the cell nodes it has fulls with, and the edge nodes as two bits.
    partners: Vec<(Bits<W>, u8)>,
    pub(crate) fulls: Lists<W>,
    pub(crate) semis: Lists<W>,
    /// New fulls that have not been combined yet, by carrier size.
    queue: Vec<Vec<Full<W>>>,
    pub(crate) winning: Winning<W>,
    /// The carriers of semis from edge to edge, none of which contains another.
    pub(crate) wins: Vec<Bits<W>>,
    /// The carrier of a full from edge to edge.
    full_win: Option<Bits<W>>,
}

const NONE: u16 = u16::MAX;

#[derive(Clone, Copy, Debug)]
struct Full<const W: usize> {
    ends: [usize; 2],
    carrier: Bits<W>,
}

/// What is known about the connection from edge to edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Winning<const W: usize> {
    /// The smallest carrier of a semi, with the cell to play first.
    pub semi: Option<(Bits<W>, usize)>,
    /// The cells that all known semis have in common, where the opponent has to move; all empty cells as long
    /// as there is no semi, none if the edges are joined whoever moves.
    pub must_play: Bits<W>,
}

impl<const W: usize> Connections<W> {
    /// Finds the connections of a side.
    pub fn build(shape: &Shape<W>, stones: &Stones<W>, side: Side, effort: Effort) -> Connections<W> {
        let mut connections = Connections::unbuilt(shape, side);
        connections.rebuild(shape, stones, side, effort);
        connections
    }

    /// Scratch space for [`Connections::rebuild`].
    pub(crate) fn unbuilt(shape: &Shape<W>, side: Side) -> Connections<W> {
        let cells = shape.size().cells();
        let effort = Effort::default();
        Connections {
            side,
            cells,
            effort,
            empty: Bits::EMPTY,
            nodes: vec![NONE; cells],
            partners: vec![(Bits::EMPTY, 0); cells + 2],
            fulls: Lists::new(cells + 2, effort.fulls),
            semis: Lists::new(cells + 2, effort.semis),
            queue: vec![Vec::new(); cells + 1],
            winning: Winning { semi: None, must_play: Bits::EMPTY },
            wins: Vec::new(),
            full_win: None,
        }
    }

    /// Whose connections these are.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The connection from edge to edge.
    pub fn winning(&self) -> Winning<W> {
        self.winning
    }

    /// The cells that the side needs to win against every move outside the must-play region: all others may be
    /// the opponent's already. Few semis that have that region in common make few cells.
    pub fn refutation(&self) -> Bits<W> {
        if let Some(carrier) = self.full_win {
            return carrier;
        }
        narrowed((self.empty, Bits::EMPTY), self.wins.iter().copied()).1
    }

    /// Does the side win if it moves next?
    pub fn wins_moving_first(&self) -> bool {
        self.winning.semi.is_some() || self.wins_moving_second()
    }

    /// Does the side win even if the opponent moves next?
    pub fn wins_moving_second(&self) -> bool {
        self.winning.must_play.is_empty()
    }

    /// All full connections except adjacencies.
    pub fn fulls(&self) -> impl Iterator<Item = Connection<W>> + '_ {
        self.list(&self.fulls).filter(|full| !full.carrier.is_empty())
    }

    /// All semi connections but those from edge to edge.
    pub fn semis(&self) -> impl Iterator<Item = Connection<W>> + '_ {
        self.list(&self.semis)
    }

    fn list<'a>(&'a self, lists: &'a Lists<W>) -> impl Iterator<Item = Connection<W>> + 'a {
        let nodes = self.cells + 2;
        (0..nodes).flat_map(move |from| (from + 1..nodes).map(move |to| (from, to))).flat_map(
            move |(from, to)| {
                lists.of(from, to).map(move |carrier| Connection {
                    from: self.end(from),
                    to: self.end(to),
                    carrier,
                })
            },
        )
    }

    fn end(&self, node: usize) -> End {
        match node.checked_sub(self.cells) {
            Some(edge) => End::Edge(edge),
            None if self.empty.contains(node) => End::Cell(node),
            None => End::Group(node),
        }
    }
}

/// Intersection and union of carriers, continued from `so_far`; carriers that do not shrink the intersection are skipped.
fn narrowed<const W: usize>(
    so_far: (Bits<W>, Bits<W>),
    carriers: impl Iterator<Item = Bits<W>>,
) -> (Bits<W>, Bits<W>) {
    carriers.fold(so_far, |(common, union), carrier| match common.is_subset(&carrier) {
        true => (common, union),
        false => (common & carrier, union | carrier),
    })
}

#[cfg(test)]
mod tests;
