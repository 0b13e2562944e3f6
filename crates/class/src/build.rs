//! Compiling and starting a submission, in the sandbox only.
//!
//! The sources are mounted read-only, copied to the private temporary folder and compiled there; the result leaves
//! the sandbox as a tar archive on standard output, which is unpacked with the same care as a student's. So nothing
//! outside is ever writable from inside, whatever a compiler can be talked into.

use crate::ClassError;
use crate::archive::{self, ArchiveError, Bounds};
use crate::language::Language;
use crate::submission::Tongue;
use arena::process::{self, Launch};
use arena::sandbox::{Sandbox, SandboxPolicy};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a compiler may take.
const COMPILE_TIME: Duration = Duration::from_secs(120);
/// How long a tool chain may take to say where it is.
const TOOLCHAIN_TIME: Duration = Duration::from_secs(20);
/// What a compiler may use.
const COMPILER: SandboxPolicy =
    SandboxPolicy { memory_mb: 2048, cpu_seconds: 120, processes: 256, open_files: 512, tmp_mb: 256 };
/// Characters of a compiler's messages that are kept.
const MAX_MESSAGES: usize = 8000;
/// What a compiled program may consist of.
const BUILT: Bounds = Bounds { files: 2000, bytes: 32 << 20 };

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The compiler's complaints.
    #[error("it does not compile ({how}):\n{messages}")]
    Compile {
        /// How the compiler ended.
        how: String,
        /// What it said, with file and line.
        messages: String,
    },
    /// It compiles to more than a program may consist of.
    #[error("what it compiles to is not accepted: {0}")]
    Result(ArchiveError),
    /// The tool chain of the language is missing on this machine.
    #[error("{language} is not installed on this machine: {problem}")]
    Toolchain {
        /// The language.
        language: String,
        /// What was tried.
        problem: String,
    },
    /// Something on the teacher's side.
    #[error(transparent)]
    Class(#[from] ClassError),
}

impl BuildError {
    /// The same in the reader's language; what a compiler says stays as it is.
    pub fn text(&self, tongue: Tongue) -> String {
        let chinese = match self {
            BuildError::Compile { how, messages } => format!("编译没有通过（{how}）：\n{messages}"),
            BuildError::Result(error) => format!("编译结果不符合要求：{}", error.text(tongue)),
            BuildError::Toolchain { language, problem } => {
                format!("这台机器上没有安装 {language}：{problem}")
            }
            BuildError::Class(error) => error.to_string(),
        };
        tongue.pick(self.to_string(), chinese)
    }
}

/// Compiles the sources in `source` into the new folder `built`.
pub fn compile(
    sandbox: &Sandbox,
    language: &Language,
    main: &Path,
    source: &Path,
    built: &Path,
) -> Result<(), BuildError> {
    let toolchain = toolchain(language)?;
    let compile = language.fill(&language.compile, main, COMPILER.memory_mb / 2);
    let steps = if compile.is_empty() { "true".into() } else { compile };
    let script =
        format!("mkdir /tmp/build && cp -r . /tmp/build && cd /tmp/build && ( {steps} ) >&2 && tar -cf - .");
    let launch = Launch { program: "sh".into(), args: vec!["-c".into(), script], ..Launch::default() };
    let compiler = sandbox.with_policy(COMPILER);
    let done = compiler
        .run(&launch, Some(source), toolchain.as_deref(), COMPILE_TIME, 2 * BUILT.bytes as usize)
        .map_err(ClassError::io(source))?;
    if !done.success {
        let messages: String = done.stderr.trim().chars().take(MAX_MESSAGES).collect();
        let messages = messages.replace("/tmp/build/", "").replace("./", "");
        return Err(BuildError::Compile { how: done.how, messages });
    }
    let files = archive::untar(done.stdout.as_slice(), BUILT).map_err(BuildError::Result)?;
    archive::write(&files, built).map_err(ClassError::io(built))?;
    Ok(())
}

/// How a compiled program is started inside the sandbox.
pub fn launch(
    sandbox: &Sandbox,
    language: &Language,
    main: &Path,
    built: &Path,
) -> Result<Launch, BuildError> {
    // Heap of a virtual machine; the rest is for its own needs.
    let heap = sandbox.policy().memory_mb * 5 / 8;
    let mut words = language.run.iter().map(|word| language.fill(word, main, heap));
    let program = words.next().unwrap_or_default();
    let launch = Launch { program, args: words.collect(), ..Launch::default() };
    Ok(sandbox.wrap(&launch, Some(built), toolchain(language)?.as_deref()))
}

/// The folder of a language's tool chain, where the language is not the system's.
fn toolchain(language: &Language) -> Result<Option<PathBuf>, BuildError> {
    let Some((program, args)) = language.toolchain.split_first() else { return Ok(None) };
    let missing = |problem: String| BuildError::Toolchain {
        language: language.name.clone(),
        problem: format!("{program}: {problem}"),
    };
    // Not a process of our own making: while a round runs, such a child would be taken for a program's orphan.
    let launch = Launch { program: program.clone(), args: args.to_vec(), ..Launch::default() };
    let output =
        process::capture(&launch, TOOLCHAIN_TIME, 1 << 16).map_err(|error| missing(error.to_string()))?;
    let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    if output.success && folder.is_dir() {
        Ok(Some(folder))
    } else {
        Err(missing("it did not print a folder".into()))
    }
}
