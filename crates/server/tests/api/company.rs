//! Playing with somebody: who is there, names, chat, rematches, offers to bots, the lobby.

use crate::client::{Socket, as_, get, play, post, two_people};
use crate::host::{Host, on_each};
use serde_json::{Value, json};
use std::net::SocketAddr;

fn hex() -> Value {
    json!({ "game": "hex", "rows": 5 })
}

fn act(addr: SocketAddr, game: &Value, seat: &str, action: &Value) -> crate::client::Response {
    let path = format!("/games/{}/actions", game["id"].as_str().unwrap());
    as_(addr, &game["seats"][seat], "POST", &path, action)
}

fn shown(addr: SocketAddr, game: &Value, secret: &Value) -> Value {
    as_(addr, secret, "GET", &format!("/games/{}", game["id"].as_str().unwrap()), &json!({})).expect(200)
}

fn watch(addr: SocketAddr, game: &Value, secret: Option<&Value>) -> Socket {
    let query = secret.map(|s| format!("?secret={}", s.as_str().unwrap())).unwrap_or_default();
    Socket::open(addr, &format!("/games/{}/ws{query}", game["id"].as_str().unwrap()))
}

#[test]
fn a_rematch_exchanges_the_seats_and_keeps_everything_else() {
    on_each(|host| {
        let clock = json!({ "initial_ms": 60_000, "increment_ms": 1_000 });
        let game = two_people(host.addr, &hex(), &json!({ "clock": clock, "visibility": "link" }));
        let mut guest = watch(host.addr, &game, Some(&game["seats"]["second"]));
        act(host.addr, &game, "second", &json!({ "action": "join", "name": "Bob" })).expect(200);
        act(host.addr, &game, "first", &json!({ "action": "offer-rematch" })).problem(409, "game.live");
        act(host.addr, &game, "first", &json!({ "action": "resign" })).expect(200);
        let offered = act(host.addr, &game, "first", &json!({ "action": "offer-rematch" })).expect(200);
        assert_eq!(offered["outcome"], "offered");
        assert_eq!(guest.hear_type("offer")["offer"], json!({ "seat": "first", "what": "rematch" }));
        act(host.addr, &game, "second", &json!({ "action": "accept-rematch" })).expect(200);
        let next = guest.hear_type("rematch")["game_id"].clone();
        act(host.addr, &game, "first", &json!({ "action": "offer-rematch" })).problem(409, "rematch.begun");
        // Everybody knows of it, also after a restart, and each plays on with the secret they had.
        let host = host.restart();
        assert_eq!(shown(host.addr, &game, &game["seats"]["first"])["rematch"], next);
        let seats = json!({ "first": game["seats"]["second"], "second": game["seats"]["first"] });
        let again = json!({ "id": next, "seats": seats });
        let body = shown(host.addr, &again, &seats["first"]);
        assert_eq!(body["players"]["first"]["name"], "Bob");
        assert_eq!((&body["time_control"], &body["visibility"]), (&clock, &json!("link")));
        assert_eq!(body["setup"], game["game"]["setup"]);
        play(host.addr, &again, "first", 0, "c3").expect(200);
        play(host.addr, &again, "second", 1, "a1").expect(200);
    });
}

#[test]
fn an_engine_plays_again_at_once_and_hex_knows_no_draw() {
    let host = Host::start();
    let players = json!({ "first": { "kind": "human" }, "second": { "kind": "engine" } });
    let game = post(host.addr, "/games", &json!({ "setup": hex(), "players": players })).expect(201);
    act(host.addr, &game, "first", &json!({ "action": "offer-draw" })).problem(409, "draw.impossible");
    act(host.addr, &game, "first", &json!({ "action": "chat", "text": "hello" })).problem(409, "chat.nobody");
    act(host.addr, &game, "first", &json!({ "action": "resign" })).expect(200);
    act(host.addr, &game, "first", &json!({ "action": "offer-rematch" })).expect(200);
    let next = shown(host.addr, &game, &game["seats"]["first"])["rematch"].clone();
    let body = shown(host.addr, &json!({ "id": next }), &game["seats"]["first"]);
    assert_eq!(body["players"]["first"]["kind"], "engine");
}

#[test]
fn players_see_who_is_there_and_people_get_no_hints() {
    let host = Host::start();
    let game = two_people(host.addr, &hex(), &json!({ "visibility": "link" }));
    let mut first = watch(host.addr, &game, Some(&game["seats"]["first"]));
    let presence = |state: &Value| state["game"]["presence"].clone();
    assert_eq!(presence(&first.hear_type("state")), json!({ "first": "here", "second": "waiting" }));
    let mut second = watch(host.addr, &game, Some(&game["seats"]["second"]));
    second.hear_type("state");
    loop {
        let news = first.hear_type("presence");
        if news["presence"]["second"] == "here" {
            break;
        }
    }
    drop(second);
    assert_eq!(first.hear_type("presence")["presence"]["second"], "away");
    let hint = format!("/games/{}/hint", game["id"].as_str().unwrap());
    as_(host.addr, &game["seats"]["first"], "POST", &hint, &json!({})).problem(409, "hint.people");
    act(host.addr, &game, "second", &json!({ "action": "join", "name": "a\u{200b}b" }))
        .problem(422, "name.refused");
    act(host.addr, &game, "second", &json!({ "action": "join" })).expect(200);
    act(host.addr, &game, "second", &json!({ "action": "join", "name": "x" })).problem(409, "seat.taken");
}

