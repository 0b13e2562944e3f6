// The keys that walk through a study: the same in a game and in analysis.
import type { Binding } from '../ui/keys.svelte';
import type { Study } from './study.svelte';

export function stepKeys(study: () => Study, last = () => study().step('last')): Binding[] {
  return [
    { keys: ['ArrowLeft', ','], label: 'keys.back', run: () => study().step('back') },
    { keys: ['ArrowRight', '.'], label: 'keys.forward', run: () => study().step('forward') },
    { keys: ['ArrowUp'], label: 'keys.previous-variation', run: () => study().step('previous') },
    { keys: ['ArrowDown'], label: 'keys.next-variation', run: () => study().step('next') },
    { keys: ['Home', '<'], label: 'keys.first', run: () => study().step('first') },
    { keys: ['End', '>'], label: 'keys.last', run: last },
  ];
}
