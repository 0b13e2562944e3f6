//! What one client, and all together, may keep; and that what nobody touches goes away.

use crate::client::{as_, get, play, post, two_people};
use crate::host::{Data, Host};
use serde_json::{Value, json};
use server::{Config, Expiry, Share, StorageQuota};
use std::time::{Duration, Instant};

fn small(each: u64, all: u64) -> StorageQuota {
    let share = Share { each, all };
    let study_bytes = Share { each: 1_000, all: 1_500 };
    StorageQuota { games: share, studies: share, study_bytes, bots: share, arenas: share, progress: share }
}

fn host(quota: StorageQuota) -> Host {
    let data = Data::fresh();
    Host::serve(Config { storage: Some(quota), behind_proxy: true, ..data.config() }, data)
}

/// A request from another address.
fn from(host: &Host, address: &str, path: &str, body: &Value) -> crate::client::Response {
    let headers = [("Content-Type", "application/json"), ("X-Forwarded-For", address)];
    crate::client::send(host.addr, "POST", &format!("/api/v1{path}"), &headers, body.to_string().as_bytes())
}

#[test]
fn one_client_keeps_so_much_and_all_together_no_more() {
    let host = host(small(2, 3));
    let players = json!({ "first": { "kind": "human" }, "second": { "kind": "human" } });
    let game = json!({ "setup": { "game": "gomoku" }, "players": players });
    let (study, bot) = (json!({ "version": 1, "body": {} }), json!({ "name": "x" }));
    for (path, body) in [("/games", &game), ("/studies", &study), ("/bots", &bot)] {
        for _ in 0..2 {
            from(&host, "192.0.2.1", path, body).expect(201);
        }
        let refused = from(&host, "192.0.2.1", path, body).problem(429, "quota.yours");
        assert_eq!(refused["params"]["kind"], path[1..]);
    }
    from(&host, "192.0.2.2", "/games", &game).expect(201);
    from(&host, "192.0.2.2", "/games", &game).problem(507, "quota.full");
    from(&host, "192.0.2.2", "/bots", &bot).problem(409, "name.taken");
    from(&host, "192.0.2.2", "/bots", &json!({ "name": "y" })).expect(201);
    from(&host, "192.0.2.3", "/bots", &json!({ "name": "z" })).problem(507, "quota.full");
}

#[test]
fn finished_games_make_room_for_others() {
    let host = host(small(1, 10));
    let game = two_people(host.addr, &json!({ "game": "gomoku" }), &json!({}));
    let players = json!({ "first": { "kind": "human" }, "second": { "kind": "human" } });
    let another = json!({ "setup": { "game": "gomoku" }, "players": players });
    post(host.addr, "/games", &another).problem(429, "quota.yours");
    let actions = format!("/games/{}/actions", game["id"].as_str().unwrap());
    as_(host.addr, &game["owner"], "POST", &actions, &json!({ "action": "abort" })).expect(200);
    post(host.addr, "/games", &another).expect(201);
}

#[test]
fn studies_are_counted_by_their_size() {
    let host = host(StorageQuota { studies: Share { each: 100, all: 100 }, ..small(1, 1) });
    let study = |size: usize| json!({ "version": 1, "body": "x".repeat(size) });
    let made = from(&host, "192.0.2.1", "/studies", &study(600)).expect(201);
    from(&host, "192.0.2.1", "/studies", &study(600)).problem(429, "quota.yours");
    from(&host, "192.0.2.2", "/studies", &study(800)).expect(201);
    from(&host, "192.0.2.3", "/studies", &study(600)).problem(507, "quota.full");
    let path = format!("/studies/{}", made["id"].as_str().unwrap());
    let save = |version: i64, size: usize| {
        let body = json!({ "version": version, "body": "x".repeat(size) });
        as_(host.addr, &made["secret"], "PUT", &path, &body)
    };
    save(2, 650).expect(200);
    save(3, 2_000).problem(429, "quota.yours");
    save(4, 10).expect(200);
}

