//! Several servers, one site: PostgreSQL, NATS and servers in processes of their own, which are killed, frozen and
//! drained.
//!
//! `TENGEN_TEST_POSTGRES` names a PostgreSQL server and `TENGEN_TEST_NATS` the program `nats-server`; `cargo xtask test`
//! sets both and runs these tests, which are ignored otherwise.

use crate::client::{Response, Socket, as_, get, play, post, send, two_people};
use crate::crash::{Victim, nth_move};
use crate::host::{Backend, Data};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A game goes on this soon after its server died. `cargo xtask site-storm` demands five seconds; the machine of a test may be
/// busy.
const TAKEOVER: Duration = Duration::from_secs(12);

/// A private server of NATS.
struct Nats {
    program: String,
    port: u16,
    child: Option<Child>,
}

impl Nats {
    fn start() -> Nats {
        let program = std::env::var("TENGEN_TEST_NATS").expect("TENGEN_TEST_NATS names nats-server");
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut nats = Nats { program, port, child: None };
        nats.up();
        nats
    }

    fn up(&mut self) {
        let mut command = Command::new(&self.program);
        command.args(["-a", "127.0.0.1", "--auth", "secret", "-p", &self.port.to_string()]);
        self.child = Some(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(20), "nats-server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn down(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.down();
    }
}

/// Three servers on one database.
struct Site {
    servers: Vec<Victim>,
    nats: Nats,
}

impl Site {
    fn start() -> Site {
        let Backend::Postgres(_) = Backend::under_test() else {
            panic!("TENGEN_TEST_POSTGRES names no PostgreSQL server");
        };
        let nats = Nats::start();
        let url = format!("nats://secret@127.0.0.1:{}", nats.port);
        let data = Data::fresh();
        let servers: Vec<Victim> = (0..3).map(|_| Victim::in_site(data.clone(), Some(url.clone()))).collect();
        Site { servers, nats }
    }

    fn addr(&self, server: usize) -> SocketAddr {
        self.servers[server].addr
    }
}

fn seat(ply: usize) -> &'static str {
    if ply.is_multiple_of(2) { "first" } else { "second" }
}

