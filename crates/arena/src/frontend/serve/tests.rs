//! The loop with real threads: commands during a search, stopping, leaving, and engines that misbehave.

use super::super::testing::{FIVE, Scripted};
use super::super::{GomocupFrontend, HtpFrontend};
use super::*;
use std::io::BufReader;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(60);

/// What the frontend has sent so far.
#[derive(Clone, Default)]
struct Sent(Arc<Mutex<Vec<u8>>>);

impl Write for Sent {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A client that writes lines with pauses between them.
struct Client {
    pipe: std::io::PipeWriter,
    sent: Sent,
    server: thread::JoinHandle<()>,
}

impl Client {
    fn new(engine: Scripted, frontend: impl FnOnce() -> Box<dyn Frontend> + Send + 'static) -> Client {
        let (reader, pipe) = std::io::pipe().unwrap();
        let sent = Sent::default();
        let mut output = sent.clone();
        let server = thread::spawn(move || {
            serve(&mut *frontend(), Box::new(engine), BufReader::new(reader), &mut output, &|| false)
                .unwrap();
        });
        Client { pipe, sent, server }
    }

    fn gomocup(engine: Scripted) -> Client {
        Client::new(engine, || Box::new(GomocupFrontend::new(&FIVE, "scripted", "1", Limits::default())))
    }

    fn write(&mut self, lines: &str) {
        self.pipe.write_all(lines.as_bytes()).unwrap();
    }

