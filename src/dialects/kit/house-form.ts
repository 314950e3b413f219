/** What the dialects of the house have in common: how callers show who they are, and the frame. */
import type { Dialect } from '#api';
import { headerSigner } from './access-headers.ts';
import { HOUSE_FRAME } from './house-frame.ts';
import { queryOrJson } from './input.ts';

/** Keys are not asked for: callers are told apart by headers that other dialects read anyway. */
export const HOUSE_FORM: Pick<Dialect, 'frame' | 'signer' | 'input' | 'streams'> = {
  frame: HOUSE_FRAME,
  signer: headerSigner(),
  input: queryOrJson,
  streams: () => [],
};
