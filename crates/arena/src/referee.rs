//! One game: asks the players in turn, keeps a [`Session`], and lets the rules decide.

use crate::adjudication::{Adjudication, Adjudicator, Ruling};
use crate::player::{Alarm, Fault, GameStart, MoveRequest, Player};
use game::{Game, IllegalMove, Limits, MoveNote, Position, Seat, StopFlag};
use play::{EventKind, Moment, Refusal, Session, TimeControl};
use std::time::{Duration, Instant, SystemTime};

pub use play::Termination;

/// Everything about a game except who plays it.
pub struct GamePlan<'a> {
    /// The game.
    pub game: &'static dyn Game,
    /// Where the players start; its history is the opening.
    pub opening: &'a dyn Position,
    /// The time control of each seat.
    pub controls: [TimeControl; 2],
    /// Threads, memory and seed of each seat.
    pub limits: [Limits; 2],
    /// When to end early.
    pub adjudication: Adjudication,
    /// Stops searches in process that overstay.
    pub alarm: &'a Alarm,
    /// Raised when the run is to stop.
    pub stop: &'a StopFlag,
}

/// A game that was refereed to its end.
#[derive(Clone)]
pub struct Played {
    /// The game: its moves with notes, the opening's without, and its end.
    pub session: Session,
    /// How many of the moves belong to the opening.
    pub opening_moves: usize,
    /// Time used by each seat, a fault's included.
    pub used: [Duration; 2],
    /// What each player left to show ([`Player::evidence`]): after a fault, and from programs with a process of
    /// their own for each game.
    pub logs: [String; 2],
}

impl Played {
    /// The winner; `None` is a draw.
    pub fn winner(&self) -> Option<Seat> {
        self.session.end().and_then(|end| end.winner).map(|(seat, _)| seat)
    }

    /// Why it ended.
    pub fn termination(&self) -> Termination {
        self.session.end().map_or(Termination::Aborted, |end| end.termination)
    }

    /// Did this player lose by its own fault?
    pub(crate) fn at_fault(&self, seat: Seat) -> bool {
        self.termination().is_fault() && self.winner() != Some(seat)
    }

    /// What is known of each move of the players, in order.
    pub fn notes(&self) -> impl Iterator<Item = &MoveNote> {
        self.session.plies().iter().skip(self.opening_moves).map(|ply| &ply.note)
    }
}

/// Plays one game. `None`: the run was stopped before it ended.
pub fn play(plan: &GamePlan, players: [&mut dyn Player; 2]) -> Option<Played> {
    let mut referee = Referee::new(plan, players);
    referee.open()?;
    while referee.session.end().is_none() {
        referee.turn()?;
    }
    for player in &mut referee.players {
        player.finish();
    }
    let opening_moves = plan.opening.history().len();
    let logs = referee.players.each_ref().map(|player| player.evidence().to_string());
    Some(Played { session: referee.session, opening_moves, used: referee.used, logs })
}

/// The end of a game whose player could not even be made.
pub(crate) fn not_started(
    game: &'static dyn Game,
    opening: &dyn Position,
    seat: Seat,
    why: &Fault,
) -> Played {
    let now = Moment::new(Instant::now(), SystemTime::now());
    let mut session = Session::with_controls(game, opening.boxed(), [TimeControl::default(); 2], now.unix_ms);
    let kind = EventKind::Forfeit { seat, termination: Termination::NoStart, why: why.to_string() };
    if let Ok(pending) = session.prepare(kind, now) {
        session.commit(pending, now.instant);
    }
    Played {
        session,
        opening_moves: opening.history().len(),
        used: Default::default(),
        logs: Default::default(),
    }
}

struct Referee<'a, 'p> {
    plan: &'a GamePlan<'a>,
    players: [&'p mut dyn Player; 2],
    session: Session,
    /// When the clock that runs was started.
    started: Instant,
    /// A moment of the game by both clocks; all others are counted from it.
    created: Moment,
    adjudicator: Adjudicator,
    used: [Duration; 2],
}

impl<'a, 'p> Referee<'a, 'p> {
    fn new(plan: &'a GamePlan, players: [&'p mut dyn Player; 2]) -> Referee<'a, 'p> {
        let created = Moment::new(Instant::now(), SystemTime::now());
        Referee {
            plan,
            players,
            session: Session::with_controls(plan.game, plan.opening.boxed(), plan.controls, created.unix_ms),
            started: created.instant,
            created,
            adjudicator: Adjudicator::new(plan.adjudication),
            used: Default::default(),
        }
    }

