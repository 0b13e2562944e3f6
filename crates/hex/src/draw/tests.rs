use super::*;
use crate::notation;
use game::{Cell, Picture, Setup};

/// Pictures of every kind stay well-formed; looking at them is for people.
#[test]
fn every_orientation_draws_all_cells_and_stones() {
    let position = notation::parse("b2a1b1c1b3", &Setup::empty(3, 3)).unwrap();
    for (name, _) in Orientation::ALL {
        for (numbers, coordinates) in [(false, true), (true, false)] {
            let marks = vec![(Cell::new(2, 2), "12".into()), (Cell::new(9, 9), "X".into())];
            let picture =
                Picture { orientation: name.into(), numbers, coordinates, marks, ..Picture::default() };
            let drawn = svg(&position, &picture);
            assert_eq!(drawn.matches("<polygon").count(), 9, "{name}");
            assert!(drawn.matches("<circle").count() >= 5, "{name}");
            assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
        }
    }
}
