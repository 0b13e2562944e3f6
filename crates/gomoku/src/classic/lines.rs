//! A board as its lines, each with a tally that an evaluation gives it.
//!
//! A stone changes four lines; their tallies are taken out of the total and put back in after the change. The
//! same few lines come again and again in a search, so tallies are remembered by the line's content.

/// Stones as the tallies see them.
pub(super) const EMPTY: u8 = 0;
pub(super) const BLACK: u8 = 1;
pub(super) const WHITE: u8 = 2;

/// Remembered tallies; a power of two.
const TALLIES: usize = 1 << 13;
/// Remembered lines of gains; a power of two.
const GAINS: usize = 1 << 12;
/// The longest line.
pub(super) const LONGEST: usize = 22;

/// What an evaluation finds in one line: `N` numbers that add up over the board.
pub(super) trait Scorer<const N: usize> {
    /// The tally of a line. Bit i of `eligible` says whether cell i counts (see [`Scorer::eligible`]).
    fn tally(&self, line: &[u8], eligible: u32) -> [i32; N];

    /// May a stone at this cell be counted? Only `classic-shapes` leaves cells out.
    fn eligible(&self, _row: usize, _col: usize) -> bool {
        true
    }

    /// How the first number of the tally grows by a stone on each empty place, where there is a quicker way to
    /// know than one tally a place.
    fn gains(&self, _line: &[u8], _colour: u8) -> Option<[i32; LONGEST]> {
        None
    }
}

/// A board of lines with a running total.
#[derive(Clone)]
pub(super) struct Lines<S, const N: usize> {
    pub(super) scorer: S,
    pub(super) size: usize,
    /// By cell, row by row.
    pub(super) cells: Vec<u8>,
    pub(super) stones: usize,
    pub(super) total: [i32; N],
    /// The columns that hold stones, by row.
    pub(super) occupied: Vec<u32>,
    lines: Vec<Line<N>>,
    /// The four lines of a cell, and its place on each.
    places: Vec<[(u16, u8); 4]>,
    /// The cells of each line, in order.
    members: Vec<Vec<u16>>,
    tallies: Remembered<[i32; N]>,
    line_gains: Remembered<[i32; LONGEST]>,
    /// What a stone of each colour gains on each cell, as of the last time somebody asked.
    sums: [Sums; 2],
}

/// Gains of one colour summed over the four lines of each cell.
#[derive(Clone, Default)]
struct Sums {
    gain: Vec<i32>,
    /// The contents of the lines that the sums are for, and their parts in them.
    keys: Vec<u64>,
    parts: Vec<[i32; LONGEST]>,
}

/// What has been found about contents of lines: one entry a slot, the newest.
#[derive(Clone)]
struct Remembered<T> {
    keys: Vec<u64>,
    found: Vec<T>,
}

impl<T: Copy> Remembered<T> {
    /// Room for a power of two of entries. No line has the content 0, so fresh zeroed memory is empty.
    fn new(slots: usize, nothing: T) -> Remembered<T> {
        Remembered { keys: vec![0; slots], found: vec![nothing; slots] }
    }

    fn slot(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize & (self.keys.len() - 1)
    }

    fn get(&self, key: u64) -> Option<T> {
        let slot = self.slot(key);
        (self.keys[slot] == key).then(|| self.found[slot])
    }

    fn put(&mut self, key: u64, found: T) {
        let slot = self.slot(key);
        (self.keys[slot], self.found[slot]) = (key, found);
    }
}

#[derive(Clone, Copy)]
struct Line<const N: usize> {
    /// Two bits a cell, and above them a number, from 1, that lines of the same length and eligible cells share.
    key: u64,
    len: u8,
    eligible: u32,
    tally: [i32; N],
}

/// Where the number of a line's kind begins in its key, and where that of the colour does in a key of gains.
const KIND: u32 = 48;
const COLOUR: u32 = 62;

impl<S: Scorer<N>, const N: usize> Lines<S, N> {
    /// An empty board.
    pub(super) fn new(size: usize, scorer: S) -> Lines<S, N> {
        let empty = Line { key: 0, len: 0, eligible: 0, tally: [0; N] };
        let diagonals = 2 * size - 1;
        let count = 2 * size + 2 * diagonals;
        let mut board = Lines {
            scorer,
            size,
            cells: vec![EMPTY; size * size],
            stones: 0,
            total: [0; N],
            occupied: vec![0; size],
            lines: vec![empty; count],
            places: Vec::with_capacity(size * size),
            members: vec![Vec::new(); count],
            tallies: Remembered::new(TALLIES, [0; N]),
            line_gains: Remembered::new(GAINS, [0; LONGEST]),
            sums: [Sums::default(), Sums::default()],
        };
        for cell in 0..size * size {
            let (row, col) = (cell / size, cell % size);
            let rising = row + col;
            let falling = row + size - 1 - col;
            let numbers = [row, size + col, 2 * size + falling, 2 * size + diagonals + rising];
            let eligible = u32::from(board.scorer.eligible(row, col));
            board.places.push(numbers.map(|number| {
                let line = &mut board.lines[number];
                let place = line.len;
                line.len += 1;
                line.eligible |= eligible << place;
                board.members[number].push(cell as u16);
                (number as u16, place)
            }));
        }
        for number in 0..count {
            let line = board.lines[number];
            let same = |other: &Line<N>| other.len == line.len && other.eligible == line.eligible;
            let kind = board.lines.iter().position(same).unwrap_or(number) as u64 + 1;
            board.lines[number].key = kind << KIND;
            board.lines[number].tally = board.tally(&board.lines[number].clone());
            add(&mut board.total, &board.lines[number].tally);
        }
        board
    }

