//! Who a request counts against: the address it came from.
//!
//! An IPv6 subscriber has a whole /64 to send from, so those addresses count as one client. Secrets and bot tokens
//! are free for the asking and therefore never make a client of their own: whoever mints a thousand of them would
//! have a thousand shares.

use crate::app::App;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

/// The client of a request, see [`client_of`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl FromRequestParts<Arc<App>> for Peer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Peer, Infallible> {
        Ok(Peer(of_request(parts, app.config.behind_proxy)))
    }
}

/// An address as a client: IPv4 as it is (also when written as IPv6), IPv6 by its /64.
pub(crate) fn client_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) => IpAddr::V6(Ipv6Addr::from_bits(six.to_bits() & (u128::MAX << 64))),
        four => four,
    }
}

/// The client of a request: the peer address, or the address forwarded by the operator's proxy.
pub(crate) fn of_request(parts: &Parts, behind_proxy: bool) -> IpAddr {
    let peer = || parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    let found = if behind_proxy { forwarded(&parts.headers).or_else(peer) } else { peer() };
    client_of(found.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)))
}

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The last address of `X-Forwarded-For` or `Forwarded` (RFC 7239), the only one the proxy itself wrote. A proxy
/// writes one of the two and passes the other through from the client, so if both are there they must agree.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let last = |name: HeaderName| {
        let value = headers.get_all(name).iter().next_back()?;
        Some(value.to_str().ok()?.rsplit(',').next()?.trim())
    };
    let named = |word: &str| {
        word.split(';').find_map(|pair| {
            let (key, value) = pair.split_once('=')?;
            key.trim().eq_ignore_ascii_case("for").then(|| value.trim().trim_matches('"').to_string())
        })
    };
    let plain = last(X_FORWARDED_FOR).map(read_address);
    let standard = last(header::FORWARDED).map(|word| named(word).and_then(|value| read_address(&value)));
    match (plain, standard) {
        (Some(one), Some(two)) if one != two => None,
        (one, two) => one.or(two)?,
    }
}

/// `1.2.3.4`, `1.2.3.4:567`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:567`.
fn read_address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(headers: &[(&str, &str)]) -> Parts {
        let mut request = axum::http::Request::builder();
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (mut parts, ()) = request.body(()).unwrap().into_parts();
        parts.extensions.insert(ConnectInfo(SocketAddr::from(([10, 0, 0, 9], 4711))));
        parts
    }

    #[test]
    fn addresses_are_read_with_and_without_ports() {
        for (text, wanted) in [
            ("192.0.2.7", "192.0.2.7"),
            ("192.0.2.7:5123", "192.0.2.7"),
            ("2001:db8:1:2::7", "2001:db8:1:2::"),
            ("[2001:db8:1:2::7]", "2001:db8:1:2::"),
            ("[2001:db8:1:2::7]:5123", "2001:db8:1:2::"),
            ("198.51.100.1, 192.0.2.7:5123", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("unknown", "10.0.0.9"),
            ("192.0.2.7:x", "10.0.0.9"),
        ] {
            let found = of_request(&parts(&[("x-forwarded-for", text)]), true);
            assert_eq!(found, wanted.parse::<IpAddr>().unwrap(), "{text}");
            assert_eq!(of_request(&parts(&[("x-forwarded-for", text)]), false), IpAddr::from([10, 0, 0, 9]));
        }
        for (text, wanted) in [
            ("for=192.0.2.7;proto=https;by=203.0.113.43", "192.0.2.7"),
            ("for=\"192.0.2.7:5123\"", "192.0.2.7"),
            ("for=198.51.100.1, For=\"[2001:db8:1:2::7]:5123\";proto=http", "2001:db8:1:2::"),
            ("for=_hidden", "10.0.0.9"),
        ] {
            let found = of_request(&parts(&[("forwarded", text)]), true);
            assert_eq!(found, wanted.parse::<IpAddr>().unwrap(), "{text}");
        }
    }

    #[test]
    fn a_client_cannot_add_a_header_that_the_proxy_does_not_write() {
        let both = [("x-forwarded-for", "192.0.2.7"), ("forwarded", "for=192.0.2.8")];
        assert_eq!(of_request(&parts(&both), true), IpAddr::from([10, 0, 0, 9]));
        let same = [("x-forwarded-for", "192.0.2.7:1"), ("forwarded", "for=192.0.2.7")];
        assert_eq!(of_request(&parts(&same), true), IpAddr::from([192, 0, 2, 7]));
    }

    #[test]
    fn a_64_is_one_client_and_its_neighbour_another() {
        let of = |text: &str| client_of(text.parse().unwrap());
        assert_eq!(of("2001:db8:0:1::1"), of("2001:db8:0:1:ffff::2"));
        assert_ne!(of("2001:db8:0:1::1"), of("2001:db8:0:2::1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