    /// Tells both players about the game, then starts the clock. `None`: stopped.
    fn open(&mut self) -> Option<()> {
        let setup = self.plan.game.setup_of(self.plan.opening);
        for seat in [Seat::First, Seat::Second] {
            let control = &self.plan.controls[seat.index()];
            let start = GameStart {
                game: self.plan.game,
                setup: &setup,
                control,
                limits: &self.plan.limits[seat.index()],
                deadline: Instant::now() + control.patience,
                stop: self.plan.stop,
            };
            if let Err(fault) = self.players[seat.index()].start(&start) {
                // Getting ready has no clock: being late there is silence.
                let fault = match fault {
                    Fault::Timeout => Fault::Silence("not ready when the game began".into()),
                    other => other,
                };
                return self.forfeit(seat, fault, Instant::now());
            }
        }
        self.started = Instant::now();
        self.session.start_clocks(self.started);
        Some(())
    }

    /// One move. `None`: stopped.
    fn turn(&mut self) -> Option<()> {
        let seat = self.session.turn()?;
        let me = seat.index();
        let clock = *self.session.clocks()?.seat(seat);
        let mut limits = self.plan.limits[me].clone();
        clock.fill(&mut limits);
        let request = MoveRequest {
            limits: &limits,
            allowed: clock.wait(),
            alarm: self.plan.alarm,
            stop: self.plan.stop,
        };
        let asked = Instant::now();
        let reply = self.players[me].choose(self.session.position(), &request);
        // The time that counts is the player's: without the referee's own before and after.
        let time = reply.as_ref().map_or_else(|_| asked.elapsed(), |reply| reply.time);
        self.used[me] += time;
        if self.plan.stop.is_stopped() {
            return None;
        }
        let answered = self.started + time;
        let reply = match reply {
            Ok(reply) => reply,
            Err(Fault::Timeout) if clock.allowance().is_none() => {
                let silence = Fault::Silence("no answer to the request for a move".into());
                return self.forfeit(seat, silence, answered);
            }
            Err(fault) => return self.forfeit(seat, fault, answered),
        };
        let Some(mv) = reply.mv else {
            // A resignation after the flag fell is a loss on time.
            return match self.session.clocks()?.fallen(answered) {
                Some(_) => self.forfeit(seat, Fault::Timeout, answered),
                None => self.happen(EventKind::Resign { seat }, answered),
            };
        };
        let score = reply.note.score;
        let note = MoveNote { seconds: Some(time.as_secs_f64()), ..reply.note };
        match self.session.play(mv, note, self.created.at(answered)) {
            Ok(pending) => {
                self.started = Instant::now();
                self.session.commit(pending, self.started);
            }
            Err(Refusal::OutOfTime(_)) => return self.forfeit(seat, Fault::Timeout, answered),
            Err(refusal) => {
                let termination = match refusal {
                    Refusal::Illegal(IllegalMove::Occupied(_)) => Termination::Occupied,
                    _ => Termination::Illegal,
                };
                let forfeit = EventKind::Forfeit { seat, termination, why: refusal.to_string() };
                return self.happen(forfeit, answered);
            }
        }
        if self.session.end().is_some() {
            return Some(());
        }
        let (winner, termination) = match self.adjudicator.observe(seat, score, self.session.plies().len()) {
            None => return Some(()),
            Some(Ruling::Wins(winner)) => (Some(winner), Termination::AdjudicatedWin),
            Some(Ruling::Draw) => (None, Termination::AdjudicatedDraw),
            Some(Ruling::TooLong) => (None, Termination::MoveLimit),
        };
        self.happen(EventKind::Adjudicate { winner, termination }, self.started)
    }

    /// The player loses by a fault. `None`: it was none, the run was stopped.
    fn forfeit(&mut self, seat: Seat, fault: Fault, at: Instant) -> Option<()> {
        let termination = match fault {
            Fault::Timeout => Termination::Timeout,
            Fault::Silence(_) => Termination::Silence,
            Fault::Crash(_) => Termination::Crash,
            Fault::ClosedPipe => Termination::ClosedPipe,
            Fault::Flood => Termination::Flood,
            Fault::Syntax(_) => Termination::Syntax,
            Fault::Refused(_) => Termination::Refused,
            Fault::NoStart(_) => Termination::NoStart,
            Fault::Stopped => return None,
        };
        self.happen(EventKind::Forfeit { seat, termination, why: fault.to_string() }, at)
    }

