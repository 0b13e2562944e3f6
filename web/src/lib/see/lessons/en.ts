// The lessons in English.
import { parts, together } from './widgets';

const texts: Record<string, { title: string; text: string[] }[]> = {
  'game-trees': [
    {
      title: 'A position and what can follow',
      text: [
        'Take a position of tic-tac-toe near its end. Whoever is to move has a few choices, and each choice makes a new position. Draw the first position as a point, the new ones below it, and a line for each move: that is the beginning of a game tree.',
        'The picture shows one ply, which is one move of one side. Every box is a position; the letter and number is the move that leads there.',
      ],
    },
    {
      title: 'Down to the end',
      text: [
        'Now go on: below every position draw all answers, below those all answers to them, until the game is over. The points without children are called leaves. A leaf of a finished game has a value that nobody can argue about: +1 if X has won, −1 if O has, 0 for a draw.',
        'Click a box to see its position on the board. The triangles tell whose turn it is: up for MAX, down for MIN.',
      ],
    },
    {
      title: 'How quickly it grows',
      text: [
        'With b moves per position and d plies a tree has about b to the power d leaves. The table counts the nodes of tic-tac-toe, ply by ply, from a position with seven empty cells.',
        'Gomoku on its usual board has 225 first moves, and Hex 121. Those trees can never be written down. Everything that follows is about looking at less of the tree and still finding the right move.',
      ],
    },
  ],
  minimax: [
    {
      title: 'Two players with opposite goals',
      text: [
        'One side, MAX, wants a high value; the other, MIN, a low one. If it is MAX’s turn and the values of all moves are known, the choice is easy: take the highest. If it is MIN’s turn: the lowest.',
        'Press play. The search goes down one move, comes back with its value, goes down the next. The value of a position is the best value of its moves, seen by the side that chooses.',
      ],
    },
    {
      title: 'Values are passed up',
      text: [
        'The rule is used at every level. Leaves get their values from the rules of the game, the positions above from their children, turn by turn, until the root has one. A move is as good as what the opponent’s best answer leaves of it.',
        'Step through with the single-step button and read the sentence on the right after each step.',
      ],
    },
    {
      title: 'Exact but slow',
      text: [
        'Minimax makes no mistakes within its depth: it visits every line. That is its weakness too. Look at the counter of nodes while this position with five empty cells is searched.',
        'Before you go on: which of these nodes could have been left out without changing the answer?',
      ],
    },
  ],
  'alpha-beta': [
    {
      title: 'Two bounds passed down the tree',
      text: [
        'Alpha is what MAX is already sure of somewhere above; beta is what MIN is already sure of. The search carries both down every edge. In the beginning nothing is known: alpha is minus infinity, beta plus infinity.',
        'When a move turns out better than all before it, the side to move raises its bound. Watch the numbers above the boxes change.',
      ],
    },
    {
      title: 'The cut',
      text: [
        'Here is the first cutoff. A move was found that is so good for the side to move that the other side will never let it come to this position: it has something better further up. The remaining moves are skipped. They are drawn as a grey stub with scissors and their number.',
        'The sentence says which bound it was, how large, and which ply set it. The button with the scissors goes to the next one.',
      ],
    },
    {
      title: 'The same answer for less',
      text: [
        'Alpha-beta returns exactly the value that minimax returns. Only the work differs. The table shows both on the same position and depth.',
        'In the best case, when the best move always comes first, a tree of b to the power d leaves shrinks to about twice b to the power d/2: in the same time the search looks twice as deep.',
      ],
    },
  ],
  ordering: [
    {
      title: 'Good moves first',
      text: [
        'A cut happens when a good move has been seen. So the order of moves decides how much can be cut. In tic-tac-toe a simple rule helps: the centre first, then the corners, then the edges.',
        'The table compares the rule with the order of the board. The third row adds a table of positions seen before, because different orders of the same moves lead to the same position.',
      ],
    },
    {
      title: 'Ordering by the evaluation',
      text: [
        'Strong programs guess which move is best before they search: by an evaluation, by what cut off elsewhere, by a shallower search. On this small Hex board moves are sorted by what the evaluation thinks of them.',
        'Look how often the first move of a node is the one that cuts.',
      ],
    },
    {
      title: 'A published experiment',
      text: [
        'A student report on Gomoku states what ordering and keeping only the eleven best moves bought its program: on one puzzle 3,941 nodes at depth 5 with both, 265,187 nodes at depth 4 with neither, 67 times as many for one ply less.',
        'The engine classic-ac reproduces that program. Open the comparison and let it count again: the numbers come out the same.',
      ],
    },
  ],
  evaluation: [
    {
      title: 'When the end is too far away',
      text: [
        'A tree that cannot be searched to the end is searched to some depth, and the positions there are valued by a guess: the evaluation. It need not be right, it must be quick, and better positions should mostly get higher numbers.',
        'In this Gomoku position the values are points for rows of stones: the more stones and the more open ends, the more points.',
      ],
    },
    {
      title: 'Patterns along a line',
      text: [
        'The engine classic-ac reads every row, column and diagonal with an automaton that looks for all patterns at once. Each cell read moves it from one state to the next; some states mean that a pattern has just ended.',
        'Open the X-ray, point at a cell, and read the states along the line you choose, with what each pattern adds.',
      ],
    },
    {
      title: 'Write one',
      text: [
        'The best way to understand evaluations is to write one. On the page “Write your own” a few lines of JavaScript value a board; you see the tree that a search makes with it, and can let it play against the built-in levels.',
        'Try the first idea that comes to mind, watch a game that it loses, and ask what it did not see.',
      ],
    },
  ],
  mcts: [
    {
      title: 'Play it out',
      text: [
        'There is another way to value a position: play it to the end at random, many times, and count who wins. One such game says almost nothing; a thousand say a lot. No evaluation is needed, only the rules.',
        'The small board shows a playout from the position on the left.',
      ],
    },
    {
      title: 'Where to look next',
      text: [
        'The first games show which moves do well. It would be a waste to go on trying the bad ones as often, and a mistake to forget them after one bad game. UCB1 weighs the two: the share of wins, w/n, plus C times the root of ln N / n, which is large for moves that were tried rarely.',
        'The tables show both terms at every step down the tree. The highest sum is chosen.',
      ],
    },
    {
      title: 'The constant C',
      text: [
        'With a small C the search trusts what it has seen and looks deep at few moves; with a large one it spreads its games. Here C is 0.2: see how few moves are visited.',
        'Change C and the number of playouts in the full visualization, and compare with flat Monte Carlo, which gives every move the same share.',
      ],
    },
  ],
  threats: [
    {
      title: 'Threats in Gomoku',
      text: [
        'A four must be answered at once, an open three in one of a few ways. Whoever threatens chooses where the game goes, and a chain of threats may end in two at once, which nobody can stop. Programs look for such chains before they look at anything else.',
        'The board shows what a stone of either side would make on each point.',
      ],
    },
    {
      title: 'Bridges in Hex',
      text: [
        'Two stones with two empty cells between them are as good as joined: if the opponent takes one cell, you take the other. This is a bridge. Chains of bridges cross a board before the stones touch.',
        'The lines show the bridges on this board.',
      ],
    },
    {
      title: 'Virtual connections',
      text: [
        'The idea goes further: groups and edges that are joined whatever the opponent does are found by combining smaller connections, with the cells each of them needs. If one side has such a connection from edge to edge, the game is decided, although many cells are empty.',
      ],
    },
  ],
  forbidden: [
    {
      title: 'The double-three',
      text: [
        'Black moves first, and on an empty board that is worth so much that Black wins by force. Renju takes some of it away: three kinds of moves are forbidden to Black, and a forbidden move loses the game. White may play everything.',
        'The first kind is the double-three: one stone that makes two open threes at once. An open three becomes, with one more stone, a four that is open at both ends, and nobody can stop that.',
        'One point on this board is forbidden. Imagine a black stone on it and look along the row and along the column.',
      ],
    },
    {
      title: 'What counts as a three',
      text: [
        'Only a three counts that can still become an open four. With a white stone at its end the four would be open on one side only, so it is no open three, and with one open three nothing is forbidden.',
        'The cross marks the forbidden point. White can lift the ban with a stone in the right place, and so may Black: players lead their opponent to forbidden points and away from them.',
      ],
    },
    {
      title: 'The double-four',
      text: [
        'A four needs one more stone to be a five, open or not. One stone that makes two fours at once is forbidden to Black.',
        'There are two such points here. Above, a row and a column meet. Below, both fours lie on the same row: from the point in the middle a five can be completed on either side.',
      ],
    },
    {
      title: 'The overline',
      text: [
        'Black wins with exactly five. Six or more in a row are an overline, and the stone that makes one is forbidden. For White six win like five.',
        'So a gap in a row that is too long is a hole that Black can never fill.',
      ],
    },
    {
      title: 'Five comes first',
      text: [
        'A stone that makes exactly five wins, whatever else it makes. On this board one point completes a five in a row and a three in the column.',
        'Is anything forbidden here? Ask for the points before you answer. In a game the board marks forbidden points with crosses, and says why when you touch one.',
      ],
    },
  ],
  templates: [
    {
      title: 'The bridge',
      text: [
        'Two stones with two empty cells between them are joined: if Blue takes one of the cells, Red takes the other. A stone on the second row is joined to its edge in the same way, by the two cells below it.',
        'Red joins top and bottom here with two stones. It is your move as Blue: try every cell and watch the answer.',
      ],
    },
    {
      title: 'A stone on the third row',
      text: [
        'An edge template is a stone with just the empty cells that it needs to reach its edge, whoever moves. On the third row these are ten cells, wider toward the edge; the shape is called the ziggurat.',
        'Inside, Red answers every cut with a bridge or with a stone on the second row. Outside, your move changes nothing, and Red may play elsewhere.',
      ],
    },
    {
      title: 'Too narrow',
      text: [
        'Take cells of the template away, and it need not hold. Here blue stones stand where the ziggurat would be, on both sides.',
        'Now there is a cut. Find it: the solver says when Red can no longer join, and it answers as long as Red still can.',
      ],
    },
    {
      title: 'Higher up',
      text: [
        'Templates exist for higher rows too, and they become wide quickly: on the fourth row a stone needs more than twice the cells of the third. On small boards they hardly fit; on large ones they decide where a ladder must be stopped.',
        'Here the chain ends on the fourth row, with three empty rows below it. Try to cut straight down, and from either side.',
      ],
    },
  ],
  paths: [
    {
      title: 'A* looks ahead',
      text: [
        'A path search keeps a list of places it could go on from. Dijkstra takes the one with the smallest cost so far, g. A* adds an estimate of the way still to go, h, and takes the smallest sum f. Each cell shows g + h and, larger, f; the list beside shows which cell comes next.',
        'The estimate points straight through the wall: watch how the search finds out and turns back.',
      ],
    },
    {
      title: 'When the heuristic overestimates',
      text: [
        'If h never exceeds the true cost, A* finds a shortest path. An estimate that is too large misleads it: this one squares the distance, so the search runs through the costly cells because they seem to lead to the goal. The path found is not the cheapest, and the record says what the cheapest would have cost.',
        'Try other heuristics and weights in the full visualization.',
      ],
    },
    {
      title: 'IDA*: the same with little memory',
      text: [
        'A* remembers every cell it has seen. IDA* goes depth first instead and turns back wherever f exceeds a bound. If that fails, it starts again with the smallest f that was too large. It repeats work, and in return it needs to remember little.',
        'Follow the bound and the rounds: the darker a cell, the more often it was expanded.',
      ],
    },
  ],
};

export const lessons = together(
  texts,
  parts({ minimax: 'Minimax', alphabeta: 'Alpha-beta', ordered: 'with ordering', table: 'with a table' }),
);
