//! Tile instructions, by assembly: stable Rust has no other door to them.

use crate::bytes::{BYTE_TILES, ByteTile, Bytes, LEAST, Sums};
use crate::{CHANNELS, DEEP, Half, Halves, Lane, ROW, ROWS, STRIP, TAPS, TILES, Tile, WIDE};
use std::arch::asm;
use std::sync::LazyLock;

/// Eight tiles of sixteen rows of 64 bytes.
#[repr(C, align(64))]
struct Config([u8; 64]);

static CONFIG: Config = {
    let mut bytes = [0; 64];
    bytes[0] = 1;
    let mut tile = 0;
    while tile < 8 {
        bytes[16 + 2 * tile] = 64;
        bytes[48 + tile] = ROWS as u8;
        tile += 1;
    }
    Config(bytes)
};

/// Does the processor have tiles of halves and of bytes, and may this process use them? Linux wants to be asked.
pub(crate) fn usable() -> bool {
    static USABLE: LazyLock<bool> = LazyLock::new(|| has_tiles() && permitted());
    *USABLE
}

fn has_tiles() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    if __cpuid(0).eax < 7 {
        return false;
    }
    let (bf16, tile, int8) = (1 << 22, 1 << 24, 1 << 25);
    let all = bf16 | tile | int8;
    __cpuid_count(7, 0).edx & all == all
}

