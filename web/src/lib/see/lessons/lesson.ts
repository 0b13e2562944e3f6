// What a lesson is made of.

/** Something that moves on a screen of a lesson: a search asked of the server and played back small. */
export type Widget =
  | { kind: 'tree'; position: string; ask: Record<string, unknown>; at?: number | 'cut' | 'end' }
  | { kind: 'mcts'; position: string; ask: Record<string, unknown>; at?: number }
  | { kind: 'path'; map: string; ask: Record<string, unknown>; at?: number | 'end' }
  | { kind: 'counts'; position: string; rows: { name: string; ask: Record<string, unknown> }[] }
  | { kind: 'layer'; position: string; layer: string }
  /** Black's forbidden points: to find them, or to free one by a white stone. */
  | { kind: 'forbidden'; position: string; goal: 'find' | 'free' }
  /** A connection that the reader tries to cut, and the solver defends. */
  | { kind: 'cut'; position: string };

export interface Screen {
  title: string;
  text: string[];
  widget?: Widget;
  /** A theatre in the state that the text speaks of. */
  link?: string;
}
