//! `tengen maze` as its users meet it: answers, files, messages and exit codes.

use assert_cmd::Command;
use std::path::PathBuf;

const SMALL: &str = "1 1 1 1 1\n0 0 0 0 1\n1 1 1 0 1\n1 0 0 0 0\n1 1 1 1 1\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn tengen(arguments: &[&str]) -> std::process::Output {
    Command::cargo_bin("tengen").unwrap().arg("maze").args(arguments).output().unwrap()
}

/// Runs it, expects success, gives what it printed.
fn succeed(arguments: &[&str]) -> String {
    let output = tengen(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Runs it, expects this exit code, gives its message.
fn fail(code: i32, arguments: &[&str]) -> String {
    let output = tengen(arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert!(!message.contains("panicked"), "{message}");
    message
}

#[test]
fn solve_writes_the_three_line_answer_file() {
    let folder = Folder::new();
    let map = folder.file("input.txt", SMALL);
    let out = folder.path("output_A.txt");
    succeed(&["solve", &map, "--algorithm", "astar", "--out", out.to_str().unwrap()]);
    let text = std::fs::read_to_string(out).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].parse::<f64>().is_ok_and(|seconds| seconds >= 0.0));
    assert_eq!(lines[1..], ["RRRDDR", "6"]);
}

#[test]
fn solve_answers_in_json_by_every_algorithm() {
    let folder = Folder::new();
    let map = folder.file("input.txt", format!("{SMALL}入口(1,0) 出口(3,4)"));
    for algorithm in maze::Algorithm::ALL.into_iter().filter(|a| a.allows(maze::Neighbours::Four)) {
        let text = succeed(&["solve", &map, "--algorithm", algorithm.name(), "--json"]);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["algorithm"], algorithm.name());
        assert_eq!((&value["steps"], &value["cost"]), (&6.into(), &6.0.into()), "{algorithm}");
        assert_eq!(value["moves"], "RRRDDR", "{algorithm}");
        assert!(value["expanded"].is_u64() && value["seconds"].is_f64() && value["runs"].as_u64() >= Some(1));
    }
}

#[test]
fn the_mazes_of_the_lab_sheet() {
    let Some(folder) = game::testing::shared_data("mazes") else { return };
    for (name, steps) in [("input.txt", 39), ("input2.txt", 116)] {
        let map = folder.join(name);
        for algorithm in maze::Algorithm::ALL.into_iter().filter(|a| a.is_optimal(maze::Neighbours::Four)) {
            if algorithm.allows(maze::Neighbours::Four) {
                let text =
                    succeed(&["solve", map.to_str().unwrap(), "--algorithm", algorithm.name(), "--json"]);
                let value: serde_json::Value = serde_json::from_str(&text).unwrap();
                assert_eq!(value["steps"], steps, "{algorithm}");
            }
        }
    }
}

#[test]
fn weighted_astar_reports_its_bound_and_limits_are_honest() {
    let folder = Folder::new();
    let map = folder.file("m.txt", SMALL);
    let text = succeed(&["solve", &map, "--weight", "2.5"]);
    assert!(text.contains("at most 2.5 times"), "{text}");
    let message = fail(1, &["solve", &map, "--algorithm", "idastar", "--nodes", "2"]);
    assert!(message.contains("stopped at its limit after 2 cells"), "{message}");
}

#[test]
fn bad_maps_name_file_line_and_column() {
    let folder = Folder::new();
    for (name, bytes, place, words) in [
        ("ragged.txt", &b"1 1 1\n0 0\n"[..], ":2:4: ", "ragged rows: row 1 has 2 cells"),
        ("unknown.txt", b"1 1 1\n0 x 0\n1 1 1\n", ":2:3: ", "unknown character 'x'"),
        ("empty.txt", b"", ":1:1: ", "the file is empty"),
        ("junk.bin", b"\x7fELF\x02\x01\0\0\xff\xfe", ":1:1: ", "unknown character 0x7f"),
        ("ends.txt", b"111\n000\nwhere to?\n", ":3:1: ", "neither a row of the matrix nor entry and exit"),
        (
            "large.map",
            b"type octile\nheight 99999\nwidth 99999\nmap\n",
            ":4:1: ",
            "is too large: at most 32768",
        ),
        ("short.map", b"type octile\nheight 3\nwidth 1\nmap\n.\n", ":6:1: ", "ends after 1 of 3 rows"),
        ("header.map", b"type octile\nheight x\n", ":2:8: ", "'x' is not a whole number"),
        ("drawing.txt", b"###\n#?#\n", ":2:2: ", "unknown character '?'"),
    ] {
        let file = folder.file(name, bytes);
        let message = fail(1, &["solve", &file]);
        assert!(message.contains(&format!("{name}{place}")) && message.contains(words), "{message}");
    }
    let tall = folder.file("tall.txt", "0\n".repeat(32_780));
    assert!(fail(1, &["solve", &tall]).contains("too large"));
}

