//! Programs of people one does not know, in a sandbox of bubblewrap (`bwrap`).
//!
//! A [`Sandbox`] turns a [`Launch`] into one that runs the same program without network, with the system
//! read-only, with a private `/tmp` of limited size and nothing else to write to, in process, user and IPC
//! namespaces of its own, and with limits on memory, CPU time, processes, open files and file sizes. The
//! program sees its own folder at [`PROGRAM_DIR`] and nothing of anybody else's. When the process that
//! started it ends, however it ends, the whole tree goes with it.
//!
//! Three layers hold a hostile program: namespaces (what it can see), resource limits set by `prlimit` just
//! before the program starts (what one process may use), and a [`watchdog`] (what all its processes use
//! together). [`seccomp`] closes the ways to allocate memory that neither of them counts.

#[cfg(target_os = "linux")]
mod seccomp;
mod watchdog;

pub(crate) use watchdog::Guard;

use crate::process::{Captured, Launch, TreeLimits, capture, find_program};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Where a program sees its own folder, read-only.
pub const PROGRAM_DIR: &str = "/program";
/// Where a language's tool chain is mounted if it does not belong to the system.
const TOOLCHAIN_DIR: &str = "/toolchain";

/// Opens the seccomp filter as descriptor 3 and becomes bwrap, with nothing of our environment but the marks by which
/// processes are found again: bwrap stays in the sandbox as process 1, and its environment can be read there.
const START: &str = "exec 3</proc/self/fd/$0; exec env -i PATH=\"$PATH\" \
    TENGEN_ARENA_CHILD=\"$TENGEN_ARENA_CHILD\" TENGEN_ARENA_RUN=\"$TENGEN_ARENA_RUN\" \"$@\"";

/// First of the user ids that sandboxes get where we are root: far above those of people and containers.
const FIRST_UID: u32 = 1 << 30;

/// What a program may use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SandboxPolicy {
    /// Memory of all its processes together, in MiB.
    pub memory_mb: u64,
    /// CPU time of all its processes together, in seconds.
    pub cpu_seconds: u64,
    /// Processes and threads.
    pub processes: u64,
    /// Open files of each process.
    pub open_files: u64,
    /// Size of its private `/tmp`, in MiB.
    pub tmp_mb: u64,
}

impl Default for SandboxPolicy {
    fn default() -> SandboxPolicy {
        SandboxPolicy { memory_mb: 512, cpu_seconds: 600, processes: 64, open_files: 64, tmp_mb: 16 }
    }
}

/// Why nothing can run in a sandbox here.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// A program that the sandbox is made with is missing.
    #[error("'{program}' is missing; install it, for example with: apt-get install {package}")]
    Missing {
        /// The program.
        program: &'static str,
        /// Debian's package.
        package: &'static str,
    },
    /// bwrap is there and cannot make a sandbox.
    #[error(
        "bubblewrap cannot make a sandbox here: {0}; it needs user namespaces (in a container: more privileges)"
    )]
    Unusable(String),
    /// The filter could not be prepared.
    #[error("cannot prepare the sandbox: {0}")]
    Io(#[from] std::io::Error),
}

/// A sandbox that was tried and works.
#[derive(Clone, Debug)]
pub struct Sandbox {
    policy: SandboxPolicy,
    filter: i32,
    root: bool,
}

impl Sandbox {
    /// Checks that a sandbox can be made here, by running one.
    pub fn new(policy: SandboxPolicy) -> Result<Sandbox, SandboxError> {
        for (program, package) in
            [("bwrap", "bubblewrap"), ("prlimit", "util-linux"), ("setpriv", "util-linux")]
        {
            if find_program(program).is_none() {
                return Err(SandboxError::Missing { program, package });
            }
        }
        let (root, filter) = prepare()?;
        let sandbox = Sandbox { policy, filter, root };
        let launch = Launch { program: "true".into(), ..Launch::default() };
        let tried = capture(&sandbox.wrap(&launch, None, None), Duration::from_secs(10), 1 << 12)?;
        if !tried.success {
            return Err(SandboxError::Unusable(tried.stderr.trim().replace('\n', "; ")));
        }
        Ok(sandbox)
    }

    /// The same sandbox with other limits.
    pub fn with_policy(&self, policy: SandboxPolicy) -> Sandbox {
        Sandbox { policy, ..self.clone() }
    }

    /// The limits.
    pub fn policy(&self) -> &SandboxPolicy {
        &self.policy
    }

    /// The launch of the same program inside the sandbox. `folder` appears as [`PROGRAM_DIR`] and is where the
    /// program starts; `toolchain` is a folder whose `bin` is added to the search path.
    pub fn wrap(&self, launch: &Launch, folder: Option<&Path>, toolchain: Option<&Path>) -> Launch {
        let mut args = vec!["-c".into(), START.into(), self.filter.to_string(), "bwrap".into()];
        args.extend(self.namespaces());
        args.extend(self.file_system(folder, toolchain));
        args.extend(environment(launch));
        args.push("--".into());
        if self.root {
            args.extend(other_user());
        }
        args.extend(self.limits());
        args.push(launch.program.clone());
        args.extend(launch.args.iter().cloned());
        Launch {
            program: "sh".into(),
            args,
            memory_mb: None,
            tree_limits: Some(TreeLimits {
                memory_mb: self.policy.memory_mb,
                cpu_seconds: self.policy.cpu_seconds,
            }),
            log: launch.log.clone(),
            trace: launch.trace.clone(),
            ..Launch::default()
        }
    }

