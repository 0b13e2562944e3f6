//! The system calls that a program in a sandbox may not use, as a filter for `bwrap --seccomp`.
//!
//! Refused with `EPERM`: memory that no limit counts (memory files and System V shared memory need not be
//! mapped), new namespaces, and parts of the kernel that no student program needs and that had holes.

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::OnceLock;

/// Instructions of classic BPF.
const LOAD: u16 = 0x20;
const JUMP_EQUAL: u16 = 0x15;
const JUMP_ANY_BIT: u16 = 0x45;
const RETURN: u16 = 0x06;

const ALLOW: u32 = 0x7fff_0000;
const KILL: u32 = 0x8000_0000;
const REFUSE_EPERM: u32 = 0x0005_0000 | 1;
const REFUSE_ENOSYS: u32 = 0x0005_0000 | 38;

/// Flags of `clone` that make namespaces: cgroup, UTS, IPC, user, PID, network, mount, time.
const NEW_NAMESPACES: u32 = 0x7e02_0080;

/// The numbers of one processor's kernel interface.
struct Calls {
    audit_arch: u32,
    refused: &'static [u32],
    clone: u32,
    clone3: u32,
}

/// In this order: memfd_create, memfd_secret, shmget, msgget, semget, unshare, setns, mount, umount2, pivot_root,
/// ptrace, process_vm_readv, process_vm_writev, keyctl, add_key, request_key, bpf, perf_event_open, userfaultfd,
/// io_uring_setup, open_by_handle_at, fsopen, move_mount, open_tree, mount_setattr.
#[cfg(target_arch = "x86_64")]
const CALLS: Calls = Calls {
    audit_arch: 0xc000_003e,
    refused: &[
        319, 447, 29, 68, 64, 272, 308, 165, 166, 155, 101, 310, 311, 250, 248, 249, 321, 298, 323, 425, 304,
        430, 429, 428, 442,
    ],
    clone: 56,
    clone3: 435,
};

#[cfg(not(target_arch = "x86_64"))]
const CALLS: Calls = Calls {
    audit_arch: 0xc000_00b7,
    refused: &[
        279, 447, 194, 186, 190, 97, 268, 40, 39, 41, 117, 270, 271, 219, 217, 218, 280, 241, 282, 425, 265,
        430, 429, 428, 442,
    ],
    clone: 220,
    clone3: 435,
};

/// A descriptor of a file in memory with the filter. Children inherit it and open it anew through `/proc`, so
/// that each reads from the beginning. All sandboxes share it and their programs inherit it, so it is sealed: nobody
/// can change it any more, through whichever descriptor.
pub(super) fn filter_fd() -> std::io::Result<i32> {
    static FILTER: OnceLock<OwnedFd> = OnceLock::new();
    if let Some(fd) = FILTER.get() {
        return Ok(fd.as_raw_fd());
    }
    let mut file = File::from(memfd_create("tengen-seccomp", MemfdFlags::ALLOW_SEALING)?);
    file.write_all(&program(&CALLS))?;
    fcntl_add_seals(&file, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)?;
    Ok(FILTER.get_or_init(|| file.into()).as_raw_fd())
}

fn program(calls: &Calls) -> Vec<u8> {
    let mut code: Vec<u8> = Vec::new();
    let mut add = |op: u16, if_true: u8, if_false: u8, k: u32| {
        code.extend(op.to_ne_bytes());
        code.extend([if_true, if_false]);
        code.extend(k.to_ne_bytes());
    };
    // struct seccomp_data: call number at 0, architecture at 4, low half of the first argument at 16.
    add(LOAD, 0, 0, 4);
    add(JUMP_EQUAL, 1, 0, calls.audit_arch);
    add(RETURN, 0, 0, KILL);
    add(LOAD, 0, 0, 0);
    // x32 calls have another number for everything: refused together.
    add(JUMP_ANY_BIT, 0, 1, 0x4000_0000);
    add(RETURN, 0, 0, REFUSE_ENOSYS);
    for call in calls.refused {
        add(JUMP_EQUAL, 0, 1, *call);
        add(RETURN, 0, 0, REFUSE_EPERM);
    }
    // The flags of clone3 lie in memory where a filter cannot look: without it, libraries use clone.
    add(JUMP_EQUAL, 0, 1, calls.clone3);
    add(RETURN, 0, 0, REFUSE_ENOSYS);
    add(JUMP_EQUAL, 0, 3, calls.clone);
    add(LOAD, 0, 0, 16);
    add(JUMP_ANY_BIT, 0, 1, NEW_NAMESPACES);
    add(RETURN, 0, 0, REFUSE_EPERM);
    add(RETURN, 0, 0, ALLOW);
    code
}