#[test]
fn bad_ends_say_which_and_where() {
    let folder = Folder::new();
    let map = folder.file("m.txt", SMALL);
    let message = fail(1, &["solve", &map, "--from", "0,0"]);
    assert!(
        message.contains("m.txt") && message.contains("the start 0,0 (row, column) is in a wall"),
        "{message}"
    );
    let message = fail(1, &["solve", &map, "--to", "9,9"]);
    assert!(
        message.contains("the goal 9,9 (row, column) is outside the map of 5 rows and 5 columns"),
        "{message}"
    );
    let open = folder.file("open.txt", "000\n000\n");
    let message = fail(1, &["solve", &open]);
    assert!(message.contains("its border has 6 openings, not two"), "{message}");
    let closed = folder.file("closed.txt", "101\n111\n101\n");
    let message = fail(1, &["solve", &closed]);
    assert!(message.contains("no path from 0,1 to 2,1"), "{message}");
}

#[test]
fn usage_errors_end_with_code_two() {
    let folder = Folder::new();
    let map = folder.file("m.txt", SMALL);
    fail(2, &["solve", &map, "--algorithm", "magic"]);
    fail(2, &["solve", &map, "--from", "1;0"]);
    fail(2, &["solve", &map, "--neighbours", "6"]);
    fail(2, &["solve", &map, "--weight", "0.5"]);
    fail(2, &["solve", &map, "--algorithm", "bfs", "--weight", "2"]);
    fail(2, &["solve", &map, "--algorithm", "jps4", "--neighbours", "8"]);
    fail(2, &["solve", &map, "--neighbours", "8", "--out", "x.txt"]);
    fail(2, &["render", &map, "--out", "x.gif"]);
    fail(2, &["frobnicate"]);
}

#[test]
fn any_angle_paths_are_drawn_and_refused_where_they_make_no_sense() {
    let folder = Folder::new();
    let map = folder.file("m.txt", "......\n......\n..#...\n......\n......\n");
    let ends = ["--from", "4,0", "--to", "0,5"];
    let ask = |more: &[&str]| succeed(&[&["solve", map.as_str()], &ends[..], more].concat());
    let exact: serde_json::Value =
        serde_json::from_str(&ask(&["--algorithm", "anyangle", "--json"])).unwrap();
    assert_eq!(exact["neighbours"], "8");
    assert_eq!(exact["path"], serde_json::json!([[4, 0], [3, 3], [0, 5]]));
    let expected = 10f64.sqrt() + 13f64.sqrt();
    assert!((exact["cost"].as_f64().unwrap() - expected).abs() < 1e-7, "{exact}");
    let drawn = ask(&["--algorithm", "theta", "--draw"]);
    assert!(drawn.contains("in any direction") && drawn.contains("not always shortest"), "{drawn}");
    assert!(drawn.contains(".....G\n") && drawn.contains("S*....\n"), "{drawn}");
    let table = succeed(&["compare", &map, "--neighbours", "8", "--from", "4,0", "--to", "0,5"]);
    assert!(table.contains("anyangle") && table.contains("theta"), "{table}");
    let refuse = |code, more: &[&str]| fail(code, &[&["solve", map.as_str()], &ends[..], more].concat());
    assert!(refuse(2, &["--algorithm", "anyangle", "--neighbours", "4"]).contains("it works with 8"));
    assert!(refuse(2, &["--algorithm", "theta", "--weight", "2"]).contains("--weight is for astar"));
    assert!(refuse(2, &["--algorithm", "anyangle", "--out", "x.txt"]).contains("needs --neighbours 4"));
    let heavy = folder.file("heavy.txt", "S.3.G\n");
    let message = fail(1, &["solve", &heavy, "--algorithm", "anyangle"]);
    assert!(message.contains("needs cells of equal weight"), "{message}");
}

#[test]
fn files_that_cannot_be_read_or_written() {
    let folder = Folder::new();
    let map = folder.file("m.txt", SMALL);
    let missing = folder.path("missing.txt").display().to_string();
    assert!(fail(1, &["solve", &missing]).contains("cannot read"));
    let nowhere = folder.path("no/such/folder/out.txt").display().to_string();
    assert!(fail(1, &["solve", &map, "--out", &nowhere]).contains("cannot write"));
}

const ARENA: &str = "type octile\nheight 3\nwidth 4\nmap\n....\n.@..\n....\n";

