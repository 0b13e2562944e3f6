// What a person has chosen, kept in the browser. Broken or old values fall back to the defaults.

export type Theme = 'system' | 'light' | 'dark';
export type Language = 'en' | 'zh';

const KEY = 'tengen.settings';

function browserLanguage(): Language {
  if (typeof navigator === 'undefined') return 'en';
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

const defaults = {
  language: browserLanguage(),
  theme: 'system' as Theme,
  coordinates: true,
  numbers: false,
  animate: true,
  sound: false,
  /** A notification of the system when it is one's turn. */
  notify: false,
  /** Ask for a second tap: where cells are smaller than a fingertip, always or never. */
  confirmTap: 'small',
  /** Show what the other player writes. */
  chat: true,
  /** Do single letters run commands? */
  letterKeys: true,
  cell: 52,
  gomokuTheme: 'wood',
  // Upright columns leave the cells largest on a narrow screen.
  hexOrientation: typeof innerWidth === 'number' && innerWidth < 600 ? 'pointy' : 'flat',
  blackColour: '',
  whiteColour: '',
  redColour: '',
  blueColour: '',
  overlay: true,
  /** What candidate moves show: win rate, visits or score. */
  overlayNumber: 'win',
  /** Where searches run: `auto`, `device` or `server`. */
  think: 'auto',
  sideBySide: false,
  name: '',
};
export type Values = typeof defaults;

function load(): Values {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const values = { ...defaults };
    if (typeof stored !== 'object' || stored === null) return values;
    for (const [key, value] of Object.entries(stored)) {
      if (key in defaults && typeof value === typeof defaults[key as keyof Values]) {
        Object.assign(values, { [key]: value });
      }
    }
    return values;
  } catch {
    return { ...defaults };
  }
}

/** The settings; assigning a field changes the page at once and is remembered. */
export const settings = $state(load());

/** Is the page dark now? */
export function isDark(): boolean {
  return settings.theme === 'dark' || (settings.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
}

/** Writes settings back whenever they change and tells the document about language and theme. */
export function keepSettings() {
  $effect(() => {
    try {
      localStorage.setItem(KEY, JSON.stringify(settings));
    } catch {
      // A browser that keeps nothing still works, it only forgets.
    }
    document.documentElement.lang = settings.language === 'zh' ? 'zh-CN' : 'en';
    document.documentElement.dataset['theme'] = settings.theme;
  });
}
