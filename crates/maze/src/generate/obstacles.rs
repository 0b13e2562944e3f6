//! Maps that are not mazes: scattered obstacles, and rooms with doors.

use super::perfect::Sets;
use crate::grid::{Cell, Grid};
use search::Rng;

/// Blocks each cell with this chance. Start and goal are the first and the last free corner cells; a dense
/// map may have no path between them.
pub(super) fn scatter(grid: &mut Grid, density: f64, random: &mut Rng) {
    for cell in grid.cells() {
        grid.set_free(cell, !random.chance(density));
    }
    let (start, goal) = (Cell::new(0, 0), Cell::new(grid.height() - 1, grid.width() - 1));
    for cell in [start, goal] {
        grid.set_free(cell, true);
    }
    grid.entry = Some(start);
    grid.exit = Some(goal);
}

/// Rooms of `side` by `side` cells behind walls one cell thick. Doors join all rooms, and half of the
/// other pairs of neighbours too.
pub(super) fn rooms(grid: &mut Grid, side: u32, random: &mut Rng) {
    let step = side + 1;
    for cell in grid.cells() {
        let border = cell.row + 1 == grid.height() || cell.col + 1 == grid.width();
        grid.set_free(cell, !border && cell.row % step != 0 && cell.col % step != 0);
    }
    let spans = |length: u32| -> Vec<(u32, u32)> {
        let starts = (1..length - 1).step_by(step as usize);
        starts.map(|start| (start, (start + side).min(length - 1))).collect()
    };
    let (rows, cols) = (spans(grid.height()), spans(grid.width()));
    let mut doors: Vec<(usize, usize, Cell)> = Vec::new();
    for (r, &(top, bottom)) in rows.iter().enumerate() {
        for (c, &(left, right)) in cols.iter().enumerate() {
            let room = r * cols.len() + c;
            let row = top + random.below((bottom - top) as usize) as u32;
            let col = left + random.below((right - left) as usize) as u32;
            if c + 1 < cols.len() {
                doors.push((room, room + 1, Cell { row, col: right }));
            }
            if r + 1 < rows.len() {
                doors.push((room, room + cols.len(), Cell { row: bottom, col }));
            }
        }
    }
    random.shuffle(&mut doors);
    let mut sets = Sets::new(rows.len() * cols.len());
    for (room, next, door) in doors {
        if sets.join(room, next) || random.chance(0.5) {
            grid.set_free(door, true);
        }
    }
    let last = |spans: &[(u32, u32)]| spans.last().map_or(1, |span| span.1 - 1);
    grid.entry = Some(Cell::new(1, 1));
    grid.exit = Some(Cell::new(last(&rows), last(&cols)));
}
