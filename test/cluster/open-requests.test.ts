/** What a process does with requests that have no answer yet: whose they are, and who gets them. */
import { strict as assert } from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { OpenRequests } from '#cluster/testing';
import { accountId, assetId, type Command, type Event, refuse, writeTagged } from '#domain';

const OPEN_MAX = 2_048;
const open: OpenRequests[] = [];
after(() => {
  for (const one of open) one.close();
});

function newRequests(reach: () => Promise<void> = async () => undefined): OpenRequests {
  const requests = new OpenRequests({ reach, timeoutMs: 60_000, openRequestsMax: OPEN_MAX });
  open.push(requests);
  return requests;
}

function orderOf(account: number): Command {
  return { kind: 'cancel_all_spot_orders', accountId: accountId(account) };
}

/** What becomes of requests, as far as it is known by now. */
class Outcomes {
  readonly known: string[] = [];

  async add(answer: Promise<readonly Event[]>): Promise<void> {
    const [first] = await answer;
    this.known.push(first?.kind === 'refused' ? first.reject : (first?.kind ?? ''));
  }
}

async function turn(): Promise<void> {
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

describe('places', () => {
  async function flood(requests: OpenRequests, account: number): Promise<number> {
    const outcomes = new Outcomes();
    for (let at = 0; at < OPEN_MAX; at += 1) void outcomes.add(requests.submit(orderOf(account)));
    await turn();
    return OPEN_MAX - outcomes.known.length;
  }

  test('an account that floods leaves half of them to others', async () => {
    const requests = newRequests();
    assert.equal(await flood(requests, 1), OPEN_MAX / 2);
    assert.equal(await flood(requests, 2), OPEN_MAX / 4, 'half of the rest');
    const outcomes = new Outcomes();
    void outcomes.add(requests.submit(orderOf(3)));
    await turn();
    assert.deepEqual(outcomes.known, []);
    assert.ok(!requests.isFull);
  });

  test('what is too much names the setting and its value', async () => {
    const requests = newRequests();
    await flood(requests, 1);
    const [first] = await requests.submit(orderOf(1));
    const text = `open requests of this account (openRequestsMax of this process: ${OPEN_MAX})`;
    assert.deepEqual(first, refuse('rate_exceeded', { is: 'text', text }));
    // Each account takes half of what is left: after so many there is nothing.
    for (let account = 2; !requests.isFull; account += 1) await flood(requests, account);
    const [last] = await requests.submit(orderOf(99));
    const all = `open requests of all accounts (openRequestsMax of this process: ${OPEN_MAX})`;
    assert.deepEqual(last, refuse('venue_busy', { is: 'text', text: all }));
  });

  test('what the operator does to an account does not wait for it', async () => {
    const requests = newRequests();
    await flood(requests, 1);
    const outcomes = new Outcomes();
    const amount = 1n;
    const money = { accountId: accountId(1), wallet: 'spot', assetId: assetId(1), amount } as const;
    void outcomes.add(requests.submit({ kind: 'deposit', ...money }));
    await turn();
    assert.deepEqual(outcomes.known, []);
  });

  test('an answer gives the place back', async () => {
    const requests = newRequests();
    const count = await flood(requests, 1);
    for (let request = 1; request <= count; request += 1) {
      requests.answer(request, [refuse('account_unknown')]);
    }
    assert.equal(requests.count, 0);
    assert.equal(await flood(requests, 1), OPEN_MAX / 2);
  });
});

describe('leaders', () => {
  /** Connects to leaders one after the other; gives how many requests each of them was sent. */
  async function passed(
    requests: OpenRequests,
    leaders: readonly string[],
    after: (leader: string) => void = () => undefined,
  ): Promise<number[]> {
    const counts: number[] = [];
    for (const leader of leaders) {
      let sent = 0;
      requests.connect((rows) => {
        sent += rows.length;
      }, leader);
      await turn();
      counts.push(sent);
      after(leader);
      requests.disconnect();
    }
    return counts;
  }

  test('two that died with a request are followed by no third', async () => {
    const requests = newRequests();
    const outcomes = new Outcomes();
    void outcomes.add(requests.submit(orderOf(1)));
    assert.deepEqual(await passed(requests, ['a', 'b', 'c']), [1, 1, 0]);
    assert.deepEqual(outcomes.known, ['outcome_unknown']);
  });

  test('one that is reached again has not died', async () => {
    const requests = newRequests();
    const outcomes = new Outcomes();
    void outcomes.add(requests.submit(orderOf(1)));
    assert.deepEqual(await passed(requests, ['a', 'a', 'a', 'b']), [1, 1, 1, 1]);
    assert.deepEqual(outcomes.known, []);
  });

  test('those that go in order have not died of it', async () => {
    const requests = newRequests();
    const outcomes = new Outcomes();
    void outcomes.add(requests.submit(orderOf(1)));
    const letGo = (leader: string) => requests.letGo(leader);
    assert.deepEqual(await passed(requests, ['a', 'b', 'c', 'd'], letGo), [1, 1, 1, 1]);
    assert.deepEqual(outcomes.known, []);
  });

  test('what one has refused is sent to no other, before its caller hears of it, too', async () => {
    const reached = Promise.withResolvers<void>();
    const requests = newRequests(() => reached.promise);
    const outcomes = new Outcomes();
    void outcomes.add(requests.submit(orderOf(1)));
    const refused = (leader: string): void => {
      const text = writeTagged(refuse('account_unknown'));
      if (leader === 'a') void requests.refuse([[1, 7, text]]);
    };
    assert.deepEqual(await passed(requests, ['a', 'b', 'c', 'd'], refused), [1, 0, 0, 0]);
    assert.deepEqual(outcomes.known, []);
    reached.resolve();
    await turn();
    assert.deepEqual(outcomes.known, ['account_unknown']);
  });
});