    fn happen(&mut self, kind: EventKind, at: Instant) -> Option<()> {
        let pending = self.session.prepare(kind, self.created.at(at)).ok()?;
        self.session.commit(pending, at);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::MoveReply;
    use game::{Move, Setup};

    /// Plays these replies in turn and says that each took its time.
    struct Scripted(std::vec::IntoIter<(Result<Option<&'static str>, Fault>, u64)>, Vec<Option<Duration>>);

    impl Player for Scripted {
        fn start(&mut self, _start: &GameStart) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, position: &dyn Position, request: &MoveRequest) -> Result<MoveReply, Fault> {
            self.1.push(request.limits.clock.map(|clock| clock.left));
            let (reply, ms) = self.0.next().expect("a reply for each request");
            let read = |text: &str| position.parse_move(text).unwrap_or(Move::Swap);
            let note = MoveNote { score: Some(0.0), ..MoveNote::default() };
            reply.map(|mv| MoveReply { mv: mv.map(read), note, time: Duration::from_millis(ms) })
        }
    }

    type Reply = (Result<Option<&'static str>, Fault>, u64);

    fn referee(first: Vec<Reply>, second: Vec<Reply>) -> (Played, [Vec<Option<Duration>>; 2]) {
        let game: &'static dyn Game = &gomoku::GOMOKU;
        let mut opening = game.position(&Setup::empty(9, 9)).unwrap();
        opening.play(opening.parse_move("e5").unwrap()).unwrap();
        let clock = TimeControl::per_game(Duration::from_secs(10), Duration::from_secs(1));
        let plan = GamePlan {
            game,
            opening: &*opening,
            controls: [
                clock,
                TimeControl { per_game: None, per_move: Some(Duration::from_secs(1)), ..clock },
            ],
            limits: Default::default(),
            adjudication: Adjudication { max_moves: Some(6), ..Default::default() },
            alarm: &Alarm::default(),
            stop: &StopFlag::new(),
        };
        let [mut first, mut second] =
            [first, second].map(|replies| Scripted(replies.into_iter(), Vec::new()));
        let played = play(&plan, [&mut first, &mut second]).unwrap();
        (played, [first.1, second.1])
    }

    #[test]
    fn clocks_charge_what_the_players_used() {
        let (played, told) = referee(
            vec![(Ok(Some("a1")), 4_000), (Ok(Some("a2")), 500)],
            vec![(Ok(Some("b1")), 900), (Ok(Some("b2")), 100), (Ok(Some("b3")), 0)],
        );
        let seconds = Duration::from_secs;
        assert_eq!(told, [vec![Some(seconds(10)), Some(seconds(7))], vec![None, None, None]]);
        assert_eq!(played.used, [Duration::from_millis(4_500), seconds(1)]);
        assert_eq!((played.winner(), played.termination()), (None, Termination::MoveLimit));
        assert_eq!((played.opening_moves, played.notes().count()), (1, 5));
        assert_eq!(played.notes().next().unwrap().seconds, Some(0.9));
    }

    #[test]
    fn late_moves_and_resignations_lose_on_time() {
        for late in [Some("b1"), None] {
            let (played, _) = referee(vec![], vec![(Ok(late), 1_000)]);
            assert_eq!((played.winner(), played.termination()), (Some(Seat::First), Termination::Timeout));
            assert!(played.at_fault(Seat::Second) && !played.at_fault(Seat::First));
        }
        let (played, _) = referee(vec![(Ok(None), 9_999)], vec![(Ok(Some("b1")), 1)]);
        assert_eq!((played.winner(), played.termination()), (Some(Seat::Second), Termination::Resign));
    }

    #[test]
    fn faults_name_their_kind_and_detail() {
        for (reply, termination, detail) in [
            (Ok(Some("e5")), Termination::Occupied, "e5 is occupied"),
            (Err(Fault::Syntax("what?".into())), Termination::Syntax, "what?"),
            (Err(Fault::Crash("signal 9".into())), Termination::Crash, "crashed: signal 9"),
        ] {
            let (played, _) = referee(vec![], vec![(reply, 1)]);
            assert_eq!((played.winner(), played.termination()), (Some(Seat::First), termination));
            assert_eq!(played.session.end_detail(), detail);
        }
    }
}
