//! A board as its lines, each with a tally that an evaluation gives it.
//!
//! A stone changes four lines; their tallies are taken out of the total and put back in after the change. The
//! same few lines come again and again in a search, so tallies are remembered by the line's content.

/// Stones as the tallies see them.
pub(super) const EMPTY: u8 = 0;
pub(super) const BLACK: u8 = 1;
pub(super) const WHITE: u8 = 2;

/// Remembered tallies; a power of two.
const CACHE: usize = 1 << 14;
/// Remembered lines of gains; a power of two.
const GAIN_CACHE: usize = 1 << 11;
/// The longest line.
const LONGEST: usize = 22;

/// What an evaluation finds in one line: `N` numbers that add up over the board.
pub(super) trait Scorer<const N: usize> {
    /// The tally of a line. Bit i of `eligible` says whether cell i counts (see [`Scorer::eligible`]).
    fn tally(&self, line: &[u8], eligible: u32) -> [i32; N];

    /// May a stone at this cell be counted? Only S2 leaves cells out.
    fn eligible(&self, _row: usize, _col: usize) -> bool {
        true
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
    lines: Vec<Line<N>>,
    /// The four lines of a cell, and its place on each.
    places: Vec<[(u16, u8); 4]>,
    cache: Vec<(u64, u32, [i32; N])>,
    /// How many stones lie within two cells of each cell.
    around: Vec<u8>,
    /// What a stone on each place of each line gains, for the line's content and the colour it was found for.
    gains: Vec<Gains>,
    gain_cache: Vec<Gains>,
}

/// What a stone of one colour gains on each place of a line.
#[derive(Clone, Copy)]
struct Gains {
    key: u64,
    colour: u8,
    gains: [i32; LONGEST],
}

const NO_GAINS: Gains = Gains { key: u64::MAX, colour: 0, gains: [0; LONGEST] };

#[derive(Clone, Copy)]
struct Line<const N: usize> {
    /// Two bits a cell.
    key: u64,
    len: u8,
    eligible: u32,
    tally: [i32; N],
}

impl<S: Scorer<N>, const N: usize> Lines<S, N> {
    /// An empty board.
    pub(super) fn new(size: usize, scorer: S) -> Lines<S, N> {
        let empty = Line { key: 0, len: 0, eligible: 0, tally: [0; N] };
        let diagonals = 2 * size - 1;
        let mut board = Lines {
            scorer,
            size,
            cells: vec![EMPTY; size * size],
            stones: 0,
            total: [0; N],
            lines: vec![empty; 2 * size + 2 * diagonals],
            places: Vec::with_capacity(size * size),
            cache: vec![(u64::MAX, 0, [0; N]); CACHE],
            around: vec![0; size * size],
            gains: vec![NO_GAINS; 2 * size + 2 * diagonals],
            gain_cache: vec![NO_GAINS; GAIN_CACHE],
        };
        for row in 0..size {
            for col in 0..size {
                let rising = row + col;
                let falling = row + size - 1 - col;
                let numbers = [row, size + col, 2 * size + falling, 2 * size + diagonals + rising];
                let eligible = u32::from(board.scorer.eligible(row, col));
                board.places.push(numbers.map(|number| {
                    let line = &mut board.lines[number];
                    let place = line.len;
                    line.len += 1;
                    line.eligible |= eligible << place;
                    (number as u16, place)
                }));
            }
        }
        for number in 0..board.lines.len() {
            let line = board.lines[number];
            board.lines[number].tally = board.tally(&line);
            add(&mut board.total, &board.lines[number].tally);
        }
        board
    }

    /// Puts a stone on a cell, or takes it away (`EMPTY`).
    pub(super) fn set(&mut self, cell: usize, colour: u8) {
        self.stones += usize::from(colour != EMPTY);
        self.stones -= usize::from(self.cells[cell] != EMPTY);
        for there in self.square(cell, 2) {
            let around = i16::from(self.around[there]) + i16::from(colour != EMPTY);
            self.around[there] = (around - i16::from(self.cells[cell] != EMPTY)) as u8;
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

    /// How the first number of the total would change by a stone on an empty cell.
    pub(super) fn gain(&mut self, cell: usize, colour: u8) -> i32 {
        self.places[cell].into_iter().map(|(line, place)| self.line_gain(line, place, colour)).sum()
    }

    fn line_gain(&mut self, number: u16, place: u8, colour: u8) -> i32 {
        let number = usize::from(number);
        let line = self.lines[number];
        let key = line.key | u64::from(line.len) << 48;
        let known = &self.gains[number];
        if known.key != key || known.colour != colour {
            self.gains[number] = self.find_gains(&line, key, colour);
        }
        self.gains[number].gains[usize::from(place)]
    }

    /// The gains of a line, remembered by its content. Lines that leave cells out are not shared.
    fn find_gains(&mut self, line: &Line<N>, key: u64, colour: u8) -> Gains {
        let shared = line.eligible.trailing_ones() >= u32::from(line.len);
        let slot = (key ^ u64::from(colour) << 60).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let slot = slot as usize % GAIN_CACHE;
        let known = self.gain_cache[slot];
        if shared && known.key == key && known.colour == colour {
            return known;
        }
        let mut found = Gains { key, colour, gains: [0; LONGEST] };
        for place in (0..line.len).filter(|place| line.key >> (2 * place) & 3 == 0) {
            let with_stone = Line { key: with(line.key, place, colour), ..*line };
            found.gains[usize::from(place)] = self.tally(&with_stone)[0] - line.tally[0];
        }
        if shared {
            self.gain_cache[slot] = found;
        }
        found
    }

    /// Is there a stone within two cells?
    pub(super) fn near_two(&self, cell: usize) -> bool {
        self.around[cell] > 0
    }

    /// Is there a stone within a square of `radius` around a cell?
    pub(super) fn near(&self, cell: usize, radius: usize) -> bool {
        self.square(cell, radius).any(|there| self.cells[there] != EMPTY)
    }

    /// The cells of the board within a square around a cell, itself included.
    fn square(&self, cell: usize, radius: usize) -> impl Iterator<Item = usize> + use<S, N> {
        let (size, row, col) = (self.size, cell / self.size, cell % self.size);
        let rows = row.saturating_sub(radius)..=(row + radius).min(size - 1);
        let cols = col.saturating_sub(radius)..=(col + radius).min(size - 1);
        rows.flat_map(move |r| cols.clone().map(move |c| r * size + c))
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
        let key = line.key | u64::from(line.len) << 48;
        let slot = (key ^ u64::from(line.eligible) << 20).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 51;
        let slot = slot as usize % CACHE;
        let (known, eligible, tally) = self.cache[slot];
        if known == key && eligible == line.eligible {
            return tally;
        }
        let mut cells = [EMPTY; 32];
        for (place, cell) in cells[..usize::from(line.len)].iter_mut().enumerate() {
            *cell = (line.key >> (2 * place) & 3) as u8;
        }
        let tally = self.scorer.tally(&cells[..usize::from(line.len)], line.eligible);
        self.cache[slot] = (key, line.eligible, tally);
        tally
    }
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
