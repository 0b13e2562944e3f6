// What can be said and drawn at a place of a game, besides the move that leads to it.
import type { Note } from '../api/types';

/** The note of a node without its empty parts, so that studies and links stay small. */
export function noteOf({ comment, marks, properties }: Note): Note {
  return {
    ...(comment ? { comment } : {}),
    ...(marks?.length ? { marks: marks.map((mark) => ({ ...mark })) } : {}),
    ...(properties && Object.keys(properties).length ? { properties: { ...properties } } : {}),
  };
}

export const isEmpty = (note: Note) => Object.keys(noteOf(note)).length === 0;
