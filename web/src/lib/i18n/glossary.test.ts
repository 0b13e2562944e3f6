import { expect, test } from 'vitest';
import { lessons as lessonsEn } from '../see/lessons/en';
import { lessonNames } from '../see/lessons/names';
import { lessons as lessonsZh } from '../see/lessons/zh';
import { en } from './en';
import { glossary } from './glossary';
import { zh } from './zh';

const texts = {
  en: { ...en, lessons: JSON.stringify(lessonsEn), names: lessonNames.map((l) => l.en).join('\n') },
  zh: { ...zh, lessons: JSON.stringify(lessonsZh), names: lessonNames.map((l) => l.zh).join('\n') },
};

test.each(['en', 'zh'] as const)('texts in %s keep to the glossary', (language) => {
  const found = Object.entries(texts[language]).flatMap(([key, text]) =>
    glossary[language].filter(({ not }) => not.test(text)).map(({ say, not }) => `${key}: say “${say}”, not ${not}`),
  );
  expect(found).toEqual([]);
});

test('bots are 机器人', () => {
  const bots = ['nav.bots', 'player.bot', 'new.bot', 'new.mode-bot', 'new.no-bots', 'problem.bot.unknown'] as const;
  for (const key of bots) expect(zh[key], key).toContain('机器人');
});
