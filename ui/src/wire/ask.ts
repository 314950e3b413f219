/** Calls of the venue that anybody may make, as in ask(native.markets, {}). */
import { type Caller, callerOf } from '#client';

export const ask: Caller = callerOf({ url: '' });
