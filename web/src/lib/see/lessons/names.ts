// The lessons in order; their texts are loaded when one is opened.

export const lessonNames: { id: string; en: string; zh: string }[] = [
  { id: 'game-trees', en: 'Game trees', zh: '博弈树' },
  { id: 'minimax', en: 'Minimax', zh: '极大极小' },
  { id: 'alpha-beta', en: 'Alpha-beta', zh: 'Alpha-beta 剪枝' },
  { id: 'ordering', en: 'Move ordering', zh: '着法排序' },
  { id: 'evaluation', en: 'Evaluation', zh: '局面评估' },
  { id: 'mcts', en: 'Monte Carlo tree search', zh: '蒙特卡洛树搜索' },
  { id: 'threats', en: 'Threats and connections', zh: '威胁与连接' },
  { id: 'forbidden', en: 'Renju: forbidden points', zh: '连珠：禁手' },
  { id: 'templates', en: 'Hex: bridges and edge templates', zh: '六贯棋：双桥与边模板' },
  { id: 'paths', en: 'A* and IDA*', zh: 'A* 与 IDA*' },
];
