//! The queue, without threads.

use super::*;

fn push(queue: &mut Queue, client: &str) -> Result<u64, Full> {
    queue.push(Class::Analysis, client, 1.into(), StopFlag::new(), Box::new(|_| {}))
}

#[test]
fn clients_take_turns() {
    let mut queue = Queue::new(1, 10);
    let greedy: Vec<_> = (0..5).map(|_| push(&mut queue, "greedy").unwrap()).collect();
    let modest = push(&mut queue, "modest").unwrap();
    assert_eq!(queue.place(modest), Some(1));
    let mut order = Vec::new();
    while let Some(entry) = queue.pop() {
        order.push(entry.number);
        queue.done(entry.number);
    }
    assert_eq!(order, [greedy[0], modest, greedy[1], greedy[2], greedy[3], greedy[4]]);
}

#[test]
fn one_client_has_a_limit_and_a_cancelled_entry_frees_it() {
    let mut queue = Queue::new(1, 2);
    let first = push(&mut queue, "a").unwrap();
    push(&mut queue, "a").unwrap();
    assert_eq!(push(&mut queue, "a"), Err(Full));
    assert!(queue.cancel(first));
    assert!(!queue.cancel(first));
    push(&mut queue, "a").unwrap();
}

#[test]
fn a_search_with_many_threads_is_not_overtaken_for_ever() {
    let mut queue = Queue::new(2, 10);
    let one = push(&mut queue, "a").unwrap();
    queue.push(Class::Analysis, "b", 2.into(), StopFlag::new(), Box::new(|_| {})).unwrap();
    push(&mut queue, "c").unwrap();
    assert_eq!(queue.pop().map(|entry| entry.number), Some(one));
    assert!(queue.pop().is_none(), "the wide search waits, and nobody overtakes it");
    queue.done(one);
    assert_eq!(queue.pop().map(|entry| entry.threads), Some(2));
}

/// Starts everything that fits and returns whose it was.
fn run_all(queue: &mut Queue) -> Vec<QueuedWork> {
    std::iter::from_fn(|| queue.pop()).collect()
}

fn push_play(queue: &mut Queue, client: &str) -> u64 {
    queue.push(Class::Play, client, 1.into(), StopFlag::new(), Box::new(|_| {})).unwrap()
}

