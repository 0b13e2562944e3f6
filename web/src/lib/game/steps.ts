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

/** The wheel over a board steps through its moves, where a mouse is and the page beside the board scrolls. */
export function wheelSteps(step: (how: 'back' | 'forward') => void): (board: HTMLElement) => () => void {
  return (board) => {
    let turned = 0;
    const turn = (event: WheelEvent) => {
      if (event.ctrlKey || !matchMedia('(min-width: 901px) and (pointer: fine)').matches) return;
      event.preventDefault();
      // A notch of a wheel is about 100 pixels; a touchpad sends many small ones.
      turned += event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * 40;
      if (Math.abs(turned) < 60) return;
      step(turned > 0 ? 'forward' : 'back');
      turned = 0;
    };
    board.addEventListener('wheel', turn, { passive: false });
    return () => board.removeEventListener('wheel', turn);
  };
}
