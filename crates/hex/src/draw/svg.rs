//! The SVG picture. One drawing for all orientations: the flat board, turned.

use super::Orientation;
use crate::{DIRECTIONS, Position, Size};
use game::draw::Svg;
use game::{Cell, Outcome, Picture, Position as _, Side};

const BACKGROUND: &str = "#fbf7ee";
const CELL: &str = "#f1e4c8";
const GRID: &str = "#8a7a5c";
const LABEL: &str = "#5b5040";
const PATH: &str = "#ffd54a";
/// Black's colour in pictures is red, white's is blue, as most Hex sites have it.
const COLOURS: [&str; 2] = ["#cf3a3a", "#2f6bc4"];

pub(crate) fn svg(position: &Position, picture: &Picture) -> String {
    let cell = if picture.cell.is_finite() { picture.cell.clamp(4.0, 400.0) } else { 32.0 };
    let plan =
        Placement::new(position.size(), cell, Orientation::named(&picture.orientation), picture.coordinates);
    let mut svg = Svg::new(plan.width, plan.height);
    svg.rect(0.0, 0.0, plan.width, plan.height, BACKGROUND);
    rims(&mut svg, &plan);
    for index in 0..plan.size.cells() {
        svg.polygon(&plan.hexagon(plan.size.cell(index)), CELL, GRID, cell * 0.03);
    }
    if picture.coordinates {
        coordinates(&mut svg, &plan);
    }
    stones(&mut svg, &plan, position, picture);
    if let Some(Outcome::Win { cells, .. }) = position.outcome() {
        let points: Vec<_> = cells.iter().map(|c| plan.centre(*c)).collect();
        svg.polyline(&points, PATH, cell * 0.12);
        for point in points {
            svg.circle(point, cell * 0.1, PATH, PATH, 0.0);
        }
    }
    for (cell_at, text) in &picture.marks {
        if plan.size.contains(*cell_at) {
            let colour = if position.at(*cell_at).is_some() { "#ffffff" } else { LABEL };
            svg.label(plan.centre(*cell_at), label_height(cell, text), text, colour);
        }
    }
    svg.finish()
}

/// Coordinates of the picture.
struct Placement {
    size: Size,
    cell: f64,
    /// Steps of one column and one row, in pixels.
    col_step: (f64, f64),
    row_step: (f64, f64),
    origin: (f64, f64),
    width: f64,
    height: f64,
}

impl Placement {
    fn new(size: Size, cell: f64, orientation: Orientation, coordinates: bool) -> Placement {
        let turn = orientation.degrees();
        let step = |degrees: f64| {
            let radians = (degrees + turn).to_radians();
            (cell * radians.cos(), cell * radians.sin())
        };
        let mut plan = Placement {
            size,
            cell,
            col_step: step(0.0),
            row_step: step(60.0),
            origin: (0.0, 0.0),
            width: 0.0,
            height: 0.0,
        };
        let (rows, cols) = (f64::from(size.rows() - 1), f64::from(size.cols() - 1));
        let corners = [(0.0, 0.0), (0.0, cols), (rows, 0.0), (rows, cols)].map(|(r, c)| plan.at(r, c));
        let margin = cell * if coordinates { 1.45 } else { 0.85 };
        let least = corners.iter().fold((f64::MAX, f64::MAX), |a, p| (a.0.min(p.0), a.1.min(p.1)));
        let most = corners.iter().fold((f64::MIN, f64::MIN), |a, p| (a.0.max(p.0), a.1.max(p.1)));
        plan.origin = (margin - least.0, margin - least.1);
        plan.width = most.0 - least.0 + 2.0 * margin;
        plan.height = most.1 - least.1 + 2.0 * margin;
        plan
    }

    fn at(&self, row: f64, col: f64) -> (f64, f64) {
        (
            self.origin.0 + col * self.col_step.0 + row * self.row_step.0,
            self.origin.1 + col * self.col_step.1 + row * self.row_step.1,
        )
    }

    fn centre(&self, cell: Cell) -> (f64, f64) {
        self.at(f64::from(cell.row), f64::from(cell.col))
    }

