// A race on a map: one lane an algorithm, all played back with one clock.
import { attempt } from '../ui/notices.svelte';
import { solve, type Wish } from './ask';
import { blank, type MazeMap } from './map';
import { pack, Playback, type MazeAnswer } from './playback';

export interface Lane {
  id: number;
  algorithm: string;
  answer: MazeAnswer | null;
  playback: Playback | null;
}

export class Course {
  map = $state.raw<MazeMap>(blank(21, 41));
  lanes = $state.raw<Lane[]>([{ id: 0, algorithm: 'astar', answer: null, playback: null }]);
  /** `4`, `8`, or `8-cut` where corners may be cut. */
  neighbours = $state('4');
  weight = $state(2);
  /** Events a frame, as a power of two. */
  speed = $state(3);
  playing = $state(false);
  busy = $state(false);
  /** Grows with every change of what is drawn. */
  tick = $state(0);
  #next = 1;

  changed() {
    this.tick++;
  }

  /** The map is another one: what was found on the old one is void. */
  setMap(map: MazeMap) {
    this.map = map;
    this.reset();
  }

  reset() {
    this.playing = false;
    this.lanes = this.lanes.map((lane) => ({ ...lane, answer: null, playback: null }));
    this.changed();
  }

  addLane(algorithm: string) {
    this.lanes = [...this.lanes, { id: this.#next++, algorithm, answer: null, playback: null }];
  }

  removeLane(id: number) {
    this.lanes = this.lanes.filter((lane) => lane.id !== id);
  }

  setAlgorithm(id: number, algorithm: string) {
    this.lanes = this.lanes.map((lane) => (lane.id === id ? { id, algorithm, answer: null, playback: null } : lane));
  }

  /** Lets every lane search, then shows the start of the race. */
  async run(play = true) {
    this.busy = true;
    const { map } = this;
    const lanes: Lane[] = [];
    for (const lane of this.lanes) {
      const wish: Wish = { algorithm: lane.algorithm, neighbours: this.neighbours, weight: this.weight };
      const answer = await attempt(() => solve(map, wish));
      lanes.push({
        ...lane,
        answer: answer ?? null,
        playback: answer ? new Playback(pack(answer.events, map.cols), map.cells.length) : null,
      });
    }
    this.busy = false;
    if (map !== this.map) return;
    this.lanes = lanes;
    this.playing = play && lanes.some((lane) => lane.playback);
    this.changed();
  }

  get ready(): boolean {
    return this.lanes.every((lane) => lane.playback);
  }

  get done(): boolean {
    void this.tick;
    return this.lanes.every((lane) => lane.playback?.done ?? true);
  }

  step(count: number) {
    for (const lane of this.lanes) lane.playback?.step(count);
    this.changed();
  }

  rewind() {
    for (const lane of this.lanes) lane.playback?.seek(0);
    this.changed();
  }

  finish() {
    for (const lane of this.lanes) lane.playback?.step(Infinity);
    this.playing = false;
    this.changed();
  }

  /** One frame of the animation. */
  frame() {
    this.step(Math.max(1, Math.round(2 ** this.speed)));
    if (this.done) this.playing = false;
  }
}
