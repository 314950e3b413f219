/**
 * The same seed and the same file of commands make the same journal, command for command: the demo
 * venue and its simulated traders on a clock moved by hand, twice, each time in its own directory.
 * Which commands share an entry is a matter of real time and does not count. Keys are left
 * out, because sealing one is random by design.
 */
import { strict as assert } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { bootstrap, loadConfig } from '#config';
import { readContractOrder, readNewOrder, readOrderReference, readPlanOrder } from '#dialects';
import {
  type AccountId,
  type Command,
  isRefused,
  type Listings,
  OPERATOR_SOURCE,
  type Refused,
  ticks,
  type VenuePort,
} from '#domain';
import { ManualClock, parseDecimal, parseScaled, present } from '#kernel';
import { verifyJournal } from '#log';
import { SimulatedTraders, type SimulationPlan } from '#simulation';
import { logOf } from '../support/logs.ts';
import { contractOf } from '../support/markets.ts';
import { RealVenue } from '../support/real-venue.ts';
import { scratchDirectory } from '../support/scratch.ts';

const COMMAND_FILE = `${import.meta.dirname}/determinism.yaml`;
const START_MS = 1_795_235_652_000;
const ROUND_MS = 250;
const TICK_MS = 1_000;
const LENGTH_MS = 20_000;

const demo = loadConfig({}, {});
const SEED = present(demo.paths, 'paths of the demo').seed;

type Body = Readonly<Record<string, string>>;

interface Line {
  readonly atMs: number;
  /** Name of an account, or the operator. */
  readonly who: string;
  readonly call: string;
  readonly body: Body;
}

type Reading = (body: Body, who: AccountId, listings: Listings) => Command | Refused;

/** The calls a command file may make, each as a command; a client's are read as the API does it. */
const READINGS: Readonly<Record<string, Reading>> = {
  placeOrder: (body, who, listings) => readNewOrder(body, listings, who),
  placeContractOrder: (body, who, listings) => readContractOrder(body, listings, who),
  placePlan: (body, who, listings) => readPlanOrder(body, listings, who),
  deposit: ({ coin = '', amount = '', wallet = '' }, accountId, listings) => {
    const { assetId, scale } = present(listings.assetByCode(coin), coin);
    const units = parseDecimal(amount, scale);
    assert.ok(typeof units === 'bigint', amount);
    return {
      kind: 'deposit',
      accountId,
      wallet: wallet === 'spot' ? wallet : contractOf(listings, wallet).symbol,
      assetId,
      amount: units,
    };
  },
  setLeverage: ({ symbol = '', leverage = '' }, accountId, listings) => {
    const { instrumentId } = contractOf(listings, symbol);
    const wanted = { instrumentId, side: 'both', leverage: Number(leverage) } as const;
    return { kind: 'set_leverage', accountId, ...wanted };
  },
};

/** The operator's own index price. */
function indexReport({ symbol = '', price = '' }: Body, listings: Listings): Command {
  const { instrumentId, priceScale } = contractOf(listings, symbol);
  const priceTicks = parseScaled(price, priceScale);
  assert.ok(typeof priceTicks === 'number', price);
  const source = OPERATOR_SOURCE;
  return { kind: 'report_index', instrumentId, source, priceTicks: ticks(priceTicks) };
}

/** One life of the demo venue: the commands of the file, the crowd, and a tick every second. */
class Life {
  readonly #venue: VenuePort;
  readonly #clock: ManualClock;
  readonly #crowd: SimulatedTraders;
  readonly kinds = new Set<string>();

  constructor(real: RealVenue, clock: ManualClock, plan: SimulationPlan) {
    this.#venue = real.venue;
    this.#clock = clock;
    const log = {
      info: () => undefined,
      warn: (fields: object) => assert.fail(JSON.stringify(fields)),
    };
    this.#crowd = new SimulatedTraders({ venue: real.venue, log, ...plan });
    real.listeners.push((step) => {
      this.#crowd.onStep(step);
      for (const { kind } of step.events) this.kinds.add(kind);
    });
  }