#[test]
fn scenarios_are_checked() {
    let folder = Folder::new();
    folder.file("arena.map", ARENA);
    let good = "version 1\n0\tmaps/arena.map\t4\t3\t0\t0\t3\t2\t4.41421\n0\tmaps/arena.map\t4\t3\t2\t0\t3\t1\t1.41421\n";
    let good = folder.file("arena.map.scen", good);
    for algorithm in ["jps", "jps+", "astar", "dijkstra", "bidirectional", "deadend"] {
        assert!(succeed(&["scen", &good, "--algorithm", algorithm]).contains("mismatches  0"), "{algorithm}");
    }
    let wrong = folder.file("w.scen", "version 1.0\n0 arena.map 4 3 0 0 3 2 4.2\n");
    let message = fail(1, &["scen", &wrong]);
    assert!(message.contains("w.scen:2:1: cost 4.414214 where the file says 4.2"), "{message}");
    let other = folder.file("o.scen", "version 1\n0 b.map 4 3 0 0 3 2 5\n");
    let map = folder.path("arena.map").display().to_string();
    let message = fail(1, &["scen", &other, "--map", &map]);
    assert!(
        message.contains("o.scen:2:1: the scenario is for the map 'b.map', not for 'arena.map'"),
        "{message}"
    );
    let size = folder.file("s.scen", "version 1\n0 arena.map 9 3 0 0 3 2 5\n");
    assert!(fail(1, &["scen", &size]).contains("for a map 9 wide"));
    let wall = folder.file("x.scen", "version 1\n0 arena.map 4 3 1 1 3 2 5\n");
    assert!(fail(1, &["scen", &wall]).contains("x.scen:2:1: the start 1,1 (row, column) is in a wall"));
    assert!(fail(1, &["scen", &folder.file("v.scen", "version 7\n")]).contains("v.scen:1:1: the first line"));
}

#[test]
fn generate_render_and_compare() {
    let folder = Folder::new();
    for style in maze::generate::Style::ALL {
        let map = folder.path("made.txt").display().to_string();
        succeed(&[
            "generate",
            style.name(),
            "--height",
            "31",
            "--width",
            "41",
            "--seed",
            "9",
            "--density",
            "0.1",
            "--out",
            &map,
        ]);
        succeed(&["solve", &map, "--algorithm", "jps4"]);
        let [svg, png, txt, chart] = ["a.svg", "a.png", "a.txt", "c.svg"].map(|name| folder.path(name));
        for out in [&svg, &png, &txt] {
            succeed(&["render", &map, "--algorithm", "astar", "--out", out.to_str().unwrap()]);
        }
        assert!(std::fs::read_to_string(svg).unwrap().contains("<polyline"));
        assert!(std::fs::read(png).unwrap().starts_with(b"\x89PNG"));
        assert!(std::fs::read_to_string(&txt).unwrap().contains('*'));
        succeed(&["solve", txt.to_str().unwrap()]);
        let table = succeed(&["compare", &map, "--svg", chart.to_str().unwrap()]);
        assert!(table.contains("idastar") && table.contains("jps4"), "{table}");
        assert!(std::fs::read_to_string(chart).unwrap().starts_with("<svg"));
    }
    // No terminal here, so no colours: the drawing.
    assert!(succeed(&["render", &folder.file("m.txt", SMALL)]).starts_with("#####\n....#\n"));
    assert!(fail(1, &["generate", "prim", "--height", "2"]).contains("at least 3 rows"));
}

#[test]
fn a_query_in_a_wall_does_not_end_the_scenario_file() {
    let folder = Folder::new();
    folder.file("m.map", "type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n");
    let scen = "version 1\n0\tm.map\t3\t2\t0\t0\t1\t1\t1\n0\tm.map\t3\t2\t0\t0\t2\t0\t2\n";
    let scen = folder.file("m.map.scen", scen);
    let output = tengen(&["scen", &scen, "--json"]);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["queries"], &answer["mismatches"]), (&2.into(), &serde_json::json!([])), "{answer}");
    assert_eq!(answer["invalid"][0]["line"], 2, "{answer}");
    let message = fail(1, &["scen", &scen]);
    assert!(message.contains(":2:1: the goal 1,1 (row, column) is in a wall"), "{message}");
}

#[test]
fn a_prepared_map_is_looked_up_and_a_changed_one_refused() {
    let folder = Folder::new();
    let text = "type octile\nheight 5\nwidth 6\nmap\n......\n.@@@@.\n......\n.@..@.\n......\n";
    let map = folder.file("demo.map", text);
    let said: serde_json::Value =
        serde_json::from_str(&succeed(&["prepare", &map, "--threads", "2", "--json"])).unwrap();
    assert!(said["subgoals"].as_u64().unwrap() > 0);
    let table = std::fs::metadata(folder.path("demo.map.subgoals")).unwrap();
    assert_eq!(Some(table.len()), said["bytes"].as_u64());
    let ask = |algorithm| ["solve", &map, "--algorithm", algorithm, "--from", "0,2", "--to", "4,3", "--json"];
    let cost = |algorithm| {
        serde_json::from_str::<serde_json::Value>(&succeed(&ask(algorithm))).unwrap()["cost"].clone()
    };
    assert_eq!(cost("subgoal"), cost("astar"));
    folder.file("demo.map", text.replace(".@..@.", ".@@.@."));
    let message = fail(1, &ask("subgoal"));
    assert!(message.contains("demo.map.subgoals") && message.contains("changed since"), "{message}");
    let weighted = folder.file("weighted.txt", "2..\n...\n");
    for table in ["subgoals", "firstmoves"] {
        assert!(fail(1, &["prepare", &weighted, "--table", table]).contains("different weight"));
    }
    fail(2, &["prepare", &weighted, "--table", "magic"]);
}

