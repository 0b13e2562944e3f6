//! A network of two namespaces that can be cut: one end is this machine, the other a namespace for processes.

use anyhow::Context;
use std::path::Path;
use std::process::{Command, Stdio};

/// This machine's end. A block for private use (RFC 6598) that home networks do not have.
pub(crate) const HOST: &str = "100.127.61.1";
const GUEST: &str = "100.127.61.2";

/// A namespace and the cable to it; dropping it removes both.
pub(crate) struct Network {
    name: String,
    host_end: String,
}

impl Network {
    /// Makes one, which needs root and `ip`.
    pub(crate) fn make() -> anyhow::Result<Network> {
        let number = std::process::id();
        let network = Network { name: format!("tengen-{number}"), host_end: format!("tg{number}") };
        let (name, end) = (network.name.as_str(), network.host_end.as_str());
        ip(&["netns", "add", name])?;
        ip(&["link", "add", end, "type", "veth", "peer", "name", "cable", "netns", name])?;
        ip(&["address", "add", &format!("{HOST}/30"), "dev", end])?;
        ip(&["link", "set", end, "up"])?;
        ip(&["-n", name, "address", "add", &format!("{GUEST}/30"), "dev", "cable"])?;
        network.cut(false)?;
        Ok(network)
    }

    /// Pulls the cable, or plugs it in again: packets are lost and no connection is told.
    pub(crate) fn cut(&self, cut: bool) -> anyhow::Result<()> {
        ip(&["-n", &self.name, "link", "set", "cable", if cut { "down" } else { "up" }])
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
        // The cable goes with the namespace, unless it never got there.
        let mut command = Command::new("ip");
        command.args(["link", "delete", &self.host_end]).stderr(Stdio::null());
        let _ = command.status();
    }
}

fn ip(words: &[&str]) -> anyhow::Result<()> {
    let mut command = Command::new("ip");
    crate::shell::run(command.args(words)).context("a network that can be cut needs root and the program ip")
}
