import { expect, test } from 'vitest';
import { durationText } from './duration';

test('times are read in milliseconds and seconds', () => {
  expect([0, 0.0000123, 0.01176, 0.9994].map(durationText)).toEqual(['0 ms', '0.012 ms', '12 ms', '1000 ms']);
  expect([1, 2.345, 12.34].map(durationText)).toEqual(['1.00 s', '2.35 s', '12.3 s']);
});