  async run(lines: readonly Line[]): Promise<void> {
    await this.#crowd.attach();
    const due = [...lines];
    for (let atMs = ROUND_MS; atMs <= LENGTH_MS; atMs += ROUND_MS) {
      for (let next = due[0]; next !== undefined && next.atMs <= atMs; next = due[0]) {
        due.shift();
        this.#clock.set(START_MS + next.atMs);
        await this.#carryOut(next);
      }
      this.#clock.set(START_MS + atMs);
      if (atMs % TICK_MS === 0) await this.#venue.submit({ kind: 'tick' });
      await this.#crowd.tick();
    }
    assert.deepEqual(due, [], 'every line of the file was carried out');
    await this.#crowd.stop();
  }

  async #carryOut(line: Line): Promise<void> {
    const command = await this.#venue.read((state) => {
      if (line.call === 'reportIndex') {
        return indexReport(line.body, state.listings);
      }
      const { accountId } = present(state.accountByName(line.who), line.who);
      if (line.call !== 'cancelOrder') {
        const reading = present(READINGS[line.call], `reading of ${line.call}`);
        return reading(line.body, accountId, state.listings);
      }
      const order = readOrderReference(line.body, state.listings);
      if (isRefused(order)) return order;
      assert.ok('clientOrderId' in order, 'it is cancelled by its client id');
      const open = state.openOrderByClientId(accountId, order.clientOrderId);
      const { orderId, instrumentId } = present(open, 'order to cancel');
      return { kind: 'cancel_spot_order', accountId, instrumentId, orderId } as const;
    });
    const what = `${line.call} at ${line.atMs}`;
    assert.ok(!isRefused(command), `${what}: ${isRefused(command) && command.reject}`);
    const [first] = await this.#venue.submit(command);
    assert.ok(first?.kind !== 'refused', `${what}: ${first?.kind === 'refused' && first.reject}`);
  }
}

interface Outcome {
  /** Of all commands with their times, in order. */
  readonly hash: string;
  readonly commandsCount: number;
  readonly kinds: ReadonlySet<string>;
}

/** The journal that a life leaves behind, proven from its first entry to its last. */
async function live(context: TestContext, lines: readonly Line[], seed: number): Promise<Outcome> {
  const directory = scratchDirectory(context);
  const clock = new ManualClock(START_MS);
  const real = await RealVenue.open(context, directory, { clock });
  const accounts = demo.accounts.map((account) => ({ ...account, keys: [] }));
  const venue = real.venue;
  await bootstrap(
    { ...demo, accounts },
    { venue, hasKey: () => true, sealKey: () => assert.fail('no account has a key') },
  );
  const { liquidity } = demo;
  const paths = { ...present(demo.paths, 'paths'), seed };
  const crowd = { ...present(demo.crowd, 'crowd'), seed };
  const life = new Life(real, clock, { liquidity, crowd, paths });
  await life.run(lines);
  await real.close();
  const proof = await verifyJournal(logOf(directory), () => undefined);
  assert.ok(proof.kind === 'sound');
  const { commandsCount } = proof;
  return { hash: await hashOfCommands(directory), commandsCount, kinds: life.kinds };
}

async function hashOfCommands(directory: string): Promise<string> {
  const hash = createHash('sha256');
  const reader = await logOf(directory).openReader();
  for await (const chunk of reader.chunks(1)) {
    for (const { payload } of chunk) {
      for (const command of JSON.parse(payload)) hash.update(`${JSON.stringify(command)}\n`);
    }
  }
  await reader.close();
  return hash.digest('hex');
}

function commandFile(): Line[] {
  return parse(readFileSync(COMMAND_FILE, 'utf8'));
}

test('the same seed and command file make the same commands in the same order', async (context) => {
  const lines = commandFile();
  const one = await live(context, lines, SEED);
  const other = await live(context, lines, SEED);
  assert.deepEqual(one, other);
  assert.ok(one.commandsCount > 1_000, `${one.commandsCount} commands`);
  for (const kind of ['trade', 'contract_trade', 'trigger_order_closed', 'ticked']) {
    assert.ok(one.kinds.has(kind), `${kind} among ${[...one.kinds]}`);
  }
  context.diagnostic(`${one.commandsCount} commands, hash ${one.hash}`);
});

test('another seed, or one command less, makes another journal', async (context) => {
  const lines = commandFile();
  const hashes = [
    await live(context, lines, SEED),
    await live(context, lines, SEED + 1),
    await live(context, lines.slice(0, -1), SEED),
  ].map(({ hash }) => hash);
  assert.equal(new Set(hashes).size, hashes.length, hashes.join(' '));
});
