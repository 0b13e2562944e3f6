import { describe, expect, test } from 'vitest';
import { layout } from './layout';
import { MoveTree } from './tree.svelte';

function sample(): MoveTree {
  return MoveTree.from([
    {
      move: 'a',
      children: [
        { move: 'b', children: [{ move: 'c' }] },
        { move: 'x', comment: 'why', children: [{ move: 'y' }] },
      ],
    },
    { move: 'r' },
  ]);
}

describe('a move tree', () => {
  test('survives the way into nested form and back', () => {
    const tree = sample();
    expect(MoveTree.from(tree.toBranches()).toBranches()).toEqual(tree.toBranches());
    expect(tree.toBranches()[0]?.children?.[1]).toMatchObject({ move: 'x', comment: 'why' });
  });

  test('playing a known move follows it, a new one makes a variation', () => {
    const tree = sample();
    tree.play('a');
    tree.play('b');
    expect(tree.nodes).toHaveLength(7);
    tree.play('z');
    expect(tree.moves()).toEqual(['a', 'b', 'z']);
    tree.back();
    expect(tree.node(tree.at).children.map((c) => tree.node(c).move)).toEqual(['c', 'z']);
  });

  test('forward goes where one was last', () => {
    const tree = sample();
    tree.play('a');
    tree.play('x');
    tree.jump(0);
    tree.forward();
    tree.forward();
    expect(tree.moves()).toEqual(['a', 'x']);
    tree.sibling(-1);
    expect(tree.moves()).toEqual(['a', 'b']);
  });

  test('sync makes the played line the main line and keeps what was taken back', () => {
    const tree = new MoveTree();
    tree.sync(['a', 'b', 'c']);
    const tip = tree.sync(['a', 'd']);
    expect(tree.moves(tip)).toEqual(['a', 'd']);
    expect(tree.line(0).map((id) => tree.node(id).move)).toEqual(['a', 'd']);
    expect(tree.toBranches()[0]?.children?.map((b) => b.move)).toEqual(['d', 'b']);
  });

  test('removing a branch one stands in goes to its parent', () => {
    const tree = sample();
    tree.play('a');
    const x = tree.play('x');
    tree.play('y');
    tree.remove(x);
    expect(tree.moves()).toEqual(['a']);
    expect(JSON.stringify(tree.toBranches())).not.toContain('"x"');
  });
});

describe('what was cut from a tree', () => {
  test('comes back where it was, with what was played meanwhile', () => {
    const tree = sample();
    tree.play('a');
    const b = tree.play('b');
    const before = tree.toBranches();
    const restore = tree.remove(b);
    tree.play('b');
    tree.play('new');
    restore();
    expect(tree.moves()).toEqual(['a', 'b']);
    expect(tree.node(tree.at).children.map((c) => tree.node(c).move)).toEqual(['c', 'new']);
    tree.remove(tree.child(b, 'new')!);
    expect(tree.toBranches()).toEqual(before);
  });
});

test('drawings: a point has one sign, drawing it again erases it, arrows cross', () => {
  const tree = sample();
  tree.draw(0, { kind: 'circle', row: 1, col: 1 });
  tree.draw(0, { kind: 'square', row: 1, col: 1 });
  tree.draw(0, { kind: 'arrow', row: 1, col: 1, to: [2, 2] });
  expect(tree.root().marks?.map((mark) => mark.kind)).toEqual(['square', 'arrow']);
  tree.draw(0, { kind: 'arrow', row: 1, col: 1, to: [2, 2] });
  const restore = tree.wipe(0);
  expect(tree.root()).toEqual({});
  restore();
  expect(MoveTree.from(tree.toBranches(), tree.root()).root().marks).toEqual([{ kind: 'square', row: 1, col: 1 }]);
});

describe('the layout of a tree', () => {
  const lines = (tree: MoveTree) => layout(tree.nodes).map((l) => `${l.depth}:${l.ply}:${l.ids.map((id) => tree.node(id).move).join('')}`);

  test('writes variations after the move they replace', () => {
    expect(lines(sample())).toEqual(['0:1:a', '1:1:r', '0:2:b', '1:2:xy', '0:3:c']);
  });

  test('shows every node once, however deep', () => {
    const tree = new MoveTree();
    tree.sync(Array.from({ length: 400 }, (_, i) => `m${i}`));
    for (const at of [10, 50, 399]) {
      tree.jump(at);
      tree.play('other');
    }
    const ids = layout(tree.nodes).flatMap((l) => l.ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(tree.nodes.length - 1);
  });
});
