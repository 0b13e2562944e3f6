//! Numbers as short as they can be written: whole ones without a point, others with six decimals, infinite ones as
//! `null` (JSON has no infinity).

use serde::{Serialize, Serializer};

/// A number in a record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Num(pub f64);

impl Serialize for Num {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0;
        if !value.is_finite() {
            return serializer.serialize_none();
        }
        if value.fract() == 0.0 && value.abs() < 9e15 {
            return serializer.serialize_i64(value as i64);
        }
        let rounded = (value * 1e6).round() / 1e6;
        serializer.serialize_f64(if rounded.is_finite() && value.abs() < 1e9 { rounded } else { value })
    }
}
