//! Enums whose variants have a name that people write.

/// Gives an enum `ALL`, `name`, `Display` and `FromStr`, from one list of its variants with their names.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Side {
///     Black,
///     White,
/// }
///
/// search::named!(Side, "side": Black = "black", White = "white");
///
/// assert_eq!(Side::ALL.map(Side::name), ["black", "white"]);
/// assert_eq!("white".parse(), Ok(Side::White));
/// assert_eq!("red".parse::<Side>().unwrap_err(), "unknown side 'red'; accepted: black, white");
/// ```
#[macro_export]
macro_rules! named {
    ($type:ident, $what:literal: $($variant:ident = $name:literal),+ $(,)?) => {
        impl $type {
            /// Every one of them.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$variant),+];

            /// Its name, as it is written in commands and files.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<$type, String> {
                $type::ALL.into_iter().find(|one| one.name() == text).ok_or_else(|| {
                    format!("unknown {} '{text}'; accepted: {}", $what, $type::ALL.map($type::name).join(", "))
                })
            }
        }
    };
}
