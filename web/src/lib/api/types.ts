// Names for the shapes of the HTTP API. `schema.ts` is generated from the server's OpenAPI description (guide/en/api.md);
// only what the description leaves open is written here.
import type { components } from './schema';

type Schemas = components['schemas'];

/** Words that the description calls `string`. */
type Narrowed<T, Words> = Omit<T, keyof Words> & Words;
/** Fields that may be left out of a request but are there in every answer. */
type Filled<T, K extends keyof T> = T & Required<Pick<T, K>>;

export type Side = Schemas['SideWord'];
export type Seat = Schemas['SeatWord'];
/** 1, for beginners, to 9, full strength. */
export type Level = number;
export type Visibility = Schemas['Visibility'];

export type Setup = Filled<Schemas['Setup'], 'rows' | 'cols' | 'rule' | 'opening'>;
export type PlayedMove = Schemas['MoveBody'];
export type View = Schemas['View'];
/** A sign, label, line or arrow that somebody drew on a board. */
export type Drawing = Schemas['Drawing'];
/** What is said and drawn at a place of a game. */
export type Note = Schemas['Note'];
export type Branch = Schemas['TreeNode'];
export type Imported = Narrowed<Schemas['Imported'], { setup: Setup }>;

type AnyPlayer = Schemas['Player'];
export type Player = Exclude<AnyPlayer, { kind: 'engine' }> | Filled<Extract<AnyPlayer, { kind: 'engine' }>, 'engine' | 'level'>;
export type Players = Record<Seat, Player>;
export type NewGame = Narrowed<Schemas['NewGame'], { setup: Setup; players: Players }>;

export type Line = Schemas['LineBody'];
export type RootMove = Schemas['RootBody'];
export type Report = Schemas['ReportBody'];
export type LayerData = Schemas['LayerBody'];
/** What was proved about the side to move. */
export type Proof = Narrowed<Schemas['SolveAnswer'], { result: 'win' | 'loss' | 'none' | 'unknown' }>;

export type EngineEntry = Schemas['EngineEntry'];
export type GameEntry = Schemas['GameEntry'];
export type Catalog = Schemas['Catalog'];

export type Clock = Narrowed<Schemas['ClockBody'], { running?: Seat }>;
export type GameComment = Narrowed<Schemas['Comment'], { seat?: Seat }>;
export type ChatLine = Narrowed<Schemas['ChatLine'], { seat: Seat }>;
export type Presence = Schemas['Presence'];
export type Offer = Narrowed<Schemas['Offer'], { seat: Seat }>;

/** A game on the server, complete. */
export type GameBody = Narrowed<
  Schemas['GameBody'],
  { setup: Setup; players: Players; clock?: Clock; winner?: Side; offer?: Offer; comments: GameComment[]; chat?: ChatLine[] }
>;

/** What a live game's socket sends. */
export type GameMessage = Schemas['GameMessage'];

/** A game that was created, with the secrets of its seats. */
export type Created = Narrowed<Schemas['Created'], { game: GameBody }>;

/** A game in the list of recent ones. */
export type Summary = Narrowed<Schemas['GameSummary'], { setup: Setup; players: Players }>;
export type CreatedArena = Schemas['CreatedArena'];
export type LadderRow = Schemas['LadderRow'];
export type Meeting = Schemas['Meeting'];
export type LadderBody = Narrowed<Schemas['LadderBody'], { setup: Setup; live: Summary[]; archive: Summary[] }>;
export type GameList = Narrowed<Schemas['GameList'], { games: Summary[] }>;

/** A game that somebody offers to whoever comes. */
export type Challenge = Narrowed<Schemas['ChallengeEntry'], { setup: Setup; seat?: Seat }>;

export type PuzzleEntry = Schemas['PuzzleEntry'];
export type PuzzleBody = Schemas['PuzzleBody'] & { setup: Setup };
export type Judged = Narrowed<Schemas['JudgedBody'], { verdict: 'solved' | 'right' | 'wrong' | 'unclear' }>;

export type BotEntry = Schemas['BotEntry'];
export type CreatedBot = Schemas['CreatedBot'];

/** Courses. */
export type ClassEntry = Schemas['ClassEntry'];
export type ClassBody = Narrowed<Schemas['ClassBody'], { role?: 'teacher' | 'student' }>;
/** Each may be left out: the description's defaults are what stands for that. */
export type ClassSettings = Partial<Schemas['ClassSettings']>;
export type CreatedClass = Schemas['CreatedClass'];
export type IssuedKeys = Schemas['IssuedKeys'];
export type ClassSession = Schemas['Session'];
export type ClassWork = Schemas['Work'];
export type Submission = Schemas['Submission'];
export type ClassTable = Schemas['TableBody'];
export type ClassReport = Schemas['ClassReport'];
export type ClassLine = Schemas['GameLine'];
export type ClassGameEntry = Schemas['ClassGameEntry'];
export type ClassGame = Narrowed<Schemas['ClassGame'], { setup: Setup }>;
export type ClassStudent = Schemas['StudentEntry'];
export type ClassRound = Narrowed<Schemas['RoundEntry'], { state: 'running' | 'paused' | 'over' }>;

/** Work on many machines. */
export type Fleet = Schemas['FleetBody'];
export type FleetRun = Schemas['Run'];
export type FleetWorker = Schemas['Worker'];
