//! The MovingAI scenario files, which are not part of the repository.

use std::path::{Path, PathBuf};

/// A scenario file with its map beside it (the same name without `.scen`).
pub(crate) struct Scenarios {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
}

/// Every scenario file in the folders of `TENGEN_MOVINGAI` or `shared/data/movingai`, in order.
pub(crate) fn scenarios() -> Vec<Scenarios> {
    let named = std::env::var_os("TENGEN_MOVINGAI").map(PathBuf::from);
    let folder = named
        .or_else(|| game::testing::shared_data("movingai"))
        .expect("the maps are in TENGEN_MOVINGAI or shared/data/movingai");
    let inside = |folder: &Path| -> Vec<PathBuf> {
        let entries =
            std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        entries.map(|entry| entry.expect("a folder that can be read").path()).collect()
    };
    let kinds = inside(&folder).into_iter().filter(|path| path.is_dir());
    let mut files: Vec<_> = kinds.flat_map(|kind| inside(&kind)).collect();
    files.retain(|path| {
        path.extension().is_some_and(|ending| ending == "scen") && path.with_extension("").is_file()
    });
    files.sort();
    let name = |file: &Path| file.file_name().map(|name| name.to_string_lossy().replace(".map.scen", ""));
    files.into_iter().map(|file| Scenarios { name: name(&file).unwrap_or_default(), file }).collect()
}
