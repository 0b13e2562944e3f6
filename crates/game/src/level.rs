//! Playing levels a person can choose.

use serde::{Deserialize, Deserializer, Serialize, de};
use std::{fmt, str::FromStr};

/// How hard an engine should try: 1, for somebody who has just learnt the rules, to 9, all the engine has. Below
/// [`Level::MAX`] an engine is weaker the way a person is: it looks less far and errs a little, but above the lowest
/// level it never overlooks a win or a loss in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Level(u8);

/// The four levels of earlier builds, still accepted.
const FORMER: [(&str, Level); 4] =
    [("easy", Level(2)), ("medium", Level(4)), ("hard", Level(6)), ("max", Level::MAX)];

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 9] =
        [Level(1), Level(2), Level(3), Level(4), Level(5), Level(6), Level(7), Level(8), Level(9)];
    /// Where a beginner starts.
    pub const MIN: Level = Level(1);
    /// Full strength.
    pub const MAX: Level = Level(9);

    /// 1 to 9.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The level of a number from 1 to 9.
    pub fn of(number: u64) -> Option<Level> {
        u8::try_from(number).ok().map(Level).filter(|level| (Level::MIN..=Level::MAX).contains(level))
    }

    /// The level's row in a table of all of them.
    pub fn row<T>(self, table: &[T; 9]) -> &T {
        &table[usize::from(self.0 - 1)]
    }
}

impl Default for Level {
    fn default() -> Level {
        Level::MAX
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Level {
    type Err = String;
    fn from_str(text: &str) -> Result<Level, String> {
        let former =
            || FORMER.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, level)| *level);
        text.parse()
            .ok()
            .and_then(Level::of)
            .or_else(former)
            .ok_or_else(|| format!("unknown level '{text}'; accepted: 1 (beginner) to 9 (full strength)"))
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Level, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Level;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a level from 1 to 9")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Level, E> {
                Level::of(number).ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(number), &self))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Level, E> {
                let unsigned = u64::try_from(number).ok().and_then(Level::of);
                unsigned.ok_or_else(|| E::invalid_value(de::Unexpected::Signed(number), &self))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Level, E> {
                text.parse().map_err(E::custom)
            }
        }
        input.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_the_words_of_earlier_builds_are_read() {
        for (number, level) in (1..).zip(Level::ALL) {
            assert_eq!(Level::of(number), Some(level));
            assert_eq!(number.to_string().parse(), Ok(level));
            assert_eq!(serde_json::to_value(level).unwrap(), number);
            assert_eq!(serde_json::from_str::<Level>(&number.to_string()).unwrap(), level);
        }
        assert_eq!(serde_json::from_str::<Level>("\"easy\"").unwrap(), Level::ALL[1]);
        assert_eq!("Max".parse(), Ok(Level::MAX));
        for wrong in ["0", "10", "-1", "1.5", "\"harder\"", "null"] {
            assert!(serde_json::from_str::<Level>(wrong).is_err(), "{wrong}");
        }
        assert!("10".parse::<Level>().unwrap_err().contains("1 (beginner) to 9"));
    }
}
