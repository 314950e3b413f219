/** The frame of the house around every answer, the same in both areas, in this dialect's words. */
import type { Frame } from '#api';
import { frameSaying } from '../kit/house-frame.ts';
import { rejectText } from './rejects.ts';

export const FRAME: Frame = frameSaying(rejectText);
