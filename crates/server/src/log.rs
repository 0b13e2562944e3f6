//! What may be logged.

use tracing_subscriber::EnvFilter;

/// Libraries that log whole messages, secrets included.
const TALKATIVE: [&str; 2] = ["tungstenite", "tokio_tungstenite"];

/// The filter that `RUST_LOG` asks for (or the usual one), without what would show secrets at any level.
pub fn log_filter(asked: Option<&str>) -> EnvFilter {
    let wanted = asked.filter(|text| !text.trim().is_empty()).unwrap_or("info,sqlx=warn");
    let safe = wanted.split(',').filter(|word| !TALKATIVE.iter().any(|name| word.trim().starts_with(name)));
    let off = TALKATIVE.iter().map(|name| format!("{name}=off"));
    let all: Vec<String> = safe.map(str::to_string).chain(off).collect();
    EnvFilter::new(all.join(","))
}
