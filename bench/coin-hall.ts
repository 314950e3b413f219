/**
 * An engine in which every account holds three contracts on one wallet, half of them long. The
 * first thousand have from 1 to 14 behind each 90 that they hold, so that a fall of the price
 * liquidates many of them one after the other; all others have enough for any fall of one contract.
 * Somebody buys what is liquidated.
 */
import { strict as assert } from 'node:assert/strict';
import {
  accountId,
  assetId,
  type Command,
  type ContractAction,
  type ContractSpec,
  contractSymbol,
  type Event,
  instrumentId,
  lots,
  ticks,
} from '#domain';
import { Engine } from '#engine';
import { MARGIN_COIN } from './coin.ts';
import { SETTINGS } from './engine.ts';
import { SWAP_SPEC } from './swap-engine.ts';

export const CONTRACTS = 3;
export const MIDDLE_TICKS = 300_000;
/** Prices in a fall, and how far each lies below the one before: 0.2 % of the first. */
const FALLING_PRICES = 100;
const FALL_TICKS = 600;

const NEAR_ACCOUNTS = 1_000;
const LEVERAGE = 100;
/** In 10^-8 USDT: what the poorest have, and how much more the next pair has each time. */
const NEAR_LEAST = 140_000_000n;
const NEAR_STEP = 2_520_000n;
const FAR_LEAST = 3_000_000_000n;
const FAR_STEP = 40_000_000n;
const FAR_STEPS = 100;
const BUYER_FUNDS = 10n ** 15n;

const SPECS: readonly ContractSpec[] = ['BTC', 'ETH', 'LTC'].map((baseCode) => ({
  ...SWAP_SPEC,
  symbol: contractSymbol(baseCode, 'USDT'),
  baseCode,
  // The mark price is the index price.
  markClampPpm: 1,
}));

/** What one price of a fall did. */
export interface Fall {
  readonly events: readonly Event[];
  readonly processorMs: number;
}

export class Hall {
  readonly engine = Engine.empty();
  readonly #buyer: number;
  #timeMs = 1;

  constructor(accountsCount: number) {
    this.#apply({ kind: 'list_asset', spec: MARGIN_COIN });
    for (const spec of SPECS) this.#apply({ kind: 'list_contract', spec });
    for (let number = 1; number <= accountsCount; number += 1) this.#open(number, moneyOf(number));
    this.#buyer = accountsCount + 1;
    this.#open(this.#buyer, BUYER_FUNDS);
    for (let contract = 0; contract < CONTRACTS; contract += 1) {
      this.report(contract, MIDDLE_TICKS);
      for (let number = 1; number < accountsCount; number += 2) {
        this.#order(number, contract, 'open_short');
        this.#order(number + 1, contract, 'open_long');
      }
    }
    const held = this.engine.contractPrices(instrumentId(2))?.openInterestLots;
    assert.equal(held, accountsCount / 2, 'every pair of accounts has traded');
    this.report(0, MIDDLE_TICKS);
  }

  report(contract: number, priceTicks: number): readonly Event[] {
    const of = { instrumentId: instrumentId(contract), source: 'bench' };
    return this.#apply({ kind: 'report_index', ...of, priceTicks: ticks(priceTicks) });
  }

  /** The first contract falls, with bids at every price. */
  *falls(): Generator<Fall> {
    for (let step = 1; step <= FALLING_PRICES; step += 1) {
      const priceTicks = MIDDLE_TICKS - step * FALL_TICKS;
      this.#order(this.#buyer, 0, 'open_long', NEAR_ACCOUNTS, priceTicks);
      const startMicros = process.cpuUsage().user;
      const events = this.report(0, priceTicks);
      const processorMs = (process.cpuUsage().user - startMicros) / 1e3;
      assert.ok(!this.engine.hasWork, 'a price is dealt with in one step');
      yield { events, processorMs };
    }
  }

  #apply(command: Command): readonly Event[] {
    this.#timeMs += 1;
    const { events } = this.engine.apply(command, this.#timeMs);
    const [first] = events;
    assert.ok(first?.kind !== 'refused', `${command.kind} is refused`);
    return events;
  }

  #open(number: number, amount: bigint): void {
    const settings = { ...SETTINGS, name: `bench-${number}`, wallets: 'coin' } as const;
    this.#apply({ kind: 'create_account', settings });
    const to = { accountId: accountId(number), wallet: 'margin', assetId: assetId(0) } as const;
    this.#apply({ kind: 'deposit', ...to, amount });
    if (number > NEAR_ACCOUNTS) return;
    for (let contract = 0; contract < CONTRACTS; contract += 1) {
      const of = { accountId: accountId(number), instrumentId: instrumentId(contract) };
      this.#apply({ kind: 'set_leverage', ...of, side: 'both', leverage: LEVERAGE });
    }
  }

  #order(
    number: number,
    contract: number,
    action: ContractAction,
    sizeLots = 1,
    priceTicks = MIDDLE_TICKS,
  ): void {
    this.#apply({
      kind: 'place_contract_order',
      accountId: accountId(number),
      instrumentId: instrumentId(contract),
      action,
      type: 'limit',
      force: 'gtc',
      priceTicks: ticks(priceTicks),
      sizeLots: lots(sizeLots),
    });
  }
}

/** The two of a pair have the same. */
function moneyOf(number: number): bigint {
  const pair = BigInt(Math.floor((number - 1) / 2));
  if (number <= NEAR_ACCOUNTS) return NEAR_LEAST + NEAR_STEP * pair;
  return FAR_LEAST + FAR_STEP * (pair % BigInt(FAR_STEPS));
}
