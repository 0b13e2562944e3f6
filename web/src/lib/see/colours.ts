// The app's colours as a canvas needs them: looked up once per theme; the style sheet defines them.

const NAMES = ['bg', 'panel', 'raised', 'line', 'ink', 'dim', 'accent', 'bad', 'good', 'warn', 'red', 'blue'] as const;
export type Colours = Record<(typeof NAMES)[number], string>;

export function coloursOf(element: HTMLElement): Colours {
  const probe = document.createElement('span');
  // Where motion is reduced every change of a colour is a very short transition, which would begin with the colour before.
  probe.style.transitionProperty = 'none';
  element.append(probe);
  const found = {} as Colours;
  for (const name of NAMES) {
    probe.style.color = `var(--${name})`;
    found[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return found;
}

/** Calls back when the theme may have changed: the page's own switch, or the system's. */
export function onTheme(call: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)');
  const watch = new MutationObserver(call);
  watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  media.addEventListener('change', call);
  return () => {
    watch.disconnect();
    media.removeEventListener('change', call);
  };
}
