//! The attack as a process of its own at the lowest priority: the CPU time that it spends on sending must not be measured
//! as delay of the server or of the others.

use crate::{Fail, abuse};
use serde_json::Value;
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

/// The argument with which this program attacks instead.
pub(crate) const COMMAND: &str = "attack";

pub(crate) struct Attack(Child);

impl Attack {
    /// Begins one as client number `number`. It ends with this process, if not before.
    pub(crate) fn start(addr: SocketAddr, number: usize) -> Result<Attack, Fail> {
        let mut command = Command::new("nice");
        command.args(["-n", "19"]).arg(std::env::current_exe()?);
        command.args([COMMAND, &addr.to_string(), &number.to_string()]);
        Ok(Attack(command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?))
    }

    /// Stops it; what came of each kind of request.
    pub(crate) fn end(mut self) -> Result<Value, Fail> {
        drop(self.0.stdin.take());
        let output = self.0.wait_with_output()?;
        match output.status.success() {
            true => Ok(serde_json::from_slice(&output.stdout)?),
            false => Err(format!("the attack failed: {}", output.status).into()),
        }
    }
}

/// The attacking process: goes on until its standard input ends.
pub(crate) async fn run(words: &[String]) -> Result<(), Fail> {
    let [addr, number] = words else { return Err("accepted: attack ADDRESS NUMBER".into()) };
    let addr: SocketAddr = addr.parse()?;
    if !addr.ip().is_loopback() {
        return Err("only a server of this machine is attacked".into());
    }
    let abuse = abuse::start(addr, number.parse()?).await?;
    let end = || std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
    tokio::task::spawn_blocking(end).await??;
    println!("{}", abuse.end());
    Ok(())
}

/// The kinds of requests that were never sent.
pub(crate) fn missing(abuse: &Value) -> Vec<&str> {
    let kinds = abuse.as_object().into_iter().flatten();
    kinds.filter(|(_, counts)| counts["sent"] == 0).map(|(kind, _)| kind.as_str()).collect()
}
