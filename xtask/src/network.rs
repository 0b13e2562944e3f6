//! A network that can be cut: one end of its cables is this machine, the other a namespace for processes.

use anyhow::Context;
use std::path::Path;
use std::process::{Command, Stdio};

/// A cable; dropping its namespace removes it.
pub(crate) struct Cable {
    /// This machine's end. A block for private use (RFC 6598) that home networks do not have.
    pub(crate) host: &'static str,
    pub(crate) guest: &'static str,
    /// Its name in the namespace.
    guest_end: &'static str,
}

/// For everything, or for all that is not said on [`CLIENTS`].
pub(crate) const MAIN: Cable = Cable { host: "100.127.61.1", guest: "100.127.61.2", guest_end: "cable" };
/// A second one, for clients of a server in the namespace.
pub(crate) const CLIENTS: Cable = Cable { host: "100.127.61.5", guest: "100.127.61.6", guest_end: "clients" };

/// A namespace and the cables to it; dropping it removes all of them.
pub(crate) struct Network {
    name: String,
    /// Names of each cable on this machine and in the namespace.
    ends: Vec<(String, &'static str)>,
}

/// A queue into which no packet fits.
const NOTHING: [&str; 7] = ["tbf", "rate", "8bit", "burst", "1", "limit", "1"];

impl Network {
    /// Makes one, which needs root and `ip`.
    pub(crate) fn make(cables: &[Cable]) -> anyhow::Result<Network> {
        let number = std::process::id();
        let ends = cables.iter().enumerate().map(|(at, cable)| (format!("tg{number}-{at}"), cable.guest_end));
        let network = Network { name: format!("tengen-{number}"), ends: ends.collect() };
        let name = network.name.as_str();
        ip(&["netns", "add", name])?;
        ip(&["-n", name, "link", "set", "lo", "up"])?;
        for (cable, (end, there)) in cables.iter().zip(&network.ends) {
            ip(&["link", "add", end, "type", "veth", "peer", "name", there, "netns", name])?;
            ip(&["address", "add", &format!("{}/30", cable.host), "dev", end])?;
            ip(&["link", "set", end, "up"])?;
            ip(&["-n", name, "address", "add", &format!("{}/30", cable.guest), "dev", there])?;
            ip(&["-n", name, "link", "set", there, "up"])?;
        }
        Ok(network)
    }

    /// Cuts a cable, or mends it: packets get lost in both directions and nobody is told.
    pub(crate) fn cut(&self, cable: &Cable, cut: bool) -> anyhow::Result<()> {
        for (here, there) in self.ends.iter().filter(|(_, there)| *there == cable.guest_end) {
            for (place, end) in [(&[][..], here.as_str()), (&["-n", &self.name], there)] {
                let words: &[&str] = if cut { &["qdisc", "replace"] } else { &["qdisc", "delete"] };
                let queue: &[&str] = if cut { &NOTHING } else { &[] };
                run("tc", &[place, words, &["dev", end, "root"], queue].concat())?;
            }
        }
        Ok(())
    }

    /// A command at the other end.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let mut command = crate::shell::child("ip");
        command.args(["netns", "exec", &self.name]).arg(program);
        command
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        let _ = ip(&["netns", "delete", &self.name]);
        // The cables go with the namespace, unless they never got there.
        for (end, _) in &self.ends {
            let mut command = Command::new("ip");
            command.args(["link", "delete", end]).stderr(Stdio::null());
            let _ = command.status();
        }
    }
}

fn ip(words: &[&str]) -> anyhow::Result<()> {
    run("ip", words)
}

fn run(program: &str, words: &[&str]) -> anyhow::Result<()> {
    let done = crate::shell::run(Command::new(program).args(words));
    done.context("a network that can be cut needs root and the programs ip and tc")
}
