/** V8's bound on inlining is what the venue believes it is, and is raised. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { inlineMore } from '#venue';

test('a running venue has more inlined than V8 does by itself', () => {
  // It stands for the flags that are not as V8 has them.
  const own = cachedDataVersionTag();
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=920');
  assert.equal(cachedDataVersionTag(), own, 'V8 has the bound of 920 that we know');
  inlineMore();
  assert.notEqual(cachedDataVersionTag(), own);
});
