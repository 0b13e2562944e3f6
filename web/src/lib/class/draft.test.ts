import { expect, test } from 'vitest';
import type { GameEntry } from '../api/types';
import { localTime, newDraft, settingsOf, zonedTime } from './draft';

const hex = { name: 'hex', rows: 11 } as GameEntry;

test('a deadline keeps its moment through the form', () => {
  for (const moment of ['2026-12-01T23:59:00+08:00', '2026-07-01T00:30:00Z', '2027-01-31T23:59:00-03:30']) {
    expect(new Date(zonedTime(localTime(moment))).getTime()).toBe(new Date(moment).getTime());
  }
  expect(localTime(undefined)).toBe('');
  expect(localTime('soon')).toBe('');
  expect(zonedTime('')).toBe('');
  expect(zonedTime('2026-12-01T23:59')).toMatch(/^2026-12-01T23:59:00[+-]\d\d:\d\d$/);
});

test('only what was changed is said', () => {
  const before = newDraft(hex);
  expect(settingsOf(before, newDraft(hex))).toEqual({});
  const changed = { ...newDraft(hex), seconds: 2, references: ['tengen@level=3'] };
  expect(settingsOf(changed, before)).toEqual({ seconds_per_move: 2, references: ['tengen@level=3'] });
  expect(settingsOf({ ...before, deadline: '' }, { ...before, deadline: '2026-12-01T23:59' })).toEqual({ deadline: '' });
  expect(settingsOf(before)).toMatchObject({ size: 11, protocol: 'htp', reference_nodes: 0, marks: { rank: 10 } });
});