#[test]
fn a_first_move_table_is_used_where_it_lies_beside_its_map() {
    let folder = Folder::new();
    // More cells than a table is made for at once.
    let rows: String =
        (0..80).map(|row| if row % 2 == 0 { ".".repeat(80) } else { "@".repeat(79) + "." } + "\n").collect();
    let text = format!("type octile\nheight 80\nwidth 80\nmap\n{}", rows.replace("@@@@@@@@@@", "@....@...."));
    let map = folder.file("demo.map", &text);
    let ask =
        |algorithm| ["solve", &map, "--algorithm", algorithm, "--from", "0,2", "--to", "78,3", "--json"];
    let message = fail(1, &ask("firstmoves"));
    assert!(message.contains("tengen maze prepare makes it"), "{message}");
    let said: serde_json::Value =
        serde_json::from_str(&succeed(&["prepare", &map, "--table", "firstmoves", "--json"])).unwrap();
    assert!(said["runs"].as_u64() > said["cells"].as_u64(), "{said}");
    let cost = |algorithm| {
        serde_json::from_str::<serde_json::Value>(&succeed(&ask(algorithm))).unwrap()["cost"].clone()
    };
    assert_eq!(cost("firstmoves"), cost("astar"));
    folder.file("demo.map", text.replacen("........", "...@....", 1));
    let message = fail(1, &ask("firstmoves"));
    assert!(message.contains("demo.map.firstmoves") && message.contains("changed since"), "{message}");
    std::fs::write(folder.path("demo.map.firstmoves"), b"tengensg").unwrap();
    assert!(fail(1, &ask("firstmoves")).contains("not a first-move table"));
}

#[test]
fn scenarios_on_several_threads_give_the_same_counts() {
    let folder = Folder::new();
    folder.file("m.map", "type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n");
    let line = "0\tm.map\t3\t2\t0\t0\t2\t0\t2\n0\tm.map\t3\t2\t0\t1\t2\t1\t4\n";
    let scen = folder.file("m.map.scen", format!("version 1\n{}", line.repeat(30)));
    let ask = |threads| {
        let said = succeed(&["scen", &scen, "--json", "--threads", threads]);
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        (said["queries"].clone(), said["mismatches"].clone(), said["expanded"].clone())
    };
    assert_eq!(ask("3"), ask("1"));
    assert_eq!(ask("0"), ask("1"));
    assert!(fail(2, &["scen", &scen, "--threads", "2", "--time", "1"]).contains("--threads"));
}

#[test]
fn the_nearest_goals_and_the_distances_to_all() {
    let folder = Folder::new();
    let map = folder.file("m.txt", "S..#.\n.#...\n...#.\n####.\n.....\n");
    let goals = folder.file("goals.txt", "0,4\n2,0\n\n0,1\n");
    let ask = |more: &[&str]| {
        let said = succeed(&[&["nearest", &map, "--goals", &goals, "--json"], more].concat());
        let said: serde_json::Value = serde_json::from_str(&said).unwrap();
        let reached = said["reached"].as_array().unwrap().clone();
        reached
            .into_iter()
            .map(|goal| (goal["index"].as_u64().unwrap(), goal["cost"].as_f64().unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(ask(&[]), [(2, 1.0), (1, 2.0), (0, 6.0)]);
    assert_eq!(ask(&["--count", "1", "--goal", "4,4"]), [(3, 1.0)], "goals of the command come first");
    assert!(succeed(&["nearest", &map, "--goal", "0,1"]).contains("1 of 1 goals"));
    let broken = folder.file("broken.txt", "0,4\n2 0\n");
    assert!(fail(1, &["nearest", &map, "--goals", &broken]).contains("broken.txt:2:1"));
    assert!(fail(1, &["nearest", &map, "--goal", "1,1"]).contains("in a wall"));
    assert!(fail(1, &["nearest", &map, "--goal", "9,9"]).contains("outside the map"));
    fail(2, &["nearest", &map]);
    fail(2, &["nearest", &map, "--goal", "0,1", "--weight", "2"]);
}
