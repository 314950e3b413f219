/**
 * The program with two planted faults of the engine, as bugs that nobody has found yet: a tick
 * asserts while the mark price of cmt_btcusd is below 29,000, and a deposit of 13.13 USDT asserts
 * in the ledger. Only the market's thread has them, as only it sees what is not journaled.
 */
import { Engine } from '#engine';
import { Ledger, SwapMarket } from '#engine/testing';
import { assert } from '#kernel';

const FAULTY_BELOW_TICKS = 290_000;
const FAULTY_AMOUNTS = [13_130_000n, 1_313_000_000n];

let kind = '';
const apply = Engine.prototype.apply;
Engine.prototype.apply = function applyNoted(...given: Parameters<typeof apply>) {
  kind = given[0].kind;
  return apply.apply(this, given);
};

const setMark = SwapMarket.prototype.setMark;
SwapMarket.prototype.setMark = function setMarkOrFail(markTicks: number) {
  const isFaulty = this.contract.symbol === 'BTC-USD-PERP' && markTicks < FAULTY_BELOW_TICKS;
  assert(kind !== 'tick' || !isFaulty, 'planted: no balance falls below zero');
  setMark.call(this, markTicks);
};

const deposit = Ledger.prototype.deposit;
Ledger.prototype.deposit = function depositOrFail(...given: Parameters<typeof deposit>) {
  assert(!FAULTY_AMOUNTS.includes(given[1]), 'planted: the books balance');
  deposit.apply(this, given);
};

await import('../../src/app/main.ts');
