//! Errors say what is wrong and what is accepted, in words that hold for every caller: the server and the Python package
//! show them too, and have no options of a command line.

use game::StopFlag;
use maze::generate::{Recipe, Style};
use maze::{Algorithm, Cell, Ends, FirstMoves, Grid, Neighbours, Query, Solver, SubgoalTable};
use std::fmt::Display;
use std::num::NonZero;

fn check(error: Option<&dyn Display>, what: &str) {
    let text = error.unwrap_or_else(|| panic!("{what}: no error")).to_string();
    assert!(!text.contains("--") && !text.contains("tengen "), "{what}: {text}");
}

fn map(text: &str) -> Grid {
    maze::format::read("map", text.as_bytes()).unwrap().grid
}

macro_rules! refused {
    ($made:expr) => {
        check($made.err().as_ref().map(|error| error as &dyn Display), stringify!($made))
    };
}

#[test]
fn no_error_names_an_option_of_the_command_line() {
    let open = map("....\n....\n");
    let weighted = map(".5\n..\n");
    let large = Grid::blocked(600, 600).unwrap();
    refused!(Ends::resolve(&Grid::blocked(5, 5).unwrap(), None, None));
    refused!(Ends::resolve(&Grid::blocked(5, 5).unwrap(), Some(Cell::new(1, 1)), None));
    for text in ["", "0 1\n0\n", "?\n", "type octile\nheight 2\nwidth 2\nmap\n..\n", "type octile\n"] {
        refused!(maze::format::read("map", text.as_bytes()));
    }
    let inside = Cell::new(0, 0);
    refused!(Solver::new(&open).solve(&Query::new(inside, Cell::new(9, 9))));
    refused!(Solver::new(&large).solve(&Query::new(inside, inside)));
    // Larger than a table is made for on demand.
    let mut wide = Grid::blocked(80, 80).unwrap();
    wide.cells().collect::<Vec<_>>().into_iter().for_each(|cell| wide.set_free(cell, true));
    refused!(Solver::new(&wide).prepare(Algorithm::FirstMoves, Neighbours::Four));
    for algorithm in Algorithm::ALL {
        for neighbours in Neighbours::ALL {
            for grid in [&open, &weighted, &large] {
                let mut solver = Solver::new(grid);
                if let Err(error) = solver.prepare(algorithm, neighbours) {
                    check(Some(&error), algorithm.name());
                }
            }
        }
    }
    let (one, stop) = (NonZero::<usize>::MIN, StopFlag::new());
    refused!(FirstMoves::build(&weighted, one, &stop, &|_| {}));
    refused!(FirstMoves::from_bytes(b"", &open));
    refused!(SubgoalTable::build(&weighted, one, &stop, &|_| {}));
    refused!(SubgoalTable::from_bytes(b"a text", &open));
    refused!(Grid::blocked(0, 5));
    refused!("quickest".parse::<Algorithm>());
    refused!("five".parse::<Neighbours>());
    refused!("straight".parse::<Style>());
    refused!(Recipe::new(Style::Rooms, 1, 1, 1).make());
}
