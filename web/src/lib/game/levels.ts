// The strengths an engine can play with, weakest first.
import type { Level } from '../api/types';

export const levels: Level[] = ['easy', 'medium', 'hard', 'max'];
