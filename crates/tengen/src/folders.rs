//! Where files of this user are kept, by the XDG Base Directory Specification; on Windows in the local
//! application data where it says nothing.

use std::ffi::OsString;
use std::path::PathBuf;

/// The folder for this program's data; `None` without a home folder.
pub(crate) fn data() -> Option<PathBuf> {
    data_folder(|name| std::env::var_os(name))
}

fn data_folder(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    // The specification: an empty or relative path counts as unset.
    let absolute = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let usual = || match cfg!(windows) {
        true => absolute("LOCALAPPDATA"),
        false => Some(absolute("HOME")?.join(".local/share")),
    };
    let base = absolute("XDG_DATA_HOME").or_else(usual)?;
    Some(base.join("tengen"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn empty_and_relative_paths_count_as_unset() {
        let folder = |xdg: Option<&str>, home: Option<&str>| {
            data_folder(|name| if name == "HOME" { home } else { xdg }.map(OsString::from))
        };
        assert_eq!(folder(Some("/data"), Some("/home/me")), Some("/data/tengen".into()));
        for xdg in [None, Some(""), Some("data")] {
            assert_eq!(folder(xdg, Some("/home/me")), Some("/home/me/.local/share/tengen".into()), "{xdg:?}");
        }
        assert_eq!(folder(Some(""), None), None);
    }
}
