//! A server to test: real games, with engines made for tests.

use game::{
    Decision, Defence, Engine, EngineError, EngineInfo, Game, Layer, Limits, Line, Move, Options, Picture,
    Position, Proof, Puzzle, Record, Report, RootMove, Setup, SetupError, Side, TextError, Watch, Xray,
};
use search::theatre::{Record as TheatreRecord, RecordOptions};
use server::{Config, Quota, Server};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

/// A game with test engines in place of its own.
struct Tested(&'static dyn Game);

static GOMOKU: Tested = Tested(&gomoku::GOMOKU);
static HEX: Tested = Tested(&hex::HEX);

/// The games of the tests.
pub(crate) fn games() -> Vec<&'static dyn Game> {
    vec![&GOMOKU, &HEX]
}

impl Game for Tested {
    fn name(&self) -> &'static str {
        self.0.name()
    }
    fn rules(&self) -> &'static [&'static str] {
        self.0.rules()
    }
    fn openings(&self) -> &'static [&'static str] {
        self.0.openings()
    }
    fn default_size(&self) -> (u8, u8) {
        self.0.default_size()
    }
    fn has_draws(&self) -> bool {
        self.0.has_draws()
    }
    fn position(&self, setup: &Setup) -> Result<Box<dyn Position>, SetupError> {
        self.0.position(setup)
    }
    fn parse(&self, text: &str, defaults: &Setup) -> Result<Box<dyn Position>, TextError> {
        self.0.parse(text, defaults)
    }
    fn parse_openings(&self, text: &str, defaults: &Setup) -> Result<Vec<Box<dyn Position>>, TextError> {
        self.0.parse_openings(text, defaults)
    }
    fn setup_of(&self, position: &dyn Position) -> Setup {
        self.0.setup_of(position)
    }
    fn explain(
        &self,
        position: &dyn Position,
        engine: &str,
        ask: &RecordOptions,
        watch: &Watch,
    ) -> Result<TheatreRecord, EngineError> {
        self.0.explain(position, engine, ask, watch)
    }
    fn xray(&self, position: &dyn Position, engine: &str) -> Option<Xray> {
        self.0.xray(position, engine)
    }
    fn write_sgf(&self, record: &Record) -> String {
        self.0.write_sgf(record)
    }
    fn formats(&self) -> &'static [(&'static str, &'static str)] {
        self.0.formats()
    }
    fn write(&self, record: &Record, format: &str) -> Option<String> {
        self.0.write(record, format)
    }
    fn draw_svg(&self, position: &dyn Position, picture: &Picture) -> String {
        self.0.draw_svg(position, picture)
    }
    fn draw_text(&self, position: &dyn Position, picture: &Picture, colour: bool) -> String {
        self.0.draw_text(position, picture, colour)
    }
    fn layers(&self) -> &'static [(&'static str, &'static str)] {
        self.0.layers()
    }
    fn layer(&self, position: &dyn Position, name: &str) -> Option<Layer> {
        self.0.layer(position, name)
    }
    fn questions(&self) -> &'static [(&'static str, &'static str)] {
        self.0.questions()
    }
    fn prove(
        &self,
        position: &dyn Position,
        question: &str,
        limits: &Limits,
        watch: &Watch,
    ) -> Option<Proof> {
        self.0.prove(position, question, limits, watch)
    }
    fn defend(
        &self,
        position: &dyn Position,
        question: &str,
        limits: &Limits,
        watch: &Watch,
    ) -> Option<Defence> {
        self.0.defend(position, question, limits, watch)
    }
    fn puzzles(&self) -> &'static [Puzzle] {
        if self.name() == "gomoku" { &GOMOKU_PUZZLES } else { &HEX_PUZZLES }
    }
    fn engines(&self) -> &'static [EngineInfo] {
        ENGINES
    }
}

fn puzzle(id: &str, position: &str, size: u8, side: Side, goal: &str, first: &str, line: &[&str]) -> Puzzle {
    Puzzle {
        id: id.into(),
        position: position.into(),
        size: (size, size),
        rule: String::new(),
        side,
        goal: goal.into(),
        grade: 1,
        plies: line.len() as u16,
        first_moves: vec![first.into()],
        undecided: Vec::new(),
        line: line.iter().map(|mv| (*mv).into()).collect(),
    }
}

