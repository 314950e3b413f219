/** What a stranger with a clock learns about an address: nothing. */

import { strict as assert } from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { COMPETITION_PART } from '#competition';
import {
  askReset,
  LaterWork,
  LazyPeople,
  LiveSessions,
  openPeople,
  Passwords,
  PEOPLE_DEFAULTS,
  type PeopleContext,
  type PeopleStore,
  signIn,
  signUp,
} from '#people';
import { scratchDirectory } from '../support/scratch.ts';

const NOW_MS = 1_795_235_652_453;
const FROM = { address: '127.0.0.1', network: '127.0.0.1', agent: 'test' };
const STATES = ['pending', 'active', 'suspended'] as const;
const ADDRESSES = ['nobody', ...STATES].map((name) => `${name}@example.com`);

const file = join(scratchDirectory(), 'people.sqlite');
const real = await openPeople({ kind: 'sqlite', file }, COMPETITION_PART);
/** What the store was asked, by name. */
let asked: string[] = [];
const store: PeopleStore = new Proxy(real, {
  get: (target, name) => {
    const found: unknown = Reflect.get(target, name, target);
    if (typeof found !== 'function') return found;
    return (...given: unknown[]) => {
      asked.push(String(name));
      return Reflect.apply(found, target, given);
    };
  },
});
const people = new LazyPeople(() => Promise.resolve(store));
const faults: unknown[] = [];
const onFault = (error: unknown) => faults.push(error);
const settings = { ...PEOPLE_DEFAULTS, signUp: 'open' } as const;
const keyed = { masterKey: Buffer.alloc(32, 1), freshMs: 1e9 };
const sessions = new LiveSessions({ people, nowMs: () => NOW_MS, onFault, settings, ...keyed });
const later = new LaterWork(onFault);
const context: PeopleContext = {
  ...{ people, settings, sessions, later, onFault, mailer: undefined, terminal: undefined },
  nowMs: () => NOW_MS,
  passwords: new Passwords({ memoryKib: 64, passes: 1 }),
  sealing: { seal: () => 'sealed', open: () => '' },
  openAccount: () => Promise.reject(new Error('no accounts are opened here')),
  openFirstAccount: () => Promise.reject(new Error('no accounts are opened here')),
};
const passwordHash = String(await context.passwords.hash('four green ideas sleep'));
for (const state of STATES) {
  const person = { personId: state, email: `${state}@example.com`, name: '', createdMs: NOW_MS };
  await real.addPerson({ ...person, state, passwordHash });
}
after(async () => {
  await later.close();
  sessions.close();
  await real.close();
  assert.deepEqual(faults, []);
});

/** What the store is asked until the answer is on its way. */
async function askedBy(call: (by: PeopleContext) => Promise<unknown>): Promise<readonly string[]> {
  const after = new LaterWork(onFault);
  asked = [];
  await call({ ...context, later: after });
  // The answer leaves with the turn.
  await new Promise((resolve) => setImmediate(resolve));
  const before = [...asked];
  // What this one leaves for later is not counted for the next.
  await after.close();
  return before;
}

const CALLS: readonly (readonly [
  name: string,
  (by: PeopleContext, email: string) => Promise<unknown>,
])[] = [
  ['a reset', (by, email) => askReset(by, email, FROM)],
  [
    'a sign-up',
    (by, email) => signUp(by, { email, name: '', invitation: '', language: 'en' }, FROM),
  ],
  [
    'a wrong password',
    (by, email) => signIn(by, { email, password: 'wrong', code: '' }, FROM, undefined),
  ],
];

for (const [name, call] of CALLS) {
  test(`${name} takes the same work before its answer, whoever has the address`, async () => {
    const works = [];
    for (const email of ADDRESSES) works.push(await askedBy((by) => call(by, email)));
    for (const work of works) assert.deepEqual(work, works[0]);
  });
}

test('the work is done after the answer, and before the venue stops', async () => {
  const resets = new LaterWork(onFault);
  asked = [];
  await askReset({ ...context, later: resets }, 'active@example.com', FROM);
  assert.equal(asked.includes('addLink'), false);
  await resets.close();
  assert.ok(asked.includes('addLink'), 'a link is made');
  const last = new LaterWork(onFault);
  let isDone = false;
  last.add(async () => {
    isDone = true;
  });
  assert.equal(isDone, false);
  await last.close();
  assert.equal(isDone, true);
});
