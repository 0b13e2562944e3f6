//! The kernels of the quantized convolution, and which of them this processor can run.

use std::sync::LazyLock;

/// A kernel that this processor can run: only [`Kernel::list`], [`Kernel::fastest`] and [`Kernel::find`] make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel(Instructions);

/// What a kernel is written with, the fastest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instructions {
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    Amx,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
    Plain,
}

impl Instructions {
    const ALL: &[Instructions] = &[
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        Instructions::Amx,
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512Vnni,
        #[cfg(target_arch = "x86_64")]
        Instructions::AvxVnni,
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2,
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Instructions::Simd128,
        Instructions::Plain,
    ];

    fn is_available(self) -> bool {
        match self {
            #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
            Instructions::Amx => super::amx_is_exact(),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Vnni => {
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni")
            }
            #[cfg(target_arch = "x86_64")]
            Instructions::AvxVnni => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("avxvnni"),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Simd128 => true,
            Instructions::Plain => true,
        }
    }

    fn name(self) -> &'static str {
        match self {
            #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
            Instructions::Amx => "AMX",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Vnni => "AVX-512 VNNI",
            #[cfg(target_arch = "x86_64")]
            Instructions::AvxVnni => "AVX-VNNI",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "AVX2",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Instructions::Simd128 => super::simd128::NAME,
            Instructions::Plain => "plain",
        }
    }
}

impl Kernel {
    /// The names of all kernels of this target, the fastest first, each with the kernel if this processor can run it.
    pub fn list() -> impl Iterator<Item = (&'static str, Option<Kernel>)> {
        let entry = |&one: &Instructions| (one.name(), one.is_available().then_some(Kernel(one)));
        Instructions::ALL.iter().map(entry)
    }

    /// The fastest kernel of this processor; found once.
    pub fn fastest() -> Kernel {
        static FASTEST: LazyLock<Kernel> =
            LazyLock::new(|| Kernel::list().find_map(|entry| entry.1).unwrap_or(Kernel(Instructions::Plain)));
        *FASTEST
    }

    /// The kernel with this identifier, if this processor can run it: its name in lower case, with hyphens for spaces.
    pub fn find(identifier: &str) -> Option<Kernel> {
        Kernel::list().find(|(name, _)| Kernel::identifier(name) == identifier)?.1
    }

    /// The identifier for [`Kernel::find`] of a name in [`Kernel::list`].
    pub fn identifier(name: &str) -> String {
        name.to_lowercase().replace(' ', "-")
    }

    /// What it is written with.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    pub(super) fn instructions(self) -> Instructions {
        self.0
    }
}
