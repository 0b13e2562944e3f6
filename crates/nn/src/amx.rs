//! AMX kernels, by inline assembly: stable Rust has no intrinsics for them.

use crate::int8::{I32x64, Int8Tile, MIN_CELLS, U8x64};
use crate::{
    BLOCK, Bf16, Bf16x64, CHANNELS, F32x64, OUTPUT_GROUPS, TILE_ROW, TILE_ROWS, TILES_PER_TAP, Tile,
};
use std::arch::asm;
use std::sync::LazyLock;

/// The configuration that `ldtilecfg` loads: palette 1, eight tiles of 16 rows of 64 bytes.
#[repr(C, align(64))]
struct Config([u8; 64]);

static CONFIG: Config = {
    let mut bytes = [0; 64];
    bytes[0] = 1;
    let mut tile = 0;
    while tile < 8 {
        bytes[16 + 2 * tile] = 64;
        bytes[48 + tile] = TILE_ROWS as u8;
        tile += 1;
    }
    Config(bytes)
};

/// Does the processor have AMX for bf16 and int8, and may this process use it? Linux requires an `arch_prctl` request.
pub(crate) fn usable() -> bool {
    static USABLE: LazyLock<bool> = LazyLock::new(|| has_amx() && is_permitted());
    *USABLE
}

fn has_amx() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    if __cpuid(0).eax < 7 {
        return false;
    }
    let (bf16, tile, int8) = (1 << 22, 1 << 24, 1 << 25);
    let all = bf16 | tile | int8;
    __cpuid_count(7, 0).edx & all == all
}