#[test]
fn progress_with_puzzles_has_a_ceiling() {
    let host = host(small(1, 10));
    let solve = |address: &str, owner: char, path: &str, moves: Value| {
        let bearer = format!("Bearer {}", owner.to_string().repeat(32));
        let headers =
            [("Content-Type", "application/json"), ("X-Forwarded-For", address), ("Authorization", &bearer)];
        let body = json!({ "moves": moves }).to_string();
        crate::client::send(host.addr, "POST", &format!("/api/v1{path}"), &headers, body.as_bytes())
    };
    let hex = "/puzzles/hex/h-1/moves";
    solve("192.0.2.1", 'a', hex, json!(["b2"])).expect(200);
    solve("192.0.2.1", 'a', hex, json!(["b2"])).expect(200);
    solve("192.0.2.1", 'b', hex, json!(["b2"])).problem(429, "quota.yours");
    solve("192.0.2.2", 'b', hex, json!(["b2"])).expect(200);
}

/// Makes everything in the database look a year older.
fn age(data: &Data) {
    use sqlx::{Connection, Executor};
    let url = match data.place() {
        (_, Some(url)) => url.to_string(),
        (folder, None) => format!("sqlite://{}", folder.join("tengen.db").display()),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    sqlx::any::install_default_drivers();
    runtime.block_on(async {
        let mut connection = sqlx::AnyConnection::connect(&url).await.unwrap();
        let year: i64 = 365 * 86_400_000;
        for (table, column) in [
            ("games", "created"),
            ("events", "at"),
            ("studies", "changed"),
            ("bots", "created"),
            ("bots", "seen"),
            ("arenas", "created"),
            ("puzzle_progress", "changed"),
        ] {
            let sql = format!("UPDATE {table} SET {column} = {column} - {year}");
            connection.execute(sqlx::AssertSqlSafe(sql)).await.unwrap();
        }
        connection.close().await.unwrap();
    });
}

#[test]
fn what_nobody_touches_expires_and_the_rest_stays() {
    crate::host::on_each_data(|data| {
        let host = Host::on(data.clone());
        let setup = json!({ "game": "gomoku" });
        let game = |more: &Value| two_people(host.addr, &setup, more);
        let link = json!({ "visibility": "link" });
        let (abandoned, finished) = (game(&link), game(&link));
        play(host.addr, &abandoned, "first", 0, "h8").expect(200);
        play(host.addr, &finished, "first", 0, "h8").expect(200);
        let id = |it: &Value| it["id"].as_str().unwrap().to_string();
        let resign = json!({ "action": "resign" });
        let actions = format!("/games/{}/actions", id(&finished));
        as_(host.addr, &finished["seats"]["first"], "POST", &actions, &resign).expect(200);
        let study = post(host.addr, "/studies", &json!({ "version": 1, "body": {} })).expect(201);
        let bot = post(host.addr, "/bots", &json!({ "name": "old" })).expect(201);
        let arena = |host: &Host| {
            let made = post(host.addr, "/arenas", &json!({ "name": "x", "setup": setup })).expect(201);
            format!("/ladder/{}", made["id"].as_str().unwrap())
        };
        let deserted = arena(&host);
        drop(host);
        age(&data);
        // Without a choice nothing is deleted on a server for one person.
        let host = Host::on(data.clone());
        std::thread::sleep(Duration::from_millis(200));
        let fresh = two_people(host.addr, &setup, &link);
        let used = arena(&host);
        get(host.addr, &deserted).problem(401, "arena.key-needed");
        get(host.addr, &format!("/games/{}", id(&abandoned))).expect(200);
        drop(host);
        let host = Host::serve(Config { expiry: Some(Expiry::public()), ..data.config() }, data.clone());
        let began = Instant::now();
        // Arenas come last; to look at a game would keep it in memory, where it does not expire.
        while get(host.addr, &deserted).status != 404 {
            assert!(began.elapsed() < Duration::from_secs(20), "nothing expires");
            std::thread::sleep(Duration::from_millis(20));
        }
        get(host.addr, &used).problem(401, "arena.key-needed");
        assert_eq!(get(host.addr, &format!("/studies/{}", id(&study))).status, 404);
        get(host.addr, &format!("/games/{}", id(&abandoned))).problem(404, "game.unknown");
        get(host.addr, &format!("/games/{}", id(&fresh))).expect(200);
        get(host.addr, &format!("/games/{}", id(&finished))).expect(200);
        let with_bot = json!({ "setup": setup, "players":
            { "first": { "kind": "human" }, "second": { "kind": "bot", "bot": bot["id"] } } });
        post(host.addr, "/games", &with_bot).problem(422, "bot.unknown");
    });
}
