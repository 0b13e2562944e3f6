use super::*;

#[test]
fn sgf_keeps_variations_comments_and_set_up() {
    let text = "(;GM[4]SZ[15]RU[Renju]AB[h8][hf]AW[i9]PL[W];W[j10]C[a\\]b](;B[k11];W[a1])(;B[l12]C[else]))";
    let stop = StopFlag::new();
    let tree = Tree::read(&gomoku::GOMOKU, text, &stop).unwrap();
    let [first] = tree.nodes.as_slice() else { panic!("one first move") };
    assert_eq!((first.text.as_str(), first.comment.as_str()), ("j10", "a]b"));
    let answers: Vec<_> = first.children.iter().map(|node| (&*node.text, &*node.comment)).collect();
    assert_eq!(answers, [("k11", ""), ("l12", "else")]);
    assert_eq!(first.children[0].children[0].text, "a1");
    let written = tree.sgf(&gomoku::GOMOKU, &Default::default(), &stop).unwrap();
    assert!(written.contains("RU[renju]") || written.contains("RU[Renju]"), "{written}");
    let again = Tree::read(&gomoku::GOMOKU, &written, &stop).unwrap();
    assert_eq!(again.json(), tree.json(), "{written}");
}

/// What is read from `text`, and from what is written of it.
fn read_twice(game: &'static dyn Game, text: &str) -> [serde_json::Value; 2] {
    let stop = StopFlag::new();
    let tree = Tree::read(game, text, &stop).unwrap();
    let written = tree.sgf(game, &Default::default(), &stop).unwrap();
    let again = Tree::read(game, &written, &stop).unwrap();
    [tree, again].map(|tree| serde_json::from_str(&tree.json()).unwrap())
}

#[test]
fn names_result_date_comments_and_unknown_properties_survive() {
    let text = "(;GM[4]SZ[15]PB[Ann]PW[Ben]RE[B+R]DT[2024-05-01]EV[Final]C[before it];B[hh]BL[12.5]C[first]\
        (;W[ii]C[one])(;W[ii]C[two];B[jj]))";
    let [read, again] = read_twice(&gomoku::GOMOKU, text);
    assert_eq!(read, again);
    let root = json!({ "comment": "before it", "properties":
        { "PB": ["Ann"], "PW": ["Ben"], "RE": ["B+R"], "DT": ["2024-05-01"], "EV": ["Final"] } });
    assert_eq!(read["root"], root);
    assert_eq!(read["tree"][0]["properties"], json!({ "BL": ["12.5"] }));
    assert_eq!(read["tree"][0]["children"][0]["comment"], "one\n\ntwo", "of both variations");
}

#[test]
fn drawings_survive_in_both_games() {
    let gomoku = "(;GM[4]SZ[15];B[hh]TR[aa]SQ[bb]CR[cc:de]MA[ff]LN[aa:cc]AR[hh:jj]LB[gg:A][hi:b: c])";
    let hex = "(;FF[4]GM[11]SZ[11];B[c3]TR[a1]SQ[b2]CR[c3]MA[f6]LN[a1:c3]AR[h8:j10]LB[g7:A])";
    for (game, text, drawn) in [(&gomoku::GOMOKU as &'static dyn Game, gomoku, 13), (&::hex::HEX, hex, 7)] {
        let [read, again] = read_twice(game, text);
        assert_eq!(read, again);
        let marks = &read["tree"][0]["marks"];
        assert_eq!(marks.as_array().map(Vec::len), Some(drawn), "{marks}");
        let arrow = marks.as_array().and_then(|marks| marks.iter().find(|mark| mark["kind"] == "arrow"));
        assert_eq!(arrow.unwrap()["to"], json!([9, 9]));
    }
}

#[test]
fn what_is_no_point_and_what_games_use_themselves_is_left_out() {
    let text = "(;GM[4]SZ[15];B[hh]TR[zz][1]AR[hh]LB[hh]AR[hh:zz])";
    assert_eq!(read_twice(&gomoku::GOMOKU, text)[0]["tree"][0], json!({ "move": "h8" }));
    let properties = [("B", "aa"), ("AB", "bb"), ("lower", "x"), ("XX", "kept")];
    let properties = properties.map(|(name, value)| (name.to_string(), vec![value.to_string()]));
    let root = Note { properties: properties.into_iter().collect(), ..Note::default() };
    let nodes = vec![TreeNode { text: "h8".into(), ..TreeNode::default() }];
    let setup = Setup::of(&gomoku::GOMOKU, &*gomoku::GOMOKU.position(&game::Setup::empty(15, 15)).unwrap());
    let tree = Tree::checked(&gomoku::GOMOKU, &setup, root, nodes).unwrap();
    let written = tree.sgf(&gomoku::GOMOKU, &Default::default(), &StopFlag::new()).unwrap();
    assert!(
        written.contains("XX[kept]") && !written.contains("aa") && !written.contains("lower"),
        "{written}"
    );
}

/// A main line of commented moves with a variation of one move at each.
fn branching_tree(trunk: usize, comment: &str) -> (String, sgf::Tree) {
    let node = |at: usize| format!(";B[{}]C[{comment}]", char::from(b'a' + (at % 15) as u8));
    let mut text = String::from("(;GM[4]");
    for at in 0..trunk {
        text.push_str(&format!("{}(;W[b1])(", node(at)));
    }
    text.push_str(&format!(";W[c1]{}", ")".repeat(trunk + 1)));
    let tree = sgf::parse(&text).unwrap().swap_remove(0);
    (text, tree)
}

#[test]
fn comments_are_carried_once_however_many_variations_pass_them() {
    let (text, tree) = branching_tree(300, &"x".repeat(3_000));
    let (mut bytes, mut comments, mut paths) = (0, 0, 0);
    let read = each_sgf_path(&tree, &StopFlag::new(), |path, seen| {
        let said: Vec<&str> = seen.iter().filter_map(|(_, node)| node.value("C")).collect();
        bytes += path.len() + said.iter().map(|comment| comment.len()).sum::<usize>();
        comments += said.len();
        paths += 1;
        Ok(())
    });
    assert!(read.is_ok());
    assert_eq!((paths, comments), (301, 300));
    assert!(bytes < 2 * text.len(), "{bytes} of {}", text.len());
}

#[test]
fn large_properties_of_a_shared_trunk_are_refused() {
    let (text, _) = branching_tree(300, "");
    let large = text.replace("GM[4]", &format!("GM[4]XX[{}]", "y".repeat(100_000)));
    let tree = sgf::parse(&large).unwrap().swap_remove(0);
    let read = each_sgf_path(&tree, &StopFlag::new(), |_, _| Ok(()));
    assert_eq!(read.unwrap_err().code, "tree.too-large");
}

#[test]
fn reading_stops_when_nobody_waits() {
    let (_, tree) = branching_tree(100, "");
    let (stop, mut paths) = (StopFlag::new(), 0);
    let read = each_sgf_path(&tree, &stop, |_, _| {
        paths += 1;
        stop.stop();
        Ok(())
    });
    assert!(read.is_err());
    assert_eq!(paths, 1);
}
