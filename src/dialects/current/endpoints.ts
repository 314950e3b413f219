/** The tables of endpoints. */
import { SPOT_GENERAL } from './spot-general.ts';

export const CURRENT_SPOT_ENDPOINTS = { ...SPOT_GENERAL } as const;
