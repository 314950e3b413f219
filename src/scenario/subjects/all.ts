/** The table of everything an expectation can look at. */
import type { Subject } from '../action.ts';
import { HOLDING_SUBJECTS } from './holdings.ts';
import { VENUE_SUBJECTS } from './venue.ts';

export const SUBJECTS: readonly Subject[] = [...HOLDING_SUBJECTS, ...VENUE_SUBJECTS];