#[test]
fn chat_is_for_the_players_alone_and_survives_a_restart() {
    on_each(|host| {
        let game = two_people(host.addr, &hex(), &json!({ "visibility": "link" }));
        let mut spectator = watch(host.addr, &game, None);
        assert_eq!(spectator.hear_type("state")["game"].get("chat"), None);
        let mut second = watch(host.addr, &game, Some(&game["seats"]["second"]));
        assert_eq!(second.hear_type("state")["game"]["chat"], json!([]));
        act(host.addr, &game, "first", &json!({ "action": "chat", "text": "good luck" })).expect(200);
        assert_eq!(second.hear_type("chat")["line"]["text"], "good luck");
        act(host.addr, &game, "first", &json!({ "action": "chat", "text": "\u{1b}" }))
            .problem(422, "chat.refused");
        play(host.addr, &game, "first", 0, "c3").expect(200);
        loop {
            let news = spectator.hear().unwrap();
            assert_ne!(news["type"], "chat", "{news}");
            if news["type"] == "move" {
                break;
            }
        }
        let host = host.restart();
        assert_eq!(
            get(host.addr, &format!("/games/{}", game["id"].as_str().unwrap())).expect(200).get("chat"),
            None
        );
        let body = shown(host.addr, &game, &game["seats"]["second"]);
        assert_eq!(
            (&body["chat"][0]["seat"], &body["chat"][0]["text"]),
            (&json!("first"), &json!("good luck"))
        );
    });
}

#[test]
fn a_bot_hears_offers_declines_by_default_and_is_missed() {
    let host = Host::start();
    let bot = post(host.addr, "/bots", &json!({ "name": "Deep Five" })).expect(201);
    let players = json!({ "first": { "kind": "human" }, "second": { "kind": "bot", "bot": bot["id"] } });
    let game =
        post(host.addr, "/games", &json!({ "setup": { "game": "gomoku" }, "players": players })).expect(201);
    let mut person = watch(host.addr, &game, Some(&game["seats"]["first"]));
    assert_eq!(person.hear_type("state")["game"]["presence"]["second"], "left");
    let bearer = format!("Bearer {}", bot["token"].as_str().unwrap());
    let mut socket = Socket::open_with(host.addr, "/bots/ws", &[("Authorization", &bearer)]).unwrap();
    socket.hear_type("welcome");
    play(host.addr, &game, "first", 0, "h8").expect(200);
    socket.hear_type("turn");
    let mut there = person.hear_type("presence");
    while there["presence"]["second"] != "here" {
        there = person.hear_type("presence");
    }
    act(host.addr, &game, "first", &json!({ "action": "undo" })).expect(200);
    let offer = socket.hear_type("offer");
    assert_eq!(
        (&offer["what"], &offer["you"], &offer["game"]),
        (&json!("undo"), &json!("second"), &game["id"])
    );
    socket.say(&json!({ "type": "action", "game": game["id"], "action": "accept-undo" }));
    socket.hear_type("done");
    assert_eq!(shown(host.addr, &game, &game["seats"]["first"])["view"]["ply"], 0);
    // It says nothing: after a few seconds that is a no.
    act(host.addr, &game, "first", &json!({ "action": "offer-draw" })).expect(200);
    assert_eq!(person.hear_type("offer")["offer"]["what"], "undo");
    assert_eq!(person.hear_type("offer")["offer"]["what"], "draw");
    assert_eq!(person.hear_type("offer")["offer"], Value::Null);
    drop(socket);
    while person.hear_type("presence")["presence"]["second"] != "left" {}
    // Nobody is there to ask: no at once.
    act(host.addr, &game, "first", &json!({ "action": "offer-draw" })).expect(200);
    assert_eq!(person.hear_type("offer")["offer"]["what"], "draw");
    assert_eq!(person.hear_type("offer")["offer"], Value::Null);
}

#[test]
fn a_challenge_becomes_a_game_for_two() {
    let host = Host::start();
    let new = json!({ "setup": hex(), "seat": "second", "name": "Ann", "clock": { "initial_ms": 60_000 } });
    let posted = post(host.addr, "/challenges", &new).expect(201);
    let path = format!("/challenges/{}", posted["id"].as_str().unwrap());
    let ask = || as_(host.addr, &posted["secret"], "GET", &path, &json!({}));
    assert_eq!(ask().expect(200), json!({}));
    get(host.addr, &path).problem(401, "secret.missing");
    let open = get(host.addr, "/challenges").expect(200);
    assert_eq!((&open[0]["name"], &open[0]["seat"]), (&json!("Ann"), &json!("first")));
    let accepted = post(host.addr, &format!("{path}/accept"), &json!({ "name": "Bob" })).expect(201);
    post(host.addr, &format!("{path}/accept"), &json!({})).problem(404, "challenge.unknown");
    assert_eq!(get(host.addr, "/challenges").expect(200), json!([]));
    assert_eq!(ask().expect(200), json!({ "game": accepted["id"], "seat": "second" }));
    assert_eq!(accepted["seat"], "first");
    let game = json!({ "id": accepted["id"],
        "seats": { "first": accepted["secret"], "second": posted["secret"] } });
    play(host.addr, &game, "first", 0, "c3").expect(200);
    play(host.addr, &game, "second", 1, "a1").expect(200);
    let names = shown(host.addr, &game, &game["seats"]["first"])["players"].clone();
    assert_eq!((&names["first"]["name"], &names["second"]["name"]), (&json!("Bob"), &json!("Ann")));

    let posted = post(host.addr, "/challenges", &json!({ "setup": hex() })).expect(201);
    let path = format!("/challenges/{}", posted["id"].as_str().unwrap());
    assert_eq!(as_(host.addr, &posted["secret"], "DELETE", &path, &json!({})).status, 204);
    as_(host.addr, &posted["secret"], "GET", &path, &json!({})).problem(404, "challenge.unknown");
    post(host.addr, "/challenges", &json!({ "setup": { "game": "chess" } })).problem(422, "game.kind");
}
