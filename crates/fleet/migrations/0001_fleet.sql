-- What is computed on many machines. Times are milliseconds since 1970.
CREATE TABLE fleet_runs (
    id TEXT PRIMARY KEY,
    -- SHA-256 of everything that was asked for: the same command finds its unfinished run again.
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    -- SHA-256 of the document that all units share; in fleet_blobs.
    job TEXT NOT NULL,
    -- What a worker must have, as JSON, and the queue that follows from it.
    needs TEXT NOT NULL,
    class TEXT NOT NULL,
    -- 1: a unit gives the same bits on every machine.
    exact BIGINT NOT NULL,
    -- A unit that runs longer has hung.
    unit_seconds BIGINT NOT NULL,
    -- running, paused, done, stopped or failed.
    state TEXT NOT NULL,
    -- 1: no more units will come.
    sealed BIGINT NOT NULL,
    units BIGINT NOT NULL,
    done BIGINT NOT NULL,
    dead BIGINT NOT NULL,
    -- Second runs of units that are not compared yet.
    checks BIGINT NOT NULL,
    -- Number of the last counted result; grows under the row's lock, so results appear in its order.
    seq BIGINT NOT NULL,
    -- What the submitter reports for people, as JSON.
    summary TEXT NOT NULL,
    created BIGINT NOT NULL,
    ended BIGINT
);
CREATE INDEX fleet_runs_by_state ON fleet_runs (state);
CREATE INDEX fleet_runs_by_key ON fleet_runs (key);

CREATE TABLE fleet_units (
    run TEXT NOT NULL,
    number BIGINT NOT NULL,
    -- 0: the unit; 1: the same work once more, on another worker.
    copy BIGINT NOT NULL,
    spec TEXT NOT NULL,
    -- queued, offered, leased, done, disputed or dead.
    state TEXT NOT NULL,
    -- How often it was published; only the last publication can be leased.
    offers BIGINT NOT NULL,
    -- How often it was leased.
    attempts BIGINT NOT NULL,
    worker TEXT NOT NULL,
    leased_at BIGINT NOT NULL,
    -- When the lease, or the wait for one, is over.
    until_ms BIGINT NOT NULL,
    -- Who failed at it and why, as JSON.
    failures TEXT NOT NULL,
    PRIMARY KEY (run, number, copy)
);
CREATE INDEX fleet_units_by_state ON fleet_units (state, number);

-- A unit counts once: this primary key is what makes it so.
CREATE TABLE fleet_results (
    run TEXT NOT NULL,
    number BIGINT NOT NULL,
    copy BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    worker TEXT NOT NULL,
    -- SHA-256 of the part that must agree bit for bit.
    digest TEXT NOT NULL,
    body TEXT NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (run, number, copy)
);
CREATE INDEX fleet_results_by_seq ON fleet_results (run, seq);
CREATE INDEX fleet_results_by_worker ON fleet_results (worker);

CREATE TABLE fleet_workers (
    id TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    signature TEXT NOT NULL,
    -- Nodes per second of the bench, on one thread.
    speed DOUBLE PRECISION NOT NULL,
    threads BIGINT NOT NULL,
    programs TEXT NOT NULL,
    noisy BIGINT NOT NULL,
    joined BIGINT NOT NULL,
    seen BIGINT NOT NULL,
    -- Results that counted, second runs that agreed, units it failed at and others completed.
    counted BIGINT NOT NULL,
    agreed BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    -- Which result of the current hundred is run again elsewhere.
    check_at BIGINT NOT NULL,
    -- Why it gets no more work; empty while it does.
    set_aside TEXT NOT NULL
);

-- Documents and files by their SHA-256.
CREATE TABLE fleet_blobs (
    sha256 TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
);
