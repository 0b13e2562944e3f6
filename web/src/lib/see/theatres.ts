// The pages on which a search can be watched.
import type { Key } from '../i18n';

export const theatres: { path: string; title: Key; lead: Key; sign: string }[] = [
  { path: '/see/tree', title: 'see.tree.title', lead: 'see.tree.lead', sign: '⑂' },
  { path: '/see/compare', title: 'see.compare.title', lead: 'see.compare.lead', sign: '⇄' },
  { path: '/see/mcts', title: 'see.mcts.title', lead: 'see.mcts.lead', sign: '⚄' },
  { path: '/see/xray', title: 'see.xray.title', lead: 'see.xray.lead', sign: '◎' },
  { path: '/see/path', title: 'see.path.title', lead: 'see.path.lead', sign: '⌁' },
  { path: '/see/own', title: 'see.own.title', lead: 'see.own.lead', sign: '✎' },
];
