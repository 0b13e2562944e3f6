// Blocks the opponent's longest row. Speaks the Gomocup protocol.
'use strict';
let size = 15;
let stones = new Map(); // "x,y" -> 1 own, 2 the opponent's
let board = false;

const ways = [[1, 0], [0, 1], [1, 1], [1, -1]];

function run(x, y, dx, dy, who) {
  let length = 0;
  while (stones.get(`${x + dx * (length + 1)},${y + dy * (length + 1)}`) === who) length++;
  return length;
}

function longest(x, y, who) {
  return Math.max(...ways.map(([dx, dy]) => run(x, y, dx, dy, who) + run(x, y, -dx, -dy, who)));
}

function choose() {
  let best = null;
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (stones.has(`${x},${y}`)) continue;
      const middle = Math.abs(2 * x - size + 1) + Math.abs(2 * y - size + 1);
      const own = longest(x, y, 1);
      const score = (own >= 4 ? 1e6 : 0) + 1000 * longest(x, y, 2) + 100 * own - middle;
      if (!best || score > best.score) best = { x, y, score };
    }
  }
  stones.set(`${best.x},${best.y}`, 1);
  console.log(`${best.x},${best.y}`);
}

function handle(line) {
  const [command, rest = ''] = line.trim().split(' ');
  if (board && command !== 'DONE') {
    const [x, y, who] = command.split(',').map(Number);
    if (who) stones.set(`${x},${y}`, who);
    return;
  }
  switch (command) {
    case 'START':
      size = Number(rest);
    // falls through
    case 'RESTART':
      stones = new Map();
      return console.log('OK');
    case 'BEGIN':
      return choose();
    case 'TURN':
      if (!/^\d+,\d+$/.test(rest)) return console.log('ERROR no point');
      stones.set(rest, 2);
      return choose();
    case 'BOARD':
      stones = new Map();
      board = true;
      return;
    case 'DONE':
      board = false;
      return choose();
    case 'ABOUT':
      return console.log('name="Blocker", version="1.0", author="Tengen"');
    case 'END':
      return process.exit(0);
    case '':
    case 'INFO':
      return;
    default:
      return console.log('UNKNOWN command');
  }
}

require('readline').createInterface({ input: process.stdin }).on('line', handle);