    /// Puts a stone on a cell, or takes it away (`EMPTY`).
    pub(super) fn set(&mut self, cell: usize, colour: u8) {
        self.stones += usize::from(colour != EMPTY);
        self.stones -= usize::from(self.cells[cell] != EMPTY);
        let (row, bit) = (cell / self.size, 1 << (cell % self.size));
        if colour == EMPTY {
            self.occupied[row] &= !bit;
        } else {
            self.occupied[row] |= bit;
        }
        self.cells[cell] = colour;
        for (number, place) in self.places[cell] {
            let mut line = self.lines[usize::from(number)];
            sub(&mut self.total, &line.tally);
            line.key = with(line.key, place, colour);
            line.tally = self.tally(&line);
            add(&mut self.total, &line.tally);
            self.lines[usize::from(number)] = line;
        }
    }

    /// How the first number of the total would change by a stone on each empty cell, as of the last
    /// [`Lines::sum_gains`].
    pub(super) fn gains(&self, colour: u8) -> &[i32] {
        &self.sums[usize::from(colour - BLACK)].gain
    }

    /// Brings [`Lines::gains`] up to date: only lines that differ from the last time are summed anew.
    pub(super) fn sum_gains(&mut self, colour: u8) {
        let index = usize::from(colour - BLACK);
        let mut sums = std::mem::take(&mut self.sums[index]);
        sums.gain.resize(self.cells.len(), 0);
        sums.keys.resize(self.lines.len(), 0);
        sums.parts.resize(self.lines.len(), [0; LONGEST]);
        for number in 0..self.lines.len() {
            let line = self.lines[number];
            if sums.keys[number] != line.key {
                let fresh = self.gains_on(&line, colour);
                let part = std::mem::replace(&mut sums.parts[number], fresh);
                for (place, cell) in self.members[number].iter().enumerate() {
                    sums.gain[usize::from(*cell)] += fresh[place] - part[place];
                }
                sums.keys[number] = line.key;
            }
        }
        self.sums[index] = sums;
    }

    fn gains_on(&mut self, line: &Line<N>, colour: u8) -> [i32; LONGEST] {
        let key = line.key | u64::from(colour) << COLOUR;
        if let Some(known) = self.line_gains.get(key) {
            return known;
        }
        let cells = contents(line);
        let found = self.scorer.gains(&cells[..usize::from(line.len)], colour).unwrap_or_else(|| {
            let mut found = [0; LONGEST];
            for place in (0..line.len).filter(|place| cells[usize::from(*place)] == EMPTY) {
                let with_stone = Line { key: with(line.key, place, colour), ..*line };
                found[usize::from(place)] = self.tally(&with_stone)[0] - line.tally[0];
            }
            found
        });
        self.line_gains.put(key, found);
        found
    }

    /// Is there a stone within a square of `radius` around each cell? By row, a bit a column.
    pub(super) fn near(&self, radius: usize) -> [u32; LONGEST] {
        let board = (1 << self.size) - 1;
        let wide = |row: &u32| board & (0..=radius).fold(0, |near, by| near | row << by | row >> by);
        let mut near = [0; LONGEST];
        for (row, occupied) in self.occupied.iter().enumerate() {
            let last = (row + radius).min(self.size - 1);
            near[row.saturating_sub(radius)..=last].iter_mut().for_each(|near| *near |= wide(occupied));
        }
        near
    }

    /// The ring of a cell: 0 at the edge, growing towards the centre.
    pub(super) fn ring(&self, cell: usize) -> i32 {
        let (row, col) = (cell / self.size, cell % self.size);
        let last = self.size - 1;
        row.min(col).min(last - row).min(last - col) as i32
    }

    /// Is the stone at a cell part of five or more in a row?
    pub(super) fn five_through(&self, cell: usize) -> bool {
        let colour = u64::from(self.cells[cell]);
        colour != 0
            && self.places[cell].iter().any(|(number, place)| {
                let line = &self.lines[usize::from(*number)];
                let same =
                    |at: i32| (0..i32::from(line.len)).contains(&at) && line.key >> (2 * at) & 3 == colour;
                let place = i32::from(*place);
                let back = (1..5).take_while(|k| same(place - k)).count();
                let forth = (1..5).take_while(|k| same(place + k)).count();
                back + forth >= 4
            })
    }

    fn tally(&mut self, line: &Line<N>) -> [i32; N] {
        if let Some(known) = self.tallies.get(line.key) {
            return known;
        }
        let tally = self.scorer.tally(&contents(line)[..usize::from(line.len)], line.eligible);
        self.tallies.put(line.key, tally);
        tally
    }
}

/// The cells of a line, one a byte.
fn contents<const N: usize>(line: &Line<N>) -> [u8; LONGEST] {
    std::array::from_fn(|place| {
        if place < usize::from(line.len) { (line.key >> (2 * place) & 3) as u8 } else { EMPTY }
    })
}

fn with(key: u64, place: u8, colour: u8) -> u64 {
    key & !(3 << (2 * place)) | u64::from(colour) << (2 * place)
}

fn add<const N: usize>(total: &mut [i32; N], tally: &[i32; N]) {
    total.iter_mut().zip(tally).for_each(|(a, b)| *a += b);
}

fn sub<const N: usize>(total: &mut [i32; N], tally: &[i32; N]) {
    total.iter_mut().zip(tally).for_each(|(a, b)| *a -= b);
}
