//! Secure by default: loopback unless configured otherwise, one origin, strict headers, limits.

pub(crate) mod client;
pub(crate) mod headers;
pub(crate) mod origin;
pub(crate) mod rate;
pub(crate) mod secret;
