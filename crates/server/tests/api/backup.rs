//! Copies of the database: made beside a running server, whole, and refused when damaged. Deleting what is old.

use crate::client::{get, play, two_people};
use crate::host::{Backend, Data, Host, on_each};
use serde_json::{Value, json};
use server::{BackupError, Expiry};
use sqlx::{AnyConnection, Connection, Executor};

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Runtime::new().unwrap().block_on(work)
}

fn backup(data: &Data) -> String {
    let (folder, url) = data.place();
    let mut copy = Vec::new();
    block_on(server::backup(url, folder, &mut copy)).unwrap();
    String::from_utf8(copy).unwrap()
}

fn restore(data: &Data, copy: &str) -> Result<u64, BackupError> {
    let (folder, url) = data.place();
    block_on(server::restore(url, folder, || Ok(copy.as_bytes())))
}

/// The rows of a copy in a fixed order, without its checksum and the time the server was last alive.
fn rows(copy: &str) -> Vec<&str> {
    let mut rows: Vec<&str> =
        copy.lines().filter(|row| !row.contains("sha256") && !row.starts_with("[1,")).collect();
    rows.sort_unstable();
    rows
}

#[test]
fn a_backup_beside_a_running_server_restores_every_move() {
    on_each(|host| {
        let setup = json!({ "game": "gomoku", "rows": 15, "cols": 15 });
        let game = two_people(host.addr, &setup, &json!({}));
        let moves = ["h8", "i9", "h9"];
        for (ply, mv) in moves.iter().enumerate() {
            play(host.addr, &game, ["first", "second"][ply % 2], ply, mv).expect(200);
        }
        let copy = backup(&host.data);
        for backend in [Backend::Sqlite, Backend::under_test()] {
            let other = Data::new(&backend);
            assert!(restore(&other, &copy).unwrap() >= 4);
            assert_eq!(rows(&backup(&other)), rows(&copy));
            let twice = restore(&other, &copy).unwrap_err();
            assert!(matches!(twice, BackupError::NotEmpty { .. }), "{twice}");
            let again = Host::on(other);
            assert_eq!(play(again.addr, &game, "second", 3, "g7").expect(200)["view"]["ply"], 4);
        }
    });
}

#[test]
fn a_damaged_backup_restores_nothing() {
    let host = Host::start();
    two_people(host.addr, &json!({ "game": "gomoku" }), &json!({}));
    let copy = backup(&host.data);
    let cases = [
        (copy.lines().take(2).map(|line| format!("{line}\n")).collect(), "cut off"),
        (copy.trim_end().to_string(), "cut off"),
        (copy.replacen("gomoku", "gemoku", 1), "checksum"),
        (copy.replacen("\"schema\":", "\"schema\":9", 1), "checksum"),
        (copy.replacen("\"tengen_backup\":1", "\"tengen_backup\":2", 1), "format 2"),
        ("hello\n".to_string(), "not a backup"),
        (String::new(), "cut off"),
    ];
    for (copy, expected) in cases {
        let other = Data::new(&Backend::Sqlite);
        let refused = restore(&other, &copy).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
        assert!(!other.place().0.join("tengen.db").exists(), "nothing was made");
    }
    let nowhere = Data::new(&Backend::Sqlite);
    let missing = block_on(server::backup(None, nowhere.place().0, &mut Vec::new())).unwrap_err();
    assert!(matches!(missing, BackupError::Missing(_)), "{missing}");
}

/// Makes a game look as if nobody had touched it since 1970.
fn age(data: &Data, game: &Value) {
    let file = data.place().0.join("tengen.db");
    let id = game["id"].as_str().unwrap().to_string();
    sqlx::any::install_default_drivers();
    block_on(async {
        let mut connection = AnyConnection::connect(&format!("sqlite://{}", file.display())).await.unwrap();
        connection.execute("PRAGMA busy_timeout = 10000").await.unwrap();
        for old in
            ["UPDATE games SET created = 1 WHERE id = $1", "UPDATE events SET at = 1 WHERE game_id = $1"]
        {
            sqlx::query(old).bind(id.clone()).execute(&mut connection).await.unwrap();
        }
        connection.close().await.unwrap();
    });
}

fn prune(data: &Data) -> usize {
    let expiry = Expiry { games: 30, ..Expiry::loopback() };
    let counts = block_on(server::prune(None, data.place().0, &expiry)).unwrap();
    assert!(counts[1..].iter().all(|(_, count)| *count == 0), "{counts:?}");
    counts[0].1
}

#[test]
fn pruning_deletes_what_is_old_with_or_without_a_running_server() {
    let data = Data::new(&Backend::Sqlite);
    let host = Host::on(data.clone());
    let games: Vec<Value> =
        (0..3).map(|_| two_people(host.addr, &json!({ "game": "gomoku" }), &json!({}))).collect();
    drop(host);
    age(&data, &games[0]);
    assert_eq!(prune(&data), 1, "no server runs");
    age(&data, &games[1]);
    let host = Host::on(data.clone());
    // The server has the third game in memory: it must not be deleted under it.
    play(host.addr, &games[2], "first", 0, "h8").expect(200);
    age(&data, &games[2]);
    assert_eq!(prune(&data), 1, "a server runs");
    let path = |game: &Value| format!("/games/{}", game["id"].as_str().unwrap());
    for gone in &games[..2] {
        get(host.addr, &path(gone)).problem(404, "game.unknown");
    }
    assert_eq!(play(host.addr, &games[2], "second", 1, "i9").expect(200)["view"]["ply"], 2);
    assert_eq!(prune(&data), 0);
}

#[test]
fn pruning_keeps_what_is_new() {
    let data = Data::new(&Backend::Sqlite);
    let host = Host::on(data.clone());
    two_people(host.addr, &json!({ "game": "gomoku" }), &json!({}));
    assert_eq!(prune(&data), 0);
    drop(host);
    assert_eq!(prune(&data), 0);
    assert!(backup(&data).contains("gomoku"));
}