    /// The corner between two neighbouring directions: a third of the way to both.
    fn corner(&self, cell: Cell, direction: usize) -> (f64, f64) {
        let [a, b] = [direction % 6, (direction + 1) % 6].map(|d| DIRECTIONS[d]);
        let row = f64::from(a.0 + b.0) / 3.0;
        let col = f64::from(a.1 + b.1) / 3.0;
        self.at(f64::from(cell.row) + row, f64::from(cell.col) + col)
    }

    fn hexagon(&self, cell: Cell) -> Vec<(f64, f64)> {
        (0..6).map(|direction| self.corner(cell, direction)).collect()
    }
}

/// The coloured edges: the outer sides of border cells, drawn thick below the cells. At the two blunt
/// corners a side belongs half to each colour.
fn rims(svg: &mut Svg, plan: &Placement) {
    let size = plan.size;
    let (last_row, last_col) = (size.rows() - 1, size.cols() - 1);
    let middle = |a: (f64, f64), b: (f64, f64)| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let mut line = |side: Side, points: &[(f64, f64)]| {
        svg.polyline(points, COLOURS[side.index()], plan.cell * 0.34);
    };
    // Corner d lies between directions d and d + 1; see DIRECTIONS for their order.
    let mut top = Vec::new();
    let mut bottom = Vec::new();
    for col in 0..size.cols() {
        let (upper, lower) = (Cell::new(0, col), Cell::new(last_row, col));
        top.extend([plan.corner(upper, 5), plan.corner(upper, 0)]);
        bottom.extend([plan.corner(lower, 4), plan.corner(lower, 3), plan.corner(lower, 2)]);
    }
    let blunt = Cell::new(0, last_col);
    top.push(middle(plan.corner(blunt, 0), plan.corner(blunt, 1)));
    let blunt = Cell::new(last_row, 0);
    bottom[0] = middle(plan.corner(blunt, 4), plan.corner(blunt, 3));
    let mut left = Vec::new();
    let mut right = Vec::new();
    for row in 0..size.rows() {
        let (near, far) = (Cell::new(row, 0), Cell::new(row, last_col));
        left.extend([plan.corner(near, 5), plan.corner(near, 4)]);
        right.extend([plan.corner(far, 1), plan.corner(far, 2)]);
    }
    let blunt = Cell::new(last_row, 0);
    left.push(middle(plan.corner(blunt, 4), plan.corner(blunt, 3)));
    let blunt = Cell::new(0, last_col);
    right.insert(0, middle(plan.corner(blunt, 0), plan.corner(blunt, 1)));
    line(Side::White, &left);
    line(Side::White, &right);
    line(Side::Black, &top);
    line(Side::Black, &bottom);
}

fn coordinates(svg: &mut Svg, plan: &Placement) {
    let height = plan.cell * 0.34;
    for col in 0..plan.size.cols() {
        let name = crate::notation::point::column(col).to_string();
        svg.label(plan.at(-1.2, f64::from(col) + 0.6), height, &name, LABEL);
    }
    // Level with the row where rows are level; else off the row's end, away from the board.
    let below = if plan.col_step.1 == 0.0 { 0.0 } else { 0.6 };
    for row in 0..plan.size.rows() {
        let name = (u16::from(row) + 1).to_string();
        svg.label(plan.at(f64::from(row) + below, -1.2), height, &name, LABEL);
    }
}

fn stones(svg: &mut Svg, plan: &Placement, position: &Position, picture: &Picture) {
    let numbered = position.numbered_stones();
    let last = numbered.iter().map(|stone| stone.2).max().unwrap_or(0);
    for (side, cell, number) in numbered {
        let centre = plan.centre(cell);
        svg.circle(centre, plan.cell * 0.4, COLOURS[side.index()], "#2b2118", plan.cell * 0.03);
        let marked = picture.marks.iter().any(|(at, _)| *at == cell);
        if picture.numbers && number > 0 && !marked {
            let text = number.to_string();
            svg.label(centre, label_height(plan.cell, &text), &text, "#ffffff");
        } else if number == last && last > 0 && !marked {
            svg.circle(centre, plan.cell * 0.12, "none", "#ffffff", plan.cell * 0.05);
        }
    }
}

/// Letters as large as the cell allows.
fn label_height(cell: f64, text: &str) -> f64 {
    cell * match text.chars().count() {
        0..=1 => 0.38,
        2 => 0.32,
        3 => 0.24,
        n => 0.75 / n as f64,
    }
}
