// One word for each thing, and words that are not used for it. `glossary.test.ts` looks for them in every text.

interface Entry {
  /** The word we use. */
  say: string;
  /** What is found instead of it. */
  not: RegExp;
}

export const glossary: Record<'en' | 'zh', Entry[]> = {
  en: [
    { say: 'per move, per node', not: /\b(seconds?|s|time|moves|events|state) an? (move|node|frame|position|cell|line)\b/i },
    { say: 'Random', not: /\bby lot\b/i },
    { say: 'System', not: /\bas the system\b/i },
    { say: 'skipped', not: /\bno look\b/i },
    { say: 'Continue', not: /\bgo on\.?$/i },
    { say: 'visualization', not: /\btheatre/i },
    { say: 'heuristic', not: /\bestimate h\b/i },
    { say: 'the source by its name', not: /\bS[1-4]\b/ },
  ],
  zh: [
    { say: '极大极小', not: /极小极大/ },
    { say: '节点', not: /结点/ },
    { say: '着法', not: /走法/ },
    { say: '扩展', not: /展开/ },
    { say: '待扩展', not: /开放/ },
    { say: '双桥', not: /(?<!双)桥/ },
    { say: '搜索可视化', not: /看见搜索|剧场/ },
    { say: '机器人', not: /(没有这个|没有在线的|与)程序/ },
    // Only the winner's moves count, as in 三步杀; 手 numbers the moves of both sides.
    { say: 'N 步取胜、N 步落败', not: /\} ?手(获胜|取胜|落败)/ },
    { say: 'Swap2', not: /三手交换二式/ },
    { say: '行棋方', not: /轮走方/ },
    { say: '资料的名称', not: /S[1-4](?![\w])/ },
  ],
};