/// A four at the end of which another four stands ready: two fours win.
static GOMOKU_PUZZLES: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
    let line = ["h11", "h12", "k8"];
    vec![
        puzzle("g-1", "h8h7h9a1h10o1i8o15j8c15", 15, Side::Black, "vcf", "h11", &line),
        // Two stones, and to the question `win` the solver never answers that there is none.
        puzzle("g-2", "h8a1i8o1", 15, Side::Black, "win", "j8", &["j8", "g8", "k8"]),
    ]
});

/// The middle of a small board wins.
static HEX_PUZZLES: LazyLock<Vec<Puzzle>> =
    LazyLock::new(|| vec![puzzle("h-1", "empty", 3, Side::Black, "win", "b2", &["b2", "b1", "c1"])]);

const ENGINES: &[EngineInfo] = &[
    EngineInfo {
        name: "first",
        about: "plays the first legal move at once",
        options: &[],
        make: |o| make(o, Kind::First),
    },
    EngineInfo {
        name: "deep",
        about: "thinks until it is stopped or out of time",
        options: &[],
        make: |o| make(o, Kind::Deep),
    },
    EngineInfo {
        name: "counting",
        about: "plays its first move in the first row, its second in the second, and so on",
        options: &[],
        make: |o| make(o, Kind::Counting),
    },
    EngineInfo { name: "broken", about: "panics", options: &[], make: |o| make(o, Kind::Broken) },
];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    First,
    Counting,
    Deep,
    Broken,
}

fn make(options: &Options, kind: Kind) -> Result<Box<dyn Engine>, EngineError> {
    options.check(&[])?;
    Ok(Box::new(Test(kind, 0)))
}

/// An engine that knows how many moves it has chosen.
struct Test(Kind, u8);

impl Engine for Test {
    fn name(&self) -> &str {
        "test"
    }

    fn can_ponder(&self) -> bool {
        self.0 == Kind::Deep
    }