fn is_permitted() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const ARCH_REQ_XCOMP_PERM: i64 = 0x1023;
    const TILE_DATA: i64 = 18;
    let mut result: i64 = ARCH_PRCTL;
    // SAFETY: the system call takes two numbers and writes no memory of this process.
    unsafe {
        asm!("syscall", inlateout("rax") result, in("rdi") ARCH_REQ_XCOMP_PERM, in("rsi") TILE_DATA,
             lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    result == 0
}

/// Computes 32 cells by 32 output channels with four accumulators: two tiles of 16 cells times two tiles of weights at
/// each step. Only the instruction, the bytes of a cell and the distance of the two groups of weights differ between bf16
/// and int8; sums have 4 bytes in both.
macro_rules! multiply_2x2 {
    ($dot:literal, $steps:expr, $cell:ty, $input:expr, $weights:expr, $next_group:expr, $output:expr) => {
        asm!(
            "tilezero tmm0",
            "tilezero tmm1",
            "tilezero tmm2",
            "tilezero tmm3",
            "2:",
            "mov {cell}, [{step}]",
            "add {cell}, {input}",
            "tileloadd tmm4, [{cell} + {cell_bytes}*1]",
            "tileloadd tmm6, [{weights} + {weight_row}*1]",
            "tileloadd tmm7, [{weights} + {weight_row}*1 + {next_group}]",
            concat!($dot, " tmm0, tmm4, tmm6"),
            "tileloadd tmm5, [{cell} + {cell_bytes}*1 + {next_cells}]",
            concat!($dot, " tmm1, tmm4, tmm7"),
            concat!($dot, " tmm2, tmm5, tmm6"),
            concat!($dot, " tmm3, tmm5, tmm7"),
            "add {weights}, 1024",
            "add {step}, 8",
            "cmp {step}, {end}",
            "jb 2b",
            "tilestored [{output} + {sums_bytes}*1], tmm0",
            "tilestored [{output} + {sums_bytes}*1 + 64], tmm1",
            "tilestored [{output} + {sums_bytes}*1 + 4096], tmm2",
            "tilestored [{output} + {sums_bytes}*1 + 4160], tmm3",
            cell = out(reg) _,
            step = inout(reg) $steps.as_ptr() => _,
            end = in(reg) $steps.as_ptr_range().end,
            input = in(reg) $input,
            weights = inout(reg) $weights => _,
            output = in(reg) $output,
            weight_row = in(reg) 64usize,
            cell_bytes = in(reg) size_of::<$cell>(),
            sums_bytes = in(reg) size_of::<F32x64>(),
            next_group = const $next_group,
            next_cells = const TILE_ROWS * size_of::<$cell>(),
            out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _, out("tmm4") _, out("tmm5") _,
            out("tmm6") _, out("tmm7") _,
            options(nostack)
        )
    };
}

const _: () = assert!(size_of::<Tile>() == 1024 && size_of::<Int8Tile>() == 1024 && TILE_ROWS * 256 == 4096);
const _: () = assert!(size_of::<F32x64>() == 256 && size_of::<I32x64>() == 256);

/// See [`crate::convolve`].
///
/// # Safety
/// The processor has AMX; `output` has a multiple of [`BLOCK`] cells whose taps, from `first` on, are within `input`; and
/// `weights` are those of `TAPS` taps.
pub(crate) unsafe fn convolve<const TAPS: usize>(
    input: &[Bf16x64],
    taps: &[isize; TAPS],
    weights: &[Tile],
    first: usize,
    output: &mut [F32x64],
) {
    const { assert!(BLOCK == 2 * TILE_ROWS && TILES_PER_TAP == 2) };
    // Byte offsets of both halves of each tap's channels.
    let steps: [[isize; TILES_PER_TAP]; TAPS] = taps.map(|tap| {
        let offset = tap * size_of::<Bf16x64>() as isize;
        [offset, offset + (TILE_ROW * size_of::<Bf16>()) as isize]
    });
    let steps = steps.as_flattened();
    // SAFETY: see above; the assembly reads two tiles of 16 cells and two of weights at each step, and writes 32 sums of
    // 32 cells.
    unsafe {
        asm!("ldtilecfg [{}]", in(reg) &raw const CONFIG, options(nostack, readonly));
        for block in (0..output.len()).step_by(BLOCK) {
            for group in (0..OUTPUT_GROUPS).step_by(2) {
                multiply_2x2!(
                    "tdpbf16ps",
                    steps,
                    Bf16x64,
                    input.as_ptr().add(first + block),
                    weights.as_ptr().add(group * TAPS * TILES_PER_TAP),
                    TAPS * TILES_PER_TAP * size_of::<Tile>(),
                    output.as_mut_ptr().add(block).cast::<f32>().add(group * TILE_ROWS)
                );
            }
        }
        asm!("tilerelease", options(nostack, nomem));
    }
}

/// See [`crate::int8::convolve_int8`].
///
/// # Safety
/// The processor has AMX; `output` has at least [`MIN_CELLS`] cells whose taps, from `first` on, are within `input`; and
/// `weights` are those of `TAPS` taps.
pub(crate) unsafe fn convolve_int8<const TAPS: usize>(
    input: &[U8x64],
    taps: &[isize; TAPS],
    weights: &[Int8Tile],
    first: usize,
    output: &mut [I32x64],
) {
    const { assert!(MIN_CELLS == 2 * TILE_ROWS) };
    let steps = taps.map(|tap| tap * size_of::<U8x64>() as isize);
    // SAFETY: see above; the assembly reads two tiles of 16 cells and two of weights at each step, and writes 32 sums of
    // 32 cells. The last 32 cells may overlap the ones before and are then written twice, with the same sums.
    unsafe {
        asm!("ldtilecfg [{}]", in(reg) &raw const CONFIG, options(nostack, readonly));
        for block in (0..output.len()).step_by(MIN_CELLS) {
            let block = block.min(output.len() - MIN_CELLS);
            for group in (0..OUTPUT_GROUPS).step_by(2) {
                multiply_2x2!(
                    "tdpbssd",
                    steps,
                    U8x64,
                    input.as_ptr().add(first + block),
                    weights.as_ptr().add(group * TAPS),
                    TAPS * size_of::<Int8Tile>(),
                    output.as_mut_ptr().add(block).cast::<i32>().add(group * TILE_ROWS)
                );
            }
        }
        asm!("tilerelease", options(nostack, nomem));
    }
}

/// See [`crate::WeightGradients::accumulate`]. Unlike a convolution it adds to sums in memory and has one tile of inputs
/// for four of errors, so it does not share the block above.
///
/// # Safety
/// The processor has AMX, all cells and their taps are within the slices, and `count` is a multiple of 32.
pub(crate) unsafe fn gradients<const TAPS: usize>(
    (input, cells): (&[Bf16], usize),
    errors: &[[Bf16x64; 2]],
    taps: &[isize; TAPS],
    gradients: &mut [F32x64],
    (first, count): (usize, usize),
) {
    // SAFETY: see above; the assembly reads a tile of 16 channels by 32 cells and four of 16 pairs of cells at each step,
    // and adds to 16 rows of gradients.
    unsafe {
        asm!("ldtilecfg [{}]", in(reg) &raw const CONFIG, options(nostack, readonly));
        for (tap, &offset) in taps.iter().enumerate() {
            for group in 0..CHANNELS / TILE_ROWS {
                asm!(
                    "tileloadd tmm0, [{gradients} + {sums_bytes}*1]",
                    "tileloadd tmm1, [{gradients} + {sums_bytes}*1 + 64]",
                    "tileloadd tmm2, [{gradients} + {sums_bytes}*1 + 128]",
                    "tileloadd tmm3, [{gradients} + {sums_bytes}*1 + 192]",
                    "2:",
                    "tileloadd tmm4, [{input} + {channel_bytes}*1]",
                    "tileloadd tmm5, [{errors} + {sums_bytes}*1]",
                    "tileloadd tmm6, [{errors} + {sums_bytes}*1 + 64]",
                    "tdpbf16ps tmm0, tmm4, tmm5",
                    "tileloadd tmm5, [{errors} + {sums_bytes}*1 + 128]",
                    "tdpbf16ps tmm1, tmm4, tmm6",
                    "tileloadd tmm6, [{errors} + {sums_bytes}*1 + 192]",
                    "tdpbf16ps tmm2, tmm4, tmm5",
                    "tdpbf16ps tmm3, tmm4, tmm6",
                    "add {input}, 64",
                    "add {errors}, 4096",
                    "dec {blocks}",
                    "jnz 2b",
                    "tilestored [{gradients} + {sums_bytes}*1], tmm0",
                    "tilestored [{gradients} + {sums_bytes}*1 + 64], tmm1",
                    "tilestored [{gradients} + {sums_bytes}*1 + 128], tmm2",
                    "tilestored [{gradients} + {sums_bytes}*1 + 192], tmm3",
                    input = inout(reg) input.as_ptr().add(group * TILE_ROWS * cells).offset(first as isize + offset) => _,
                    errors = inout(reg) errors.as_ptr().add(first / 2) => _,
                    blocks = inout(reg) count / BLOCK => _,
                    gradients = in(reg) gradients.as_mut_ptr().add(tap * CHANNELS + group * TILE_ROWS),
                    channel_bytes = in(reg) cells * size_of::<Bf16>(),
                    sums_bytes = in(reg) size_of::<F32x64>(),
                    out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _, out("tmm4") _, out("tmm5") _,
                    out("tmm6") _,
                    options(nostack)
                );
            }
        }
        asm!("tilerelease", options(nostack, nomem));
    }
}
