/** What the dialects of the house have in common: how callers show who they are, and the frame. */
import type { Dialect } from '#api';
import { headerSigner } from './access-headers.ts';
import { HOUSE_FRAME } from './house-frame.ts';
import { queryOrJson } from './input.ts';

/** Keys are not asked for: with one signer for all dialects a caller is told apart at no cost. */
export const HOUSE_FORM: Pick<Dialect, 'frame' | 'signer' | 'input' | 'streams'> = {
  frame: HOUSE_FRAME,
  signer: headerSigner(),
  input: queryOrJson,
  streams: () => [],
};
