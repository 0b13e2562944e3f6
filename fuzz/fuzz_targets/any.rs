//! libFuzzer on the target named by the environment variable `TENGEN_FUZZ_TARGET`: one binary for all of them.
#![no_main]

use std::sync::LazyLock;
use tengen_fuzz::{TARGETS, Target};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("TENGEN_FUZZ_TARGET").unwrap_or_default();
    TARGETS.iter().find(|target| target.name == name).expect("TENGEN_FUZZ_TARGET names a target")
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET.check(data));
