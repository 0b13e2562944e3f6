//! Perfect mazes: rooms at odd rows and columns, joined into a tree, then perhaps braided.

use super::Style;
use crate::grid::{Cell, Grid};
use search::Rng;

/// Carves a maze into a grid of walls, entered at the left of the first room and left at the right of
/// the last.
pub(super) fn maze(grid: &mut Grid, style: Style, braid: f64, random: &mut Rng) {
    let rooms = Rooms { rows: (grid.height() as usize - 1) / 2, cols: (grid.width() as usize - 1) / 2 };
    for room in 0..rooms.count() {
        grid.set_free(rooms.cell(room), true);
    }
    match style {
        Style::Prim => prim(grid, &rooms, random),
        Style::Kruskal => kruskal(grid, &rooms, random),
        Style::Wilson => wilson(grid, &rooms, random),
        _ => backtracker(grid, &rooms, random),
    }
    for room in 0..rooms.count() {
        rooms.braid(grid, room, braid, random);
    }
    let (first, last) = (rooms.cell(0), rooms.cell(rooms.count() - 1));
    grid.set_free(Cell { col: 0, ..first }, true);
    for col in last.col..grid.width() {
        grid.set_free(Cell { col, ..last }, true);
    }
}

fn backtracker(grid: &mut Grid, rooms: &Rooms, random: &mut Rng) {
    let mut seen = vec![false; rooms.count()];
    let mut path = vec![random.below(rooms.count())];
    seen[path[0]] = true;
    while let Some(&room) = path.last() {
        let fresh: Vec<usize> = rooms.around(room).filter(|&next| !seen[next]).collect();
        if fresh.is_empty() {
            path.pop();
            continue;
        }
        let next = fresh[random.below(fresh.len())];
        seen[next] = true;
        rooms.join(grid, room, next);
        path.push(next);
    }
}

fn prim(grid: &mut Grid, rooms: &Rooms, random: &mut Rng) {
    let mut seen = vec![false; rooms.count()];
    let start = random.below(rooms.count());
    seen[start] = true;
    let mut edges: Vec<(usize, usize)> = rooms.around(start).map(|next| (start, next)).collect();
    while !edges.is_empty() {
        let (room, next) = edges.swap_remove(random.below(edges.len()));
        if !std::mem::replace(&mut seen[next], true) {
            rooms.join(grid, room, next);
            edges.extend(rooms.around(next).filter(|&after| !seen[after]).map(|after| (next, after)));
        }
    }
}

fn kruskal(grid: &mut Grid, rooms: &Rooms, random: &mut Rng) {
    let mut edges: Vec<(usize, usize)> = (0..rooms.count())
        .flat_map(|room| rooms.around(room).filter(move |&n| n > room).map(move |n| (room, n)))
        .collect();
    random.shuffle(&mut edges);
    let mut sets = Sets::new(rooms.count());
    for (room, next) in edges {
        if sets.join(room, next) {
            rooms.join(grid, room, next);
        }
    }
}

/// Walks at random from a room outside the maze until it meets the maze; later steps overwrite earlier
/// ones from the same room, which erases loops (Wilson 1996).
fn wilson(grid: &mut Grid, rooms: &Rooms, random: &mut Rng) {
    let mut inside = vec![false; rooms.count()];
    inside[random.below(rooms.count())] = true;
    let mut onward = vec![0; rooms.count()];
    for start in 0..rooms.count() {
        let mut room = start;
        while !inside[room] {
            let around: Vec<usize> = rooms.around(room).collect();
            onward[room] = around[random.below(around.len())];
            room = onward[room];
        }
        room = start;
        while !inside[room] {
            inside[room] = true;
            rooms.join(grid, room, onward[room]);
            room = onward[room];
        }
    }
}

/// Rooms numbered row by row.
struct Rooms {
    rows: usize,
    cols: usize,
}

impl Rooms {
    fn count(&self) -> usize {
        self.rows * self.cols
    }

    fn cell(&self, room: usize) -> Cell {
        Cell::new((2 * (room / self.cols) + 1) as u32, (2 * (room % self.cols) + 1) as u32)
    }

    fn around(&self, room: usize) -> impl Iterator<Item = usize> + use<> {
        let (row, col) = (room / self.cols, room % self.cols);
        let up = (row > 0).then(|| room - self.cols);
        let right = (col + 1 < self.cols).then_some(room + 1);
        let down = (row + 1 < self.rows).then_some(room + self.cols);
        let left = (col > 0).then(|| room - 1);
        [up, right, down, left].into_iter().flatten()
    }

    /// The wall between two neighbouring rooms.
    fn between(&self, a: usize, b: usize) -> Cell {
        let (a, b) = (self.cell(a), self.cell(b));
        Cell::new((a.row + b.row) / 2, (a.col + b.col) / 2)
    }

    fn join(&self, grid: &mut Grid, a: usize, b: usize) {
        grid.set_free(self.between(a, b), true);
    }

    fn braid(&self, grid: &mut Grid, room: usize, share: f64, random: &mut Rng) {
        let (open, shut): (Vec<usize>, Vec<usize>) =
            self.around(room).partition(|&next| grid.is_free(self.between(room, next)));
        if open.len() == 1 && !shut.is_empty() && random.chance(share) {
            self.join(grid, room, shut[random.below(shut.len())]);
        }
    }
}

/// Which things belong together (union-find with path halving).
pub(super) struct Sets(Vec<usize>);

impl Sets {
    pub(super) fn new(count: usize) -> Sets {
        Sets((0..count).collect())
    }

    fn root(&mut self, mut item: usize) -> usize {
        while self.0[item] != item {
            self.0[item] = self.0[self.0[item]];
            item = self.0[item];
        }
        item
    }

    /// Joins two sets; `false` if they were one already.
    pub(super) fn join(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a] = b;
        a != b
    }
}
