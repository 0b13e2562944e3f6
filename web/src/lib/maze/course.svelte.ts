// A race on a map: one lane an algorithm, all played back with one clock.
import { inWords } from '../ui/notices.svelte';
import { solve, type Wish } from './ask';
import { blank, type MazeMap, type Place } from './map';
import { Playback, type MazeAnswer } from './playback';

export interface Lane {
  id: number;
  algorithm: string;
  answer: MazeAnswer | null;
  playback: Playback | null;
  /** Why there is no answer. */
  refused: string | null;
  /** Of an any-angle lane: the shortest path by steps between eight neighbours. */
  beside: Beside | null;
}

export interface Beside {
  path: Place[];
  cost: number;
}

const empty = { answer: null, playback: null, refused: null, beside: null };

export class Course {
  map = $state.raw<MazeMap>(blank(21, 41));
  lanes = $state.raw<Lane[]>([{ id: 0, algorithm: 'astar', ...empty }]);
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
    this.lanes = this.lanes.map((lane) => ({ ...lane, ...empty }));
    this.changed();
  }

  addLane(algorithm: string) {
    this.lanes = [...this.lanes, { id: this.#next++, algorithm, ...empty }];
  }

  removeLane(id: number) {
    this.lanes = this.lanes.filter((lane) => lane.id !== id);
  }

  setAlgorithm(id: number, algorithm: string) {
    this.lanes = this.lanes.map((lane) => (lane.id === id ? { id, algorithm, ...empty } : lane));
  }

  /** One lane for each algorithm. */
  enter(algorithms: string[]) {
    this.playing = false;
    this.lanes = algorithms.map((algorithm) => ({ id: this.#next++, algorithm, ...empty }));
    this.changed();
  }

  /** Lets every lane search, then shows the start of the race. */
  async run(play = true) {
    this.busy = true;
    const { map } = this;
    const entered = this.lanes;
    const lanes: Lane[] = [];
    let beside: Beside | null = null;
    for (const lane of entered) {
      const wish: Wish = { algorithm: lane.algorithm, neighbours: this.neighbours, weight: this.weight };
      try {
        const answer = await solve(map, wish);
        if (ANY_ANGLE.includes(lane.algorithm)) beside ??= await bySteps(map);
        lanes.push({
          ...lane,
          answer,
          playback: new Playback(answer.trace, map.cells.length),
          refused: null,
          beside: ANY_ANGLE.includes(lane.algorithm) ? beside : null,
        });
      } catch (error) {
        lanes.push({ ...lane, ...empty, refused: inWords(error) });
      }
    }
    this.busy = false;
    // Another map, or other lanes, were chosen meanwhile.
    if (map !== this.map || entered !== this.lanes) return;
    this.lanes = lanes;
    this.playing = play && lanes.some((lane) => lane.playback);
    this.changed();
  }

  get ready(): boolean {
    return this.lanes.every((lane) => lane.playback || lane.refused !== null);
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

/** Their paths are straight lines in any direction. */
const ANY_ANGLE = ['anyangle', 'theta'];

async function bySteps(map: MazeMap): Promise<Beside | null> {
  const answer = await solve(map, { algorithm: 'jps', neighbours: '8', weight: 1 }, false);
  return answer.cost === null ? null : { path: answer.path, cost: answer.cost };
}
