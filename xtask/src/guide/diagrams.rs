//! The diagrams of the guide: how a move reaches the disk, and the parts of a site of several servers.

use super::Language;
use super::drawing::{ACCENT, ALARM, Anchor, DIM, Drawing, INK, LINE};

/// A move on its way to the disk and its acknowledgement on the way back, from top to bottom.
pub(super) fn durability(language: Language) -> String {
    let say = |english, chinese| language.pick(english, chinese);
    let mut drawing = Drawing::new(760.0, 420.0);
    let (browser, server, database) = (110.0, 380.0, 650.0);
    for (x, title, about) in [
        (browser, say("browser", "浏览器"), say("keeps the move until told", "得到确认之前留着这一手")),
        (server, say("server", "服务器"), say("asks the rules", "由规则判定")),
        (database, say("database", "数据库"), say("SQLite or PostgreSQL", "SQLite 或 PostgreSQL")),
    ] {
        drawing.line(&[(x, 70.0), (x, 360.0)], LINE, 1.0);
        drawing.panel((x - 105.0, 14.0), (210.0, 56.0), &[title, about]);
    }
    let mut message = |from: f64, to: f64, y: f64, words: &str| {
        let gap = if to > from { 6.0 } else { -6.0 };
        drawing.arrow((from + gap, y), (to - gap, y));
        drawing.text(((from + to) / 2.0, y - 7.0), Anchor::Middle, INK, words);
    };
    message(browser, server, 115.0, say("move h8, ply 12", "着法 h8，序号 12"));
    message(server, database, 155.0, say("events of all waiting moves", "所有等待中的事件"));
    message(database, server, 225.0, say("committed", "已提交"));
    message(server, browser, 265.0, "applied: true");
    message(browser, server, 315.0, say("again: ply 12", "重发：序号 12"));
    message(server, browser, 350.0, "applied: false");
    drawing.panel((database - 75.0, 172.0), (150.0, 34.0), &[say("commit, fsync", "提交并同步磁盘")]);
    drawing.dashes((14.0, 190.0), (database - 85.0, 190.0), ALARM);
    drawing.text(
        (16.0, 183.0),
        Anchor::Start,
        ALARM,
        say("killed above: never told, sent again", "在此之前中断：未确认，重发"),
    );
    drawing.text(
        (16.0, 206.0),
        Anchor::Start,
        ACCENT,
        say("killed below: the move is kept", "在此之后中断：着法仍在"),
    );
    let summary = say("An acknowledgement is sent only for what is on the disk.", "磁盘上有了，才发出确认。");
    drawing.text((380.0, 400.0), Anchor::Middle, DIM, summary);
    drawing.finish()
}

/// Browsers, a load balancer, servers with the games they own, and what they share.
pub(super) fn site(language: Language) -> String {
    let say = |english, chinese| language.pick(english, chinese);
    let mut drawing = Drawing::new(760.0, 470.0);
    let columns = [140.0, 380.0, 620.0];
    drawing.panel((250.0, 14.0), (260.0, 42.0), &[say("browsers, bots", "浏览器、机器人")]);
    drawing.arrow((380.0, 56.0), (380.0, 86.0));
    let balancer = [
        say("load balancer", "负载均衡"),
        say("any server will do; asks /healthz", "哪台都行；查询 /healthz"),
    ];
    drawing.panel((220.0, 88.0), (320.0, 56.0), &balancer);
    let games = [
        say("games 1, 4, 7", "对局 1、4、7"),
        say("games 2, 5", "对局 2、5"),
        say("games 3, 6", "对局 3、6"),
    ];
    let names = [say("server 1", "服务器 1"), say("server 2", "服务器 2"), say("server 3", "服务器 3")];
    for (index, x) in columns.into_iter().enumerate() {
        drawing.arrow((380.0 + (x - 380.0) * 0.4, 144.0), (x, 182.0));
        drawing.panel((x - 100.0, 184.0), (200.0, 56.0), &[names[index], games[index]]);
        drawing.exchange((x, 242.0), (190.0 + (x - 140.0) * 0.2, 306.0));
        drawing.exchange((x, 242.0), (450.0 + (x - 140.0) * 0.22, 306.0));
    }
    let record = [
        "PostgreSQL",
        say("events, leases, one row per server:", "事件、租约、每台服务器一行："),
        say("the record", "以此为准"),
    ];
    drawing.panel((70.0, 308.0), (300.0, 76.0), &record);
    let transport = [
        "NATS",
        say("requests to a game's owner, news:", "转给对局主人的请求、消息："),
        say("may lose anything", "丢什么都不要紧"),
    ];
    drawing.panel((390.0, 308.0), (300.0, 76.0), &transport);
    drawing.exchange((540.0, 386.0), (540.0, 412.0));
    let workers = [say("workers", "工作机"), say("matches, engine moves", "比赛、引擎走子")];
    drawing.panel((420.0, 414.0), (240.0, 48.0), &workers);
    drawing.finish()
}

#[test]
fn both_diagrams_speak_both_languages() {
    for draw in [durability, site] {
        let (english, chinese) = (draw(Language::English), draw(Language::Chinese));
        assert!(english.contains("server") && !english.contains("服务器"));
        assert!(chinese.contains("服务器") && !chinese.contains(">server"));
        assert_eq!(english.matches("<path").count(), chinese.matches("<path").count());
    }
}