    /// Runs a program to its end inside the sandbox.
    pub fn run(
        &self,
        launch: &Launch,
        folder: Option<&Path>,
        toolchain: Option<&Path>,
        time: Duration,
        max_output: usize,
    ) -> std::io::Result<Captured> {
        capture(&self.wrap(launch, folder, toolchain), time, max_output)
    }

    fn namespaces(&self) -> Vec<String> {
        let mut args = words("--unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try");
        // Root gives each sandbox a user id of its own instead: limits on processes do not hold for user 0,
        // and a user namespace has only one id, which would be mapped to it.
        args.extend(words(if self.root {
            "--cap-drop ALL --cap-add CAP_SETUID --cap-add CAP_SETGID"
        } else {
            "--unshare-user --cap-drop ALL"
        }));
        args.extend(words("--hostname sandbox --die-with-parent --new-session --seccomp 3"));
        args
    }

    fn file_system(&self, folder: Option<&Path>, toolchain: Option<&Path>) -> Vec<String> {
        let mut args = words("--ro-bind /usr /usr");
        for name in ["bin", "sbin", "lib", "lib32", "lib64", "libx32"] {
            let path = format!("/{name}");
            match std::fs::read_link(&path) {
                Ok(target) => {
                    args.extend(["--symlink".into(), target.to_string_lossy().into_owned(), path]);
                }
                Err(_) => args.extend(["--ro-bind-try".into(), path.clone(), path]),
            }
        }
        // Folders that bwrap makes for a mount point are closed to other users.
        args.extend(words("--perms 0755 --dir /etc"));
        for path in system_settings() {
            let path = path.to_string_lossy().into_owned();
            args.extend(["--ro-bind-try".into(), path.clone(), path]);
        }
        let size = (self.policy.tmp_mb << 20).to_string();
        args.extend(words("--proc /proc --dev /dev"));
        for place in ["/dev/shm", "/tmp"] {
            // World-writable with the sticky bit, as everywhere: the program is not the owner where we are root.
            args.extend(words(&format!("--perms 1777 --size {size} --tmpfs {place}")));
        }
        for (source, target) in [(folder, PROGRAM_DIR), (toolchain, TOOLCHAIN_DIR)] {
            if let Some(source) = source {
                let source = std::path::absolute(source).unwrap_or(source.into());
                args.extend(["--ro-bind".into(), source.to_string_lossy().into_owned(), target.to_string()]);
            }
        }
        let start = if folder.is_some() { PROGRAM_DIR } else { "/tmp" };
        // bwrap's own root and /dev are file systems in memory without a limit.
        args.extend(words(&format!("--remount-ro /dev --remount-ro / --chdir {start}")));
        args
    }

    fn limits(&self) -> Vec<String> {
        let policy = &self.policy;
        words(&format!(
            "prlimit --data={} --cpu={} --nproc={} --nofile={} --fsize={} --core=0 --memlock=65536 \
             --msgqueue=65536 --sigpending=256 --",
            policy.memory_mb << 20,
            policy.cpu_seconds,
            policy.processes,
            policy.open_files,
            policy.tmp_mb << 20,
        ))
    }
}

/// Are we root, and the descriptor of the system-call filter.
#[cfg(target_os = "linux")]
fn prepare() -> std::io::Result<(bool, i32)> {
    Ok((rustix::process::geteuid().is_root(), seccomp::filter_fd()?))
}

#[cfg(not(target_os = "linux"))]
fn prepare() -> std::io::Result<(bool, i32)> {
    Err(std::io::Error::new(std::io::ErrorKind::Unsupported, "the sandbox needs Linux"))
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

/// What of `/etc` interpreters and the loader need.
fn system_settings() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        ["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d"]
            .map(PathBuf::from)
            .into();
    let java = |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().starts_with("java");
    let entries = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    paths.extend(entries.filter(java).map(|entry| entry.path()));
    paths
}

fn environment(launch: &Launch) -> Vec<String> {
    let mut args: Vec<String> = vec!["--clearenv".into()];
    let path = format!("/usr/local/bin:/usr/bin:/bin:{TOOLCHAIN_DIR}/bin");
    let fixed = [("PATH", path.as_str()), ("HOME", "/tmp"), ("TMPDIR", "/tmp"), ("LANG", "C.UTF-8")];
    for (key, value) in fixed.into_iter().chain(launch.env.iter().map(|(k, v)| (k.as_str(), v.as_str()))) {
        args.extend(["--setenv".into(), key.into(), value.into()]);
    }
    args
}

/// Becomes a user that nobody else is: root's processes are not counted, and two sandboxes must not count as
/// one.
fn other_user() -> Vec<String> {
    static COUNTER: AtomicU32 = AtomicU32::new(0);
    let own = COUNTER.fetch_add(1, Ordering::Relaxed) % 512;
    let uid = FIRST_UID + (std::process::id() % (1 << 20)) * 512 + own;
    words(&format!("setpriv --reuid {uid} --regid {uid} --clear-groups --"))
}