    fn think(
        &mut self,
        position: &dyn Position,
        limits: &Limits,
        watch: &Watch,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Decision, EngineError> {
        assert!(self.0 != Kind::Broken, "an engine that panics (expected in this test)");
        let allowed: Vec<Move> = position.legal_moves().into_iter().filter(|mv| limits.allows(*mv)).collect();
        let mut mv = *allowed.first().ok_or_else(|| EngineError::NoMove("nothing allowed".into()))?;
        if self.0 == Kind::Counting {
            let row = self.1;
            mv = *allowed.iter().find(|mv| mv.cell().is_some_and(|cell| cell.row == row)).unwrap_or(&mv);
            self.1 += 1;
        }
        let out_of_time = || limits.move_time.is_some_and(|time| watch.elapsed() >= time);
        let mut found = Report { win_rate: 0.5, ..Report::default() };
        loop {
            found.depth += 1;
            found.nodes += 1;
            found.elapsed = watch.elapsed();
            found.lines = vec![Line { moves: vec![mv], win_rate: 0.5, ..Line::default() }];
            found.root =
                vec![RootMove { mv, score: 0.0, win_rate: 0.5, bound: game::Bound::Exact, nodes: 1 }];
            report(&found);
            if self.0 != Kind::Deep || watch.is_stopped() || out_of_time() {
                return Ok(Decision { mv, report: found });
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Where the data is kept.
#[derive(Clone)]
pub(crate) enum Backend {
    Sqlite,
    Postgres(String),
}

impl Backend {
    /// The database this run of the suite is about: a PostgreSQL server if `TENGEN_TEST_POSTGRES` names one.
    pub(crate) fn under_test() -> Backend {
        std::env::var("TENGEN_TEST_POSTGRES").map_or(Backend::Sqlite, Backend::Postgres)
    }
}

/// A running server; dropping it ends it without any farewell.
pub(crate) struct Host {
    pub(crate) addr: SocketAddr,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
    /// The folder or the URL of the data, to start again on it.
    pub(crate) data: Data,
}

/// Data that outlives one server.
#[derive(Clone)]
pub(crate) struct Data {
    folder: std::sync::Arc<tempfile::TempDir>,
    database: Option<String>,
}

impl Data {
    /// An empty database of the kind under test.
    pub(crate) fn fresh() -> Data {
        Data::new(&Backend::under_test())
    }

    /// An empty database.
    pub(crate) fn new(backend: &Backend) -> Data {
        let folder = std::sync::Arc::new(tempfile::tempdir().unwrap());
        let database = match backend {
            Backend::Sqlite => None,
            Backend::Postgres(server) => Some(fresh_database(server)),
        };
        Data { folder, database }
    }

    /// Its folder, and its address if it is not a file there.
    pub(crate) fn place(&self) -> (&Path, Option<&str>) {
        (self.folder.path(), self.database.as_deref())
    }

    /// The same data, reached at another address.
    pub(crate) fn through(&self, database: String) -> Data {
        Data { folder: self.folder.clone(), database: Some(database) }
    }

    /// How to serve it.
    pub(crate) fn config(&self) -> Config {
        config(self.folder.path(), self.database.clone())
    }
}

/// A configuration for tests: any free port, two engine threads.
pub(crate) fn config(folder: &Path, database: Option<String>) -> Config {
    Config {
        addr: "127.0.0.1:0".parse().unwrap(),
        data: folder.to_path_buf(),
        database,
        workers: 2,
        ..Config::default()
    }
}

impl Host {
    /// A server on an empty database.
    pub(crate) fn start() -> Host {
        Host::on(Data::fresh())
    }

    /// A server configured for a test.
    pub(crate) fn with(change: impl FnOnce(&mut Config)) -> Host {
        Host::on_with(Data::fresh(), change)
    }

    /// The same on given data.
    pub(crate) fn on_with(data: Data, change: impl FnOnce(&mut Config)) -> Host {
        let mut config = data.config();
        change(&mut config);
        Host::serve(config, data)
    }

    /// A server with its own limits.
    pub(crate) fn with_quota(quota: Quota) -> Host {
        Host::with(|config| config.quota = Some(quota))
    }

    /// A server that believes `X-Forwarded-For`, so that a test can be many clients.
    pub(crate) fn for_many(quota: Quota) -> Host {
        Host::with(|config| (config.quota, config.behind_proxy) = (Some(quota), true))
    }

    /// A server with the operator's engines.
    pub(crate) fn with_engines(file: &Path) -> Host {
        Host::with(|config| config.engines = Some(file.to_path_buf()))
    }

    /// A server on given data.
    pub(crate) fn on(data: Data) -> Host {
        Host::serve(data.config(), data)
    }

    /// A server with the real engines.
    pub(crate) fn with_real_engines() -> Host {
        let data = Data::fresh();
        Host::serve_games(data.config(), data, vec![&gomoku::GOMOKU, &hex::HEX])
    }

    /// A server as the configuration says.
    pub(crate) fn serve(config: Config, data: Data) -> Host {
        Host::serve_games(config, data, games())
    }

    fn serve_games(config: Config, data: Data, games: Vec<&'static dyn Game>) -> Host {
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async {
                let server = Server::bind(config, games).await.unwrap();
                tell.send(server.addr()).unwrap();
                let stop = async { drop(stopped.await) };
                server.run(stop).await.unwrap();
            });
            runtime.shutdown_timeout(Duration::from_secs(1));
        });
        Host { addr: told.recv().unwrap(), stop: Some(stop), thread: Some(thread), data }
    }

    /// Ends the server and starts another on the same data.
    pub(crate) fn restart(self) -> Host {
        self.restart_after(Duration::ZERO)
    }

    /// The same, with some time in between.
    pub(crate) fn restart_after(mut self, away: Duration) -> Host {
        self.end();
        std::thread::sleep(away);
        Host::on(self.data.clone())
    }

    fn end(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.end();
    }
}

/// A new database on the test server. It goes with the server, which is a test run's own.
fn fresh_database(server: &str) -> String {
    let name = format!("tengen_{}_{:x}", std::process::id(), unique());
    let (server_url, sql) = (server.to_string(), format!("CREATE DATABASE {name}"));
    // On a thread of its own, as a test may be inside a runtime.
    let created = std::thread::spawn(move || {
        use sqlx::Connection;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut connection =
                sqlx::PgConnection::connect(&server_url).await.expect("the PostgreSQL server answers");
            sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
        });
    });
    created.join().unwrap();
    let (base, _) = server.rsplit_once('/').expect("a URL ends with /NAME");
    format!("{base}/{name}")
}

fn unique() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as u64;
    now.wrapping_mul(1000).wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Runs a test on the database this run of the suite is about.
pub(crate) fn on_each(test: impl Fn(Host)) {
    test(Host::start());
}

/// The same for a test that starts its server itself.
pub(crate) fn on_each_data(test: impl Fn(Data)) {
    test(Data::fresh());
}