/// Plays a move, again and again until it is acknowledged, as a client does; how long that took.
fn insist(addr: SocketAddr, game: &Value, ply: usize) -> (Value, Duration) {
    let began = Instant::now();
    loop {
        let answer: Response = play(addr, game, seat(ply), ply, &nth_move(ply));
        if answer.status == 200 {
            return (answer.json(), began.elapsed());
        }
        assert!(answer.status == 503, "{} {}", answer.status, String::from_utf8_lossy(&answer.body));
        assert!(began.elapsed() < Duration::from_secs(20), "the game does not go on");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn shown(addr: SocketAddr, game: &Value) -> Value {
    get(addr, &format!("/games/{}", game["id"].as_str().unwrap())).expect(200)
}

/// The texts of the moves played.
fn moves(game: &Value) -> Vec<String> {
    let moves = game["view"]["moves"].as_array().unwrap();
    moves.iter().map(|mv| mv["move"].as_str().unwrap().to_string()).collect()
}

fn expected(plies: usize) -> Vec<String> {
    (0..plies).map(nth_move).collect()
}

fn new_game(addr: SocketAddr) -> Value {
    let more = json!({ "clock": { "initial_ms": 60_000, "increment_ms": 0 }, "visibility": "public" });
    two_people(addr, &json!({ "game": "gomoku" }), &more)
}

#[test]
#[ignore = "needs PostgreSQL and NATS: cargo xtask test"]
fn a_game_is_played_and_watched_through_any_server() {
    let site = Site::start();
    let game = new_game(site.addr(0));
    let id = game["id"].as_str().unwrap();
    let mut watching: Vec<Socket> =
        (0..3).map(|server| Socket::open(site.addr(server), &format!("/games/{id}/ws"))).collect();
    for socket in &mut watching {
        assert_eq!(socket.hear_type("state")["game"]["view"]["ply"], 0);
    }
    for ply in 0..30 {
        let (answer, _) = insist(site.addr(ply % 3), &game, ply);
        assert_eq!((&answer["ply"], &answer["applied"]), (&json!(ply), &json!(true)));
    }
    // Everybody heard every move once and in order.
    for (server, socket) in watching.iter_mut().enumerate() {
        for ply in 0..30 {
            let heard = socket.hear_type("move");
            assert_eq!(heard["ply"], ply, "server {server}");
            assert_eq!(heard["move"]["move"], nth_move(ply));
        }
    }
    // Anywhere a repeated move is answered and not applied, and a wrong one refused.
    for server in 0..3 {
        let repeated = play(site.addr(server), &game, seat(29), 29, &nth_move(29)).expect(200);
        assert_eq!(repeated["applied"], false);
        play(site.addr(server), &game, seat(30), 30, &nth_move(3)).problem(422, "move.occupied");
        assert_eq!(moves(&shown(site.addr(server), &game)), expected(30));
        let record = send(site.addr(server), "GET", &format!("/api/v1/games/{id}/record"), &[], b"");
        assert_eq!(record.status, 200);
        assert!(String::from_utf8_lossy(&record.body).contains("SZ[15]"));
    }
    // A player is seen through another server, comes and goes, and acts there.
    let seat = format!("/games/{id}/ws?secret={}", game["seats"]["first"].as_str().unwrap());
    let first = Socket::open(site.addr(1), &seat);
    presence(&mut watching[2], "here");
    drop(first);
    presence(&mut watching[0], "away");
    as_(
        site.addr(2),
        &game["seats"]["second"],
        "POST",
        &format!("/games/{id}/actions"),
        &json!({ "action": "resign" }),
    )
    .expect(200);
    for socket in &mut watching {
        assert_eq!(socket.hear_type("end")["reason"], "resign");
    }
    // What runs is counted over all servers.
    let other = new_game(site.addr(1));
    insist(site.addr(1), &other, 0);
    let began = Instant::now();
    while get(site.addr(2), "/games").expect(200)["running"]["games"] != 1 {
        assert!(began.elapsed() < TAKEOVER, "{}", get(site.addr(2), "/games").json());
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until the first player is said to be in this state.
fn presence(socket: &mut Socket, wanted: &str) {
    while socket.hear_type("presence")["presence"]["first"] != wanted {}
}

#[test]
#[ignore = "needs PostgreSQL and NATS: cargo xtask test"]
fn another_server_takes_over_when_the_owner_is_killed() {
    let mut site = Site::start();
    let game = new_game(site.addr(0));
    let id = game["id"].as_str().unwrap().to_string();
    let mut watching = Socket::open(site.addr(2), &format!("/games/{id}/ws"));
    watching.hear_type("state");
    for ply in 0..4 {
        insist(site.addr(0), &game, ply);
        assert_eq!(watching.hear_type("move")["ply"], ply);
    }
    let before = shown(site.addr(1), &game)["clock"].clone();
    site.servers[0].kill();
    // `applied` may be false: the answer to a first try came too late.
    let (answer, took) = insist(site.addr(1), &game, 4);
    assert!(took < TAKEOVER, "{took:?}");
    // The clocks were not charged for it: for more than two seconds nobody could have had the game.
    let left = |clock: &Value| clock["first_ms"].as_i64().unwrap();
    let charged = left(&before) - left(&answer["clock"]);
    // They stand from when the owner last renewed its lease, so that a beat may be given back.
    assert!(charged > -1_000, "{charged}");
    assert!(charged + 1_500 < took.as_millis() as i64, "{charged} ms were charged, {took:?} passed");
    // The spectator elsewhere stays connected and learns of the move, by itself or in the state.
    let heard = watching.hear().unwrap();
    assert!(heard["ply"] == 4 || heard["game"]["view"]["ply"].as_u64().is_some(), "{heard}");
    for ply in 5..10 {
        insist(site.addr(1 + ply % 2), &game, ply);
    }
    for server in [1, 2] {
        assert_eq!(moves(&shown(site.addr(server), &game)), expected(10));
    }
    // A flag that nobody waits for falls too: a game without anybody asking is taken over by itself.
    let quick = json!({ "clock": { "initial_ms": 8_000, "increment_ms": 0 }, "visibility": "public" });
    let waiting = two_people(site.addr(2), &json!({ "game": "gomoku" }), &quick);
    insist(site.addr(2), &waiting, 0);
    insist(site.addr(2), &waiting, 1);
    site.servers[2].kill();
    let began = Instant::now();
    while shown_in_list(site.addr(1), &waiting)["status"] != "over" {
        assert!(began.elapsed() < Duration::from_secs(8) + 2 * TAKEOVER, "the flag does not fall");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(began.elapsed() > Duration::from_secs(7), "the absence was charged: {:?}", began.elapsed());
}

/// The entry in the list of games: looking at it wakes nothing.
fn shown_in_list(addr: SocketAddr, game: &Value) -> Value {
    let list = get(addr, "/games").expect(200);
    list["games"].as_array().unwrap().iter().find(|entry| entry["id"] == game["id"]).unwrap().clone()
}

#[test]
#[ignore = "needs PostgreSQL and NATS: cargo xtask test"]
fn a_server_that_was_cut_off_loses_its_games_and_comes_back() {
    let site = Site::start();
    let game = new_game(site.addr(0));
    for ply in 0..4 {
        insist(site.addr(0), &game, ply);
    }
    site.servers[0].signal("-STOP");
    let (_, took) = insist(site.addr(1), &game, 4);
    assert!(took < TAKEOVER, "{took:?}");
    insist(site.addr(2), &game, 5);
    site.servers[0].signal("-CONT");
    // It still believes that it has the game after four moves. Whatever it does, there is one history.
    let stale = play(site.addr(0), &game, "first", 4, "o15");
    assert!(matches!(stale.status, 409 | 503), "{} {}", stale.status, String::from_utf8_lossy(&stale.body));
    insist(site.addr(0), &game, 6);
    for server in 0..3 {
        assert_eq!(moves(&shown(site.addr(server), &game)), expected(7));
    }
    // It is a server like the others again.
    let own = new_game(site.addr(0));
    insist(site.addr(1), &own, 0);
    assert_eq!(send(site.addr(0), "GET", "/healthz", &[], b"").status, 200);
}

#[test]
#[ignore = "needs PostgreSQL and NATS: cargo xtask test"]
fn a_server_that_ends_hands_its_games_over() {
    let mut site = Site::start();
    let game = new_game(site.addr(0));
    let quiet = two_people(site.addr(0), &json!({ "game": "hex" }), &json!({}));
    insist(site.addr(0), &game, 0);
    play(site.addr(0), &quiet, "first", 0, "a1").expect(200);
    let id = game["id"].as_str().unwrap();
    let mut there = Socket::open(site.addr(0), &format!("/games/{id}/ws"));
    let mut elsewhere = Socket::open(site.addr(1), &format!("/games/{id}/ws"));
    there.hear_type("state");
    elsewhere.hear_type("state");
    site.servers[0].signal("-TERM");
    // Nobody waits for a lease to end.
    let (_, took) = insist(site.addr(1), &game, 1);
    assert!(took < TAKEOVER, "{took:?}");
    play(site.addr(2), &quiet, "second", 1, "b2").expect(200);
    // Who was connected there is sent away; others stay.
    while there.hear().is_some() {}
    insist(site.addr(2), &game, 2);
    loop {
        let heard = elsewhere.hear().unwrap();
        if heard["ply"] == 2 || heard["game"]["view"]["ply"] == 3 {
            break;
        }
    }
    assert_eq!(moves(&shown(site.addr(1), &game)), expected(3));
    // Its successor takes part.
    site.servers[0].kill_and_restart();
    insist(site.addr(0), &game, 3);
}

#[test]
#[ignore = "needs PostgreSQL and NATS: cargo xtask test"]
fn a_broker_that_restarts_is_waited_for() {
    let mut site = Site::start();
    let game = new_game(site.addr(0));
    insist(site.addr(1), &game, 0);
    let id = game["id"].as_str().unwrap();
    let mut watching = Socket::open(site.addr(2), &format!("/games/{id}/ws"));
    watching.hear_type("state");
    site.nats.down();
    // The owner needs no broker.
    insist(site.addr(0), &game, 1);
    let late = play(site.addr(1), &game, "first", 2, &nth_move(2));
    assert!(matches!(late.status, 200 | 503), "{}", late.status);
    site.nats.up();
    insist(site.addr(1), &game, 2);
    // The news of the move in between was lost; the game as a whole comes instead.
    let began = Instant::now();
    loop {
        let heard = watching.hear().expect("the spectator stays connected");
        if heard["ply"] == 2 || heard["game"]["view"]["ply"] == 3 {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(20));
    }
    assert_eq!(moves(&shown(site.addr(2), &game)), expected(3));
}

#[test]
#[ignore = "needs PostgreSQL and NATS: cargo xtask test"]
fn a_challenge_is_open_on_every_server_and_outlives_the_one_it_was_posted_to() {
    let mut site = Site::start();
    let new = json!({ "setup": { "game": "gomoku" }, "seat": "second", "name": "Ada" });
    let posted = post(site.addr(0), "/challenges", &new).expect(201);
    let (path, secret) = (format!("/challenges/{}", posted["id"].as_str().unwrap()), &posted["secret"]);
    let open = |addr| get(addr, "/challenges").expect(200).as_array().unwrap().len();
    for server in 0..3 {
        let entry = get(site.addr(server), "/challenges").expect(200)[0].clone();
        assert_eq!(
            (&entry["id"], &entry["seat"], &entry["name"]),
            (&posted["id"], &json!("first"), &json!("Ada"))
        );
    }
    // What a client may have open counts on all servers together.
    let others: Vec<Value> =
        (0..3).map(|server| post(site.addr(server), "/challenges", &new).expect(201)).collect();
    for server in 0..3 {
        post(site.addr(server), "/challenges", &new).problem(429, "challenges.yours");
    }
    let withdraw = |addr, other: &Value| {
        let path = format!("/challenges/{}", other["id"].as_str().unwrap());
        as_(addr, &other["secret"], "DELETE", &path, &json!({})).status
    };
    for (server, other) in others.iter().enumerate() {
        assert_eq!(withdraw(site.addr((server + 1) % 3), other), 204);
    }
    assert_eq!(open(site.addr(2)), 1);
    site.servers[0].kill();
    assert_eq!(as_(site.addr(1), secret, "GET", &path, &json!({})).expect(200), json!({}));
    as_(site.addr(1), &json!("wrong"), "GET", &path, &json!({})).problem(404, "challenge.unknown");
    // Of many who accept at once on different servers one plays.
    let accepted: Vec<Response> = std::thread::scope(|scope| {
        let accept = |server| post(site.addr(server), &format!("{path}/accept"), &json!({}));
        let all: Vec<_> = (0..6).map(|at| scope.spawn(move || accept(1 + at % 2))).collect();
        all.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let (won, lost): (Vec<Response>, Vec<Response>) =
        accepted.into_iter().partition(|answer| answer.status == 201);
    assert_eq!((won.len(), lost.len()), (1, 5));
    for answer in lost {
        answer.problem(404, "challenge.unknown");
    }
    let won = won[0].json();
    assert_eq!(open(site.addr(1)), 0);
    for server in [1, 2] {
        let fate = as_(site.addr(server), secret, "GET", &path, &json!({})).expect(200);
        assert_eq!((&fate["game"], &fate["seat"]), (&won["id"], &json!("second")));
    }
    // Both play, each with the secret they have.
    let game = json!({ "id": won["id"], "seats": { "first": won["secret"], "second": posted["secret"] } });
    insist(site.addr(2), &game, 0);
    insist(site.addr(1), &game, 1);
}

/// A bot's connection through a server.
fn bot_at(addr: SocketAddr, bot: &Value) -> Socket {
    let bearer = format!("Bearer {}", bot["token"].as_str().unwrap());
    let mut socket = Socket::open_with(addr, "/bots/ws", &[("Authorization", &bearer)]).unwrap();
    assert_eq!(socket.hear_type("welcome")["bot"], bot["id"]);
    socket
}

fn wait_until(what: &str, mut ready: impl FnMut() -> bool) {
    let began = Instant::now();
    while !ready() {
        assert!(began.elapsed() < TAKEOVER, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
#[ignore = "needs PostgreSQL and NATS: cargo xtask test"]
fn a_bot_on_any_server_hears_everything_once_and_in_order() {
    let mut site = Site::start();
    let bot = post(site.addr(0), "/bots", &json!({ "name": "Wanderer" })).expect(201);
    let mut there = bot_at(site.addr(1), &bot);
    let online = |addr| get(addr, "/bots").expect(200);
    for server in 0..3 {
        wait_until("the bot is online everywhere", || online(site.addr(server))[0]["id"] == bot["id"]);
    }
    let players = json!({ "first": { "kind": "human" }, "second": { "kind": "bot", "bot": bot["id"] } });
    let body = json!({ "setup": { "game": "gomoku" }, "players": players, "visibility": "public" });
    let games: Vec<Value> = (0..2).map(|_| post(site.addr(0), "/games", &body).expect(201)).collect();
    let mut watching = Socket::open(site.addr(2), &format!("/games/{}/ws", games[0]["id"].as_str().unwrap()));
    assert_eq!(watching.hear_type("state")["game"]["presence"]["second"], "here");
    let answer = |socket: &mut Socket, game: &Value, ply: usize| {
        let turn = socket.hear().unwrap();
        assert_eq!((&turn["type"], &turn["game"], &turn["ply"]), (&json!("turn"), &game["id"], &json!(ply)));
        let order = json!({ "type": "move", "game": game["id"], "ply": ply, "move": nth_move(ply) });
        socket.say(&order);
        let ack = socket.hear().unwrap();
        assert_eq!((&ack["type"], &ack["applied"]), (&json!("ack"), &json!(true)));
    };
    // Nothing is heard twice: each message is the next one that is expected.
    for ply in (0..10).step_by(2) {
        for game in &games {
            insist(site.addr(2 - ply % 3), game, ply);
            answer(&mut there, game, ply + 1);
        }
    }
    // Its server dies: it is not there, and is told what waits for it wherever it comes back.
    site.servers[1].kill();
    insist(site.addr(0), &games[0], 10);
    wait_until("the bot is gone", || online(site.addr(2)).as_array().unwrap().is_empty());
    while watching.hear_type("presence")["presence"]["second"] != "left" {}
    let mut back = bot_at(site.addr(2), &bot);
    answer(&mut back, &games[0], 11);
    // The server of its games dies: the next one knows where the bot is.
    site.servers[1].kill_and_restart();
    site.servers[0].kill();
    insist(site.addr(1), &games[0], 12);
    answer(&mut back, &games[0], 13);
    assert_eq!(moves(&shown(site.addr(1), &games[0])), expected(14));
}

#[test]
#[ignore = "needs PostgreSQL and NATS: cargo xtask test"]
fn a_server_without_nats_takes_everything_for_itself() {
    let data = Data::fresh();
    let first = Victim::start(data.clone());
    let game = new_game(first.addr);
    insist(first.addr, &game, 0);
    let second = Victim::start(data);
    let (_, took) = insist(second.addr, &game, 1);
    assert!(took < TAKEOVER, "{took:?}");
    // The first cannot write in it any more.
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(2) {
        let stale = post(first.addr, &format!("/games/{}/moves", game["id"].as_str().unwrap()), &json!({}));
        assert!(stale.status != 200);
        // Until it learns that it is dead, it refuses what does not follow from the moves it knows.
        let refused = play(first.addr, &game, "first", 2, &nth_move(2));
        assert!(matches!(refused.status, 409 | 503), "{}", String::from_utf8_lossy(&refused.body));
    }
    assert_eq!(play(first.addr, &game, "first", 2, &nth_move(2)).status, 503);
    insist(second.addr, &game, 2);
    assert_eq!(moves(&shown(second.addr, &game)), expected(3));
}
