/** Every stream that a venue serves is described for clients and attacked by the fuzzer. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { classicDialect, currentDialect, nativeDialect } from '#dialects';
import { ATTACKED_STREAMS } from '../../tools/fuzz/frame-attack.ts';
import { closedAtEnd } from '../support/at-end.ts';
import { House } from '../support/house.ts';

const house = closedAtEnd(await House.open());
const { venue, live, clock } = house;
const history = { newestFills: async () => [], contractFills: async () => [] };
const services = { venue, live, clock, history, historyReady: async () => undefined };
const streams = [classicDialect, currentDialect, nativeDialect].flatMap((dialect) =>
  dialect.streams(services),
);
const paths = [...new Set(streams.flatMap((stream) => stream.paths.map(({ path }) => path)))];

test('each path is in STREAMS.md', () => {
  const page = readFileSync(new URL('../../docs/STREAMS.md', import.meta.url), 'utf8');
  assert.ok(paths.length >= 9, paths.join());
  assert.deepEqual(
    paths.filter((path) => !page.includes(`\`${path}\``)),
    [],
  );
});

test('each path is attacked', () => {
  assert.deepEqual(
    paths.filter((path) => !ATTACKED_STREAMS.includes(path)),
    [],
  );
});
