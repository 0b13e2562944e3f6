//! Handing in from a student's own machine, over the server's HTTP API.
//!
//! Over http or https, by the address of the server. A key is good once: it is exchanged for a token, which is kept among this user's data for the next time.

use crate::folders;
use anyhow::{Context, anyhow, bail};
use class::submission::Submission;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::NamedTempFile;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};

/// Compiling and checking take their time, and others may be in line.
const PATIENCE: Duration = Duration::from_secs(1800);
/// Bytes of an answer: a verdict with all its raw lines is far smaller.
const MAX_ANSWER: u64 = 16 << 20;

/// A class on a server, as one student sees it.
pub(super) struct Remote {
    agent: ureq::Agent,
    /// Address of the class in the API.
    class: String,
    student: String,
    tokens: Tokens,
}

/// What a server answered.
enum Answer<T> {
    Good(T),
    /// Its status and its reason.
    Refused(u16, String),
}

impl<T> Answer<T> {
    fn good(self) -> anyhow::Result<T> {
        match self {
            Answer::Good(value) => Ok(value),
            Answer::Refused(_, why) => bail!(why),
        }
    }
}

impl Remote {
    pub(super) fn new(server: &str, class: &str, student: &str) -> anyhow::Result<Remote> {
        let server = server.trim_end_matches('/');
        let plain = |name: &str| !name.is_empty() && !name.contains(['/', '?', '#', ' ']);
        if !server.starts_with("http://") && !server.starts_with("https://") {
            bail!(
                "--server {server}: accepted: an address such as https://course.example or http://127.0.0.1:7878"
            );
        }
        if !plain(class) {
            bail!(
                "'{class}' is not the name of a class on a server; it stands in the address of its page, /class/NAME"
            );
        }
        let mut settings =
            ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(PATIENCE));
        if server.starts_with("https://") {
            settings = settings.tls_config(tls()?);
        }
        let agent = settings.build().new_agent();
        let class = format!("{server}/api/v1/classes/{class}");
        Ok(Remote { agent, class, student: student.into(), tokens: Tokens::read()? })
    }

    /// Hands a file in with the token of an earlier time, or else with this key.
    pub(super) fn submit(
        mut self,
        key: Option<&str>,
        file: &str,
        bytes: &[u8],
        language: &str,
    ) -> anyhow::Result<Submission> {
        let place = format!("{} {}", self.class, self.student);
        if let Some(token) = self.tokens.known.get(&place) {
            match self.send(token, file, bytes, language)? {
                // A newer key has ended it.
                Answer::Refused(401, _) if key.is_some() => {}
                answer => return answer.good(),
            }
        }
        let Some(key) = key else {
            bail!("the first time on this machine this needs your key: --key KEY");
        };
        let session = json!({"student": self.student, "key": key});
        let request = self.agent.post(format!("{}/sessions", self.class)).content_type("application/json");
        let session: Value = self.read(request.send(session.to_string()))?.good()?;
        let token = session["token"].as_str().context("the server's answer has no token")?.to_string();
        // Before it is used: the key is spent already.
        self.tokens.keep(place, token.clone())?;
        self.send(&token, file, bytes, language)?.good()
    }

    fn send(
        &self,
        token: &str,
        file: &str,
        bytes: &[u8],
        language: &str,
    ) -> anyhow::Result<Answer<Submission>> {
        let request = self.agent.post(format!("{}/submissions", self.class));
        let request = request.query("file", file).query("lang", language);
        let request = request.header("Authorization", format!("Bearer {token}"));
        self.read(request.content_type("application/octet-stream").send(bytes))
    }

    fn read<T: DeserializeOwned>(
        &self,
        answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> anyhow::Result<Answer<T>> {
        let mut answer = answer.with_context(|| format!("cannot reach {}", self.class))?;
        let status = answer.status();
        let text = answer.body_mut().with_config().limit(MAX_ANSWER).read_to_string();
        let text = text.with_context(|| format!("the answer of {} broke off", self.class))?;
        if status.is_success() {
            let value = serde_json::from_str(&text);
            return Ok(Answer::Good(value.map_err(|_| anyhow!("{} is no server of classes", self.class))?));
        }
        let problem: Value = serde_json::from_str(&text).unwrap_or_default();
        let why =
            problem["detail"].as_str().map_or(format!("{} answers {status}", self.class), str::to_string);
        Ok(Answer::Refused(status.as_u16(), why))
    }
}

/// Certificates are those that this system trusts, or those in `SSL_CERT_FILE`.
fn tls() -> anyhow::Result<TlsConfig> {
    let found = rustls_native_certs::load_native_certs();
    if found.certs.is_empty() {
        let why = found.errors.first().map(|error| format!(": {error}")).unwrap_or_default();
        bail!(
            "no certificates to check an https server with{why}; install ca-certificates, or set SSL_CERT_FILE"
        );
    }
    let certs = found.certs.iter().map(|cert| Certificate::from_der(cert).to_owned());
    let roots: Vec<Certificate<'static>> = certs.collect();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    Ok(TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(RootCerts::from(roots))
        .unversioned_rustls_crypto_provider(provider)
        .build())
}

/// The tokens of this user, by class and student.
struct Tokens {
    path: PathBuf,
    known: BTreeMap<String, String>,
}

impl Tokens {
    fn read() -> anyhow::Result<Tokens> {
        let folder = folders::data().context("there is no home folder to keep the token in")?;
        let path = folder.join("class-tokens.json");
        let known = match std::fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).with_context(|| path.display().to_string())?,
            Err(_) => BTreeMap::new(),
        };
        Ok(Tokens { path, known })
    }

    fn keep(&mut self, place: String, token: String) -> anyhow::Result<()> {
        self.known.insert(place, token);
        let shown = || self.path.display().to_string();
        // A temporary file is private to its user, and stays so under its new name.
        let folder = self.path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder).with_context(shown)?;
        let mut file = NamedTempFile::new_in(folder).with_context(shown)?;
        file.write_all(serde_json::to_string_pretty(&self.known)?.as_bytes()).with_context(shown)?;
        file.persist(&self.path).map(drop).with_context(shown)
    }
}