    /// Waits until so many replies (not messages) have come, and gives them.
    fn wait(&self, count: usize) -> Vec<String> {
        let since = Instant::now();
        loop {
            let replies = self.replies();
            if replies.len() >= count || since.elapsed() > Duration::from_secs(20) {
                return replies;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn replies(&self) -> Vec<String> {
        let bytes = self.sent.0.lock().unwrap().clone();
        let text = String::from_utf8(bytes).unwrap();
        text.lines().filter(|line| !line.starts_with("MESSAGE")).map(str::to_string).collect()
    }

    /// Closes the input and gives everything that was sent.
    fn close(self) -> Vec<String> {
        drop(self.pipe);
        self.server.join().unwrap();
        let bytes = self.sent.0.lock().unwrap().clone();
        let text = String::from_utf8(bytes).unwrap();
        text.lines().filter(|line| !line.starts_with("MESSAGE")).map(str::to_string).collect()
    }
}

#[test]
fn no_command_is_lost_during_a_search_and_stop_is_obeyed_at_once() {
    let mut client = Client::gomocup(Scripted { thinks: LONG, ..Scripted::default() });
    client.write("START 15\nBEGIN\n");
    assert_eq!(client.wait(1), ["OK"]);
    client.write("ABOUT\n");
    assert!(client.wait(2)[1].starts_with("name="), "answered while thinking");
    client.write("INFO timeout_turn 100\nTURN 5,5\nYXSHOWFORBID\nTURN 6,6\nFLY\n");
    thread::sleep(Duration::from_millis(50));
    assert_eq!(client.replies().len(), 2, "these wait");
    let stopped = Instant::now();
    client.write("YXSTOP\n");
    assert_eq!(client.wait(3)[2], "0,0");
    assert!(stopped.elapsed() < LONG / 2);
    let replies = client.close();
    assert_eq!(replies[2..6], ["0,0", "1,0", "FORBID .", "2,0"]);
    assert!(replies[6].starts_with("UNKNOWN command 'FLY'"));
    assert_eq!(replies.len(), 7);
}

#[test]
fn the_deadline_stops_an_engine_that_knows_no_time() {
    let mut client = Client::gomocup(Scripted { thinks: LONG, ..Scripted::default() });
    client.write("START 15\n");
    client.wait(1);
    for turn in [0, 200] {
        let count = client.replies().len();
        let since = Instant::now();
        client.write(&format!("INFO timeout_turn {turn}\nRESTART\nBEGIN\n"));
        assert_eq!(client.wait(count + 2)[count + 1], "0,0");
        // By itself it would think far longer. The turn and 30 ms are the promise, but not on a loaded machine.
        assert!(since.elapsed() < LONG / 2, "{turn}: {:?}", since.elapsed());
    }
    client.close();
}

#[test]
fn leaving_cuts_searches_short_but_answers_what_came_before() {
    let mut client = Client::gomocup(Scripted { thinks: LONG, ..Scripted::default() });
    let since = Instant::now();
    client.write("START 15\nBEGIN\nTURN 5,5\nEND\nTURN 6,6\n");
    assert_eq!(client.close(), ["OK", "0,0", "1,0"]);
    assert!(since.elapsed() < Duration::from_secs(10));
}

#[test]
fn the_end_of_the_input_lets_everything_finish() {
    let thinks = Duration::from_millis(30);
    let mut client = Client::gomocup(Scripted { thinks, ..Scripted::default() });
    client.write("START 15\r\nBEGIN\r\n\r\nTURN 5,5\r\nABOUT");
    let replies = client.close();
    assert_eq!(replies.iter().filter(|line| line.contains(',') && !line.contains('=')).count(), 2);
    assert!(replies.iter().any(|line| line.starts_with("name=")));
}

#[test]
fn pondering_gives_way_to_the_next_command() {
    let mut client = Client::gomocup(Scripted { thinks: LONG, ..Scripted::default() });
    client.write("START 15\nINFO pondering 1\nINFO timeout_turn 50\nBEGIN\n");
    assert_eq!(client.wait(2), ["OK", "0,0"]);
    thread::sleep(Duration::from_millis(30));
    client.write("TURN 5,5\n");
    assert_eq!(client.wait(3)[2], "1,0");
    client.write("INFO pondering 0\nTURN 6,6\n");
    assert_eq!(client.wait(4)[3], "2,0");
    assert_eq!(client.close().len(), 4);
}

#[test]
fn an_engine_that_panics_is_an_error_and_the_frontend_goes_on() {
    let mut client = Client::gomocup(Scripted { panics: true, ..Scripted::default() });
    client.write("START 15\nBEGIN\nABOUT\n");
    let replies = client.close();
    assert!(replies.contains(&"ERROR the engine panicked".to_string()), "{replies:?}");
    assert!(replies.iter().any(|line| line.starts_with("name=")));
}

#[test]
fn htp_answers_come_in_order_and_end_with_an_empty_line() {
    let frontend = || {
        Box::new(HtpFrontend::new(&FIVE, "scripted", "1", Limits::default()).unwrap()) as Box<dyn Frontend>
    };
    let mut client =
        Client::new(Scripted { thinks: Duration::from_millis(20), ..Scripted::default() }, frontend);
    client.write("1 boardsize 11\n2 genmove b\n3 play w c3\n4 genmove b\n5 quit\n6 name\n");
    assert_eq!(client.close(), ["=1", "", "=2 a1", "", "=3", "", "=4 b1", "", "=5", ""]);
}

#[test]
fn overlong_and_broken_lines_are_survived() {
    let mut client = Client::gomocup(Scripted::default());
    client.pipe.write_all(&vec![b'x'; 200_000]).unwrap();
    client.pipe.write_all(b"\n\xff\xfe\x00\nSTART 15\nBEGIN\n").unwrap();
    let replies = client.close();
    assert_eq!(replies.len(), 4);
    assert!(replies[..2].iter().all(|line| line.starts_with("UNKNOWN") && line.len() < 400));
    assert_eq!(replies[2..], ["OK", "0,0"]);
}

#[test]
fn a_flood_of_commands_is_refused_beyond_a_bound_and_stop_gets_through() {
    let mut client = Client::gomocup(Scripted { thinks: LONG, ..Scripted::default() });
    client.write("START 15\nBEGIN\n");
    client.wait(1);
    let flood = 3 * MAX_WAITING_LINES;
    client.write(&"FLY\n".repeat(flood));
    client.write("YXSTOP\n");
    let refused = |line: &String| line.starts_with("ERROR 'FLY': dropped: too many commands");
    let replies = client.wait(2 + flood);
    let stopped = replies.iter().position(|line| line == "0,0").unwrap();
    assert_eq!(replies[..stopped].iter().filter(|line| refused(line)).count(), flood - MAX_WAITING_LINES);
    let unknown = replies.iter().filter(|line| line.starts_with("UNKNOWN command 'FLY'")).count();
    assert_eq!(unknown, MAX_WAITING_LINES, "those that waited are answered after the search");
    client.close();
}

#[test]
fn a_client_that_floods_can_still_leave() {
    let mut client = Client::gomocup(Scripted { thinks: LONG, ..Scripted::default() });
    client.write("START 15\nBEGIN\n");
    client.wait(1);
    client.write(&"TURN 1,1\n".repeat(2 * MAX_WAITING_LINES));
    client.write("END\n");
    let since = Instant::now();
    client.server.join().unwrap();
    assert!(since.elapsed() < Duration::from_secs(20));
}

#[test]
fn nobody_is_served_when_both_pipes_are_closed() {
    let (reader, mut pipe) = std::io::pipe().unwrap();
    pipe.write_all(b"START 15\nINFO timeout_turn 60000\nBEGIN\n").unwrap();
    drop(pipe);
    let since = Instant::now();
    let mut frontend = GomocupFrontend::new(&FIVE, "scripted", "1", Limits::default());
    let engine = Box::new(Scripted { thinks: LONG, ..Scripted::default() });
    serve(&mut frontend, engine, BufReader::new(reader), &mut Vec::new(), &|| true).unwrap();
    assert!(since.elapsed() < Duration::from_secs(20), "the search of 60 s was abandoned");
}

#[test]
fn quit_of_htp_waits_for_the_answers_before_it() {
    let frontend = HtpFrontend::new(&FIVE, "scripted", "1", Limits::default()).unwrap();
    assert_eq!(frontend.urgency("7 quit"), Urgency::LeaveInOrder);
    assert_eq!(frontend.urgency("genmove b"), Urgency::Wait);
    assert_eq!(frontend.refuse("7 genmove b", "dropped"), "?7 dropped\n");
}