fn stopped(entries: &[QueuedWork]) -> usize {
    entries.iter().filter(|entry| entry.stop.is_stopped()).count()
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn a_long_analysis_gives_way() {
    let mut queue = Queue::new(1, 10);
    push(&mut queue, "a").unwrap();
    let running = run_all(&mut queue);
    assert_eq!(running.len(), 1);
    let began = Instant::now();
    queue.rotate(began + 100 * SECOND);
    assert_eq!(stopped(&running), 0, "nobody waits");
    push(&mut queue, "b").unwrap();
    queue.rotate(began + 9 * SECOND);
    assert_eq!(stopped(&running), 0, "its share is not over");
    queue.rotate(began + 11 * SECOND);
    assert_eq!(stopped(&running), 1);
}

#[test]
fn neither_class_fills_the_pool() {
    for (slots, analyses, moves) in [(1, 1, 1), (2, 2, 1), (4, 4, 1)] {
        let mut queue = Queue::new(slots, 100);
        for _ in 0..10 {
            push(&mut queue, "a").unwrap();
        }
        assert_eq!(run_all(&mut queue).len(), analyses);
        for _ in 0..10 {
            push_play(&mut queue, "b");
        }
        assert_eq!(run_all(&mut queue).len(), moves);
        let mut queue = Queue::new(slots, 100);
        for _ in 0..10 {
            push_play(&mut queue, "b");
        }
        assert_eq!(run_all(&mut queue).len(), slots);
        queue.push(Class::Analysis, "a", slots.into(), StopFlag::new(), Box::new(|_| {})).unwrap();
        assert_eq!(run_all(&mut queue).len(), 1, "a wide analysis runs beside any number of moves");
    }
}

#[test]
fn one_of_several_searches_gives_way_soon_and_only_one() {
    let mut queue = Queue::new(3, 100);
    for _ in 0..10 {
        push_play(&mut queue, "greedy");
    }
    let running = run_all(&mut queue);
    assert_eq!(running.len(), 3);
    let began = Instant::now();
    push_play(&mut queue, "modest");
    queue.rotate(began);
    assert_eq!(stopped(&running), 0, "each has its second");
    queue.rotate(began + 2 * SECOND);
    queue.rotate(began + 2 * SECOND);
    assert_eq!(stopped(&running), 1, "one is enough for one who waits");
    let ended = running.iter().find(|entry| entry.stop.is_stopped()).unwrap().number;
    queue.done(ended);
    let next = run_all(&mut queue);
    assert_eq!(next.len(), 1);
    assert_eq!(
        queue.running.last().unwrap().client,
        "modest",
        "whoever waited is next, not the line of the greedy"
    );
    queue.rotate(began + 100 * SECOND);
    assert_eq!(
        stopped(&running) + stopped(&next),
        1,
        "2 against 1 is fair enough; nobody without a search waits"
    );
}

#[test]
fn a_client_with_a_long_line_waits_behind_one_with_a_single_search() {
    let mut queue = Queue::new(1, 100);
    for _ in 0..10 {
        push(&mut queue, "greedy").unwrap();
    }
    let running = run_all(&mut queue);
    let began = Instant::now();
    queue.rotate(began + 100 * SECOND);
    assert_eq!(stopped(&running), 0, "its own line displaces nothing");
    push(&mut queue, "modest").unwrap();
    queue.rotate(began + 2 * SECOND);
    assert_eq!(stopped(&running), 1);
    queue.done(running[0].number);
    assert_eq!(run_all(&mut queue).len(), 1);
    assert_eq!(queue.running[0].client, "modest");
}

#[test]
fn pondering_takes_idle_threads_only_and_ends_when_anybody_asks() {
    let ponder = |queue: &mut Queue, client: &str| {
        queue.push(Class::Ponder, client, 1.into(), StopFlag::new(), Box::new(|_| {}))
    };
    let mut queue = Queue::new(2, 1);
    ponder(&mut queue, "a").unwrap();
    let first = run_all(&mut queue);
    assert_eq!(ponder(&mut queue, "a"), Err(Full), "one engine per client");
    ponder(&mut queue, "b").unwrap();
    assert_eq!(ponder(&mut queue, "c"), Err(Full), "the place is taken");
    let second = run_all(&mut queue);
    assert_eq!((stopped(&first), stopped(&second), queue.pondering()), (0, 0, 2));
    // Neither the limit per client nor a thread is taken from what anybody asks for.
    push_play(&mut queue, "a");
    push(&mut queue, "b").unwrap();
    assert_eq!((stopped(&first), stopped(&second)), (1, 1));
    assert_eq!(run_all(&mut queue).len(), 2);
    first.iter().chain(&second).for_each(|entry| queue.done(entry.number));
    assert_eq!(ponder(&mut queue, "c"), Err(Full), "both threads work");
}

#[test]
fn pondering_that_has_not_begun_ends_too() {
    let mut queue = Queue::new(2, 10);
    queue.push(Class::Ponder, "a", 1.into(), StopFlag::new(), Box::new(|_| {})).unwrap();
    push_play(&mut queue, "b");
    let stopped: Vec<bool> = run_all(&mut queue).iter().map(|entry| entry.stop.is_stopped()).collect();
    assert_eq!(stopped, [true, false]);
}

#[test]
fn work_that_may_run_anywhere_goes_to_workers_and_what_is_left_runs_here() {
    let mut queue = Queue::new(1, 100);
    queue.set_workers(2);
    for client in ["a", "b", "c", "d"] {
        queue.push(Class::Play, client, Need::anywhere(1), StopFlag::new(), Box::new(|_| {})).unwrap();
    }
    push(&mut queue, "here").unwrap();
    let places: Vec<Place> = run_all(&mut queue).iter().map(|entry| entry.place).collect();
    // The fourth move waits for one of them; the analysis has the thread that moves cannot use.
    assert_eq!(places, [Place::Worker, Place::Worker, Place::Here, Place::Here]);
    queue.done(1);
    queue.set_workers(1);
    assert!(run_all(&mut queue).is_empty(), "a worker has left");
    queue.done(2);
    assert_eq!(run_all(&mut queue).len(), 1);
}

/// Many clients with long searches: every one gets a turn within a share for each before it.
#[test]
fn clients_without_a_search_displace_those_with_one() {
    let mut queue = Queue::new(2, 100);
    for client in ["a", "b", "c", "d"] {
        push_play(&mut queue, client);
    }
    let running = run_all(&mut queue);
    assert_eq!(running.len(), 2);
    queue.rotate(Instant::now() + 2 * SECOND);
    assert_eq!(stopped(&running), 2, "two wait, two give way");
}
