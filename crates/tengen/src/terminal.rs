//! What the terminal can show: colours, and characters beyond ASCII.

use std::io::IsTerminal;

/// Colours only on a terminal that has them, and not against the user's wish (`NO_COLOR`, `TERM=dumb`).
pub(crate) fn colour() -> bool {
    std::io::stdout().is_terminal() && allows_colour(|name| std::env::var(name).ok())
}

/// Can standard output show characters beyond ASCII? Decided by the locale; not with `TERM=dumb`.
pub(crate) fn unicode() -> bool {
    has_unicode(|name| std::env::var(name).ok())
}

fn allows_colour(variable: impl Fn(&str) -> Option<String>) -> bool {
    let refused = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && !is_dumb(&variable)
}

fn has_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    // The first of these that is set decides (POSIX).
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(&variable).find(|value| !value.is_empty());
    let locale = locale.unwrap_or_default().to_ascii_lowercase();
    (locale.contains("utf-8") || locale.contains("utf8") || cfg!(windows)) && !is_dumb(&variable)
}

fn is_dumb(variable: &impl Fn(&str) -> Option<String>) -> bool {
    variable("TERM").is_some_and(|term| term == "dumb")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables<'a>(set: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<String> {
        |name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string())
    }

    #[test]
    fn colour_is_refused_by_no_color_and_dumb_terminals() {
        assert!(allows_colour(variables(&[("TERM", "xterm")])));
        assert!(allows_colour(variables(&[("NO_COLOR", "")])));
        assert!(!allows_colour(variables(&[("NO_COLOR", "1")])));
        assert!(!allows_colour(variables(&[("TERM", "dumb")])));
    }

    #[cfg(not(windows))]
    #[test]
    fn the_first_locale_variable_that_is_set_decides() {
        assert!(has_unicode(variables(&[("LANG", "de_DE.UTF-8")])));
        assert!(has_unicode(variables(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")])));
        assert!(!has_unicode(variables(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")])));
        assert!(!has_unicode(variables(&[("LANG", "zh_CN.GB18030")])));
        assert!(!has_unicode(variables(&[])));
        assert!(!has_unicode(variables(&[("LANG", "C.UTF-8"), ("TERM", "dumb")])));
    }
}
