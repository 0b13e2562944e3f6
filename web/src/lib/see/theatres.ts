// The pages on which a search can be watched. Each has an icon, a path in a square of 24.
import type { Key } from '../i18n';

export const theatres: { path: string; title: Key; lead: Key; iconPath: string }[] = [
  {
    path: '/see/tree',
    title: 'see.tree.title',
    lead: 'see.tree.lead',
    iconPath: 'M12 5v4m0 0-6 5v4m6-9 6 5v4m-6-9v9M12 3a1 1 0 1 1 0 2 1 1 0 0 1 0-2',
  },
  { path: '/see/compare', title: 'see.compare.title', lead: 'see.compare.lead', iconPath: 'M5 20v-6m5 6V8m5 12V4m5 16v-9M3 20h19' },
  {
    path: '/see/mcts',
    title: 'see.mcts.title',
    lead: 'see.mcts.lead',
    iconPath: 'M5 5h14v14H5zM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01',
  },
  {
    path: '/see/xray',
    title: 'see.xray.title',
    lead: 'see.xray.lead',
    iconPath: 'M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13m5 11.5L21 21',
  },
  { path: '/see/path', title: 'see.path.title', lead: 'see.path.lead', iconPath: 'M4 19h6v-6h5V6h5m0 0-3-3m3 3-3 3' },
  { path: '/see/own', title: 'see.own.title', lead: 'see.own.lead', iconPath: 'M4 20l1-5L16 4l4 4L9 19zM14 6l4 4' },
];