fn permitted() -> bool {
    const ARCH_PRCTL: i64 = 158;
    const ARCH_REQ_XCOMP_PERM: i64 = 0x1023;
    const TILE_DATA: i64 = 18;
    let mut result: i64 = ARCH_PRCTL;
    // SAFETY: the call takes two numbers and changes no memory of ours.
    unsafe {
        asm!("syscall", inlateout("rax") result, in("rdi") ARCH_REQ_XCOMP_PERM, in("rsi") TILE_DATA,
             lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    result == 0
}

/// See [`crate::convolve`].
///
/// # Safety
/// The processor has tiles, and the taps of as many cells as `output` has, from `first` on, are within `input`.
pub(crate) unsafe fn convolve(
    input: &[Halves],
    taps: &[isize; TAPS],
    weights: &[Tile; TILES],
    first: usize,
    output: &mut [Lane],
) {
    let mut steps = [0isize; TAPS * DEEP];
    for (at, step) in steps.iter_mut().enumerate() {
        *step =
            taps[at / DEEP] * size_of::<Halves>() as isize + ((at % DEEP) * ROW * size_of::<Half>()) as isize;
    }
    let end = steps.as_ptr_range().end;
    // SAFETY: see above; the assembly reads one or two tiles of sixteen cells at each step and up to four of weights, and
    // writes 32 channels of 32 cells, or all channels of sixteen.
    unsafe {
        asm!("ldtilecfg [{}]", in(reg) &raw const CONFIG, options(nostack, readonly));
        let pairs = output.len() / (2 * ROWS) * (2 * ROWS);
        for block in (0..pairs).step_by(2 * ROWS) {
            for wide in (0..WIDE).step_by(2) {
                let weights = weights.as_ptr().add(wide * TAPS * DEEP);
                asm!(
                    "tilezero tmm0",
                    "tilezero tmm1",
                    "tilezero tmm2",
                    "tilezero tmm3",
                    "2:",
                    "mov {cell}, [{step}]",
                    "add {cell}, {input}",
                    "tileloadd tmm4, [{cell} + {row}*1]",
                    "tileloadd tmm6, [{weights} + {narrow}*1]",
                    "tileloadd tmm7, [{weights} + {narrow}*1 + 14336]",
                    "tdpbf16ps tmm0, tmm4, tmm6",
                    "tileloadd tmm5, [{cell} + {row}*1 + 2048]",
                    "tdpbf16ps tmm1, tmm4, tmm7",
                    "tdpbf16ps tmm2, tmm5, tmm6",
                    "tdpbf16ps tmm3, tmm5, tmm7",
                    "add {weights}, 1024",
                    "add {step}, 8",
                    "cmp {step}, {end}",
                    "jb 2b",
                    "tilestored [{output} + {lane}*1], tmm0",
                    "tilestored [{output} + {lane}*1 + 64], tmm1",
                    "tilestored [{output} + {lane}*1 + 4096], tmm2",
                    "tilestored [{output} + {lane}*1 + 4160], tmm3",
                    cell = out(reg) _,
                    step = inout(reg) steps.as_ptr() => _,
                    end = in(reg) end,
                    input = in(reg) input.as_ptr().add(first + block),
                    weights = inout(reg) weights => _,
                    output = in(reg) output.as_mut_ptr().add(block).cast::<f32>().add(wide * ROWS),
                    narrow = in(reg) 64usize,
                    row = in(reg) size_of::<Halves>(),
                    lane = in(reg) size_of::<Lane>(),
                    out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _, out("tmm4") _, out("tmm5") _,
                    out("tmm6") _, out("tmm7") _,
                    options(nostack)
                );
            }
        }
        // The last sixteen cells, if they are odd: all outputs at once.
        if pairs < output.len() {
            asm!(
                "tilezero tmm0",
                "tilezero tmm1",
                "tilezero tmm2",
                "tilezero tmm3",
                "2:",
                "mov {cell}, [{step}]",
                "add {cell}, {input}",
                "tileloadd tmm4, [{cell} + {row}*1]",
                "tileloadd tmm5, [{weights} + {narrow}*1]",
                "tileloadd tmm6, [{weights} + {narrow}*1 + 14336]",
                "tileloadd tmm7, [{weights} + {narrow}*1 + 28672]",
                "tdpbf16ps tmm0, tmm4, tmm5",
                "tileloadd tmm5, [{weights} + {narrow}*1 + 43008]",
                "tdpbf16ps tmm1, tmm4, tmm6",
                "tdpbf16ps tmm2, tmm4, tmm7",
                "tdpbf16ps tmm3, tmm4, tmm5",
                "add {weights}, 1024",
                "add {step}, 8",
                "cmp {step}, {end}",
                "jb 2b",
                "tilestored [{output} + {lane}*1], tmm0",
                "tilestored [{output} + {lane}*1 + 64], tmm1",
                "tilestored [{output} + {lane}*1 + 128], tmm2",
                "tilestored [{output} + {lane}*1 + 192], tmm3",
                cell = out(reg) _,
                step = inout(reg) steps.as_ptr() => _,
                end = in(reg) end,
                input = in(reg) input.as_ptr().add(first + pairs),
                weights = inout(reg) weights.as_ptr() => _,
                output = in(reg) output.as_mut_ptr().add(pairs),
                narrow = in(reg) 64usize,
                row = in(reg) size_of::<Halves>(),
                lane = in(reg) size_of::<Lane>(),
                out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _, out("tmm4") _, out("tmm5") _,
                out("tmm6") _, out("tmm7") _,
                options(nostack)
            );
        }
        asm!("tilerelease", options(nostack, nomem));
    }
}

/// See [`crate::convolve_bytes`].
///
/// # Safety
/// The processor has tiles, and the taps of as many cells as `output` has (at least [`LEAST`]), from `first` on, are within
/// `input`.
pub(crate) unsafe fn convolve_bytes(
    input: &[Bytes],
    taps: &[isize; TAPS],
    weights: &[ByteTile; BYTE_TILES],
    first: usize,
    output: &mut [Sums],
) {
    const { assert!(LEAST == 2 * ROWS && size_of::<ByteTile>() == 1024 && TAPS * 1024 == 7168) };
    let steps = taps.map(|tap| tap * size_of::<Bytes>() as isize);
    let end = steps.as_ptr_range().end;
    // SAFETY: see above; the assembly reads two tiles of sixteen cells at each step and two of weights, and writes 32
    // outputs of 32 cells. The last 32 cells may have been written before, with the same numbers.
    unsafe {
        asm!("ldtilecfg [{}]", in(reg) &raw const CONFIG, options(nostack, readonly));
        for block in (0..output.len()).step_by(LEAST) {
            let block = block.min(output.len() - LEAST);
            for wide in (0..WIDE).step_by(2) {
                asm!(
                    "tilezero tmm0",
                    "tilezero tmm1",
                    "tilezero tmm2",
                    "tilezero tmm3",
                    "2:",
                    "mov {cell}, [{step}]",
                    "add {cell}, {input}",
                    "tileloadd tmm4, [{cell} + {row}*1]",
                    "tileloadd tmm6, [{weights} + {row}*1]",
                    "tileloadd tmm7, [{weights} + {row}*1 + 7168]",
                    "tdpbssd tmm0, tmm4, tmm6",
                    "tileloadd tmm5, [{cell} + {row}*1 + 1024]",
                    "tdpbssd tmm1, tmm4, tmm7",
                    "tdpbssd tmm2, tmm5, tmm6",
                    "tdpbssd tmm3, tmm5, tmm7",
                    "add {weights}, 1024",
                    "add {step}, 8",
                    "cmp {step}, {end}",
                    "jb 2b",
                    "tilestored [{output} + {lane}*1], tmm0",
                    "tilestored [{output} + {lane}*1 + 64], tmm1",
                    "tilestored [{output} + {lane}*1 + 4096], tmm2",
                    "tilestored [{output} + {lane}*1 + 4160], tmm3",
                    cell = out(reg) _,
                    step = inout(reg) steps.as_ptr() => _,
                    end = in(reg) end,
                    input = in(reg) input.as_ptr().add(first + block),
                    weights = inout(reg) weights.as_ptr().add(wide * TAPS) => _,
                    output = in(reg) output.as_mut_ptr().add(block).cast::<i32>().add(wide * ROWS),
                    row = in(reg) size_of::<Bytes>(),
                    lane = in(reg) size_of::<Sums>(),
                    out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _, out("tmm4") _, out("tmm5") _,
                    out("tmm6") _, out("tmm7") _,
                    options(nostack)
                );
            }
        }
        asm!("tilerelease", options(nostack, nomem));
    }
}

/// See [`crate::Strips::gather`].
///
/// # Safety
/// The processor has tiles, all cells and their taps are within the slices, and `count` is a multiple of 32.
pub(crate) unsafe fn gather(
    (input, cells): (&[Half], usize),
    errors: &[[Halves; 2]],
    taps: &[isize; TAPS],
    slopes: &mut [Lane],
    (first, count): (usize, usize),
) {
    // SAFETY: see above; the assembly reads a tile of sixteen channels by 32 cells and four of 16 pairs of cells at each
    // step, and adds to sixteen rows of slopes.
    unsafe {
        asm!("ldtilecfg [{}]", in(reg) &raw const CONFIG, options(nostack, readonly));
        for (tap, &offset) in taps.iter().enumerate() {
            for deep in 0..CHANNELS / ROWS {
                asm!(
                    "tileloadd tmm0, [{slopes} + {lane}*1]",
                    "tileloadd tmm1, [{slopes} + {lane}*1 + 64]",
                    "tileloadd tmm2, [{slopes} + {lane}*1 + 128]",
                    "tileloadd tmm3, [{slopes} + {lane}*1 + 192]",
                    "2:",
                    "tileloadd tmm4, [{input} + {row}*1]",
                    "tileloadd tmm5, [{errors} + {lane}*1]",
                    "tileloadd tmm6, [{errors} + {lane}*1 + 64]",
                    "tdpbf16ps tmm0, tmm4, tmm5",
                    "tileloadd tmm5, [{errors} + {lane}*1 + 128]",
                    "tdpbf16ps tmm1, tmm4, tmm6",
                    "tileloadd tmm6, [{errors} + {lane}*1 + 192]",
                    "tdpbf16ps tmm2, tmm4, tmm5",
                    "tdpbf16ps tmm3, tmm4, tmm6",
                    "add {input}, 64",
                    "add {errors}, 4096",
                    "dec {strips}",
                    "jnz 2b",
                    "tilestored [{slopes} + {lane}*1], tmm0",
                    "tilestored [{slopes} + {lane}*1 + 64], tmm1",
                    "tilestored [{slopes} + {lane}*1 + 128], tmm2",
                    "tilestored [{slopes} + {lane}*1 + 192], tmm3",
                    input = inout(reg) input.as_ptr().add(deep * ROWS * cells).offset(first as isize + offset) => _,
                    errors = inout(reg) errors.as_ptr().add(first / 2) => _,
                    strips = inout(reg) count / STRIP => _,
                    slopes = in(reg) slopes.as_mut_ptr().add(tap * CHANNELS + deep * ROWS),
                    row = in(reg) cells * size_of::<Half>(),
                    lane = in(reg) size_of::<Lane>(),
                    out("tmm0") _, out("tmm1") _, out("tmm2") _, out("tmm3") _, out("tmm4") _, out("tmm5") _,
                    out("tmm6") _,
                    options(nostack)
                );
            }
        }
        asm!("tilerelease", options(nostack, nomem));
    }
}
