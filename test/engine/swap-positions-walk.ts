/**
 * Positions followed through events alone: each gets an id of its own when its side goes from flat
 * to open, and what it has opened, closed, paid and received since is what its fills and bills say.
 */
import { strict as assert } from 'node:assert/strict';
import {
  type AccountId,
  type BalanceChanged,
  type Contract,
  type ContractFill,
  type ContractTrade,
  type Event,
  fineValue,
  HOLD_SIDES,
  type HoldSide,
  holdSideOf,
  type InstrumentId,
  isOpen,
  NO_TOTALS,
  type PositionTotals,
} from '#domain';
import type { Engine } from '#engine';
import { present } from '#kernel';

type Totals = { -readonly [Name in keyof PositionTotals]: PositionTotals[Name] };

class Held {
  positionId = 0;
  lots = 0;
  totals: Totals = { ...NO_TOTALS };

  fill({ positionId, action, cause, fee }: ContractFill, size: number, value: bigint): void {
    const { totals } = this;
    if (isOpen(action)) {
      this.positionId = positionId;
      this.lots += size;
      totals.openedLots += BigInt(size);
      totals.openedValue += value;
      totals.openedFee += fee;
      totals.heldFee += fee;
      return;
    }
    totals.closedLots += BigInt(size);
    totals.closedValue += value;
    totals[cause === 'owner' ? 'closedFee' : 'liquidationFee'] += fee;
    for (const name of ['heldFee', 'heldFunding'] as const) {
      totals[name] -= (totals[name] * BigInt(size)) / BigInt(this.lots);
    }
    this.lots -= size;
  }
}

export class PositionsWalk {
  readonly #held = new Map<string, Held>();
  readonly #used = new Set<number>();

  follow(events: readonly Event[], engine: Engine): void {
    const touched = new Map<string, readonly [AccountId, Contract]>();
    for (const event of events) {
      if (event.kind === 'contract_trade') {
        const contract = present(engine.listings.contractById(event.instrumentId), 'contract');
        for (const fill of [event.taker, event.maker]) {
          this.#fill(event, fill, contract);
          touched.set(`${fill.accountId} ${contract.instrumentId}`, [fill.accountId, contract]);
        }
      }
      if (event.kind === 'balance_changed' && event.reason === 'funding') {
        const id = present(event.instrumentId, 'contract of funding');
        const contract = present(engine.listings.contractById(id), 'contract');
        this.#fund(event, contract);
        touched.set(`${event.accountId} ${contract.instrumentId}`, [event.accountId, contract]);
      }
    }
    for (const [accountId, contract] of touched.values())
      this.#compare(accountId, contract, engine);
  }

  #fill({ sizeLots, priceTicks }: ContractTrade, fill: ContractFill, contract: Contract): void {
    const side = holdSideOf(fill.action);
    const key = keyOf(fill.accountId, contract.instrumentId, side);
    const known = this.#held.get(key) ?? new Held();
    this.#held.set(key, known);
    if (known.lots === 0) {
      assert.ok(isOpen(fill.action), 'a flat side is opened');
      assert.ok(fill.positionId > 0 && !this.#used.has(fill.positionId), 'an id of its own');
      this.#used.add(fill.positionId);
      this.#held.set(key, new Held());
    } else assert.equal(fill.positionId, known.positionId, 'the id stays while it is open');
    const held = present(this.#held.get(key), 'position');
    held.fill(fill, sizeLots, fineValue(contract, sizeLots, priceTicks));
  }

  #fund({ accountId, delta, position }: BalanceChanged, { instrumentId }: Contract): void {
    const { side, positionId } = present(position, 'position that funding is of');
    const held = present(this.#held.get(keyOf(accountId, instrumentId, side)), 'position');
    assert.equal(positionId, held.positionId);
    held.totals.funding += delta;
    held.totals.heldFunding += delta;
  }

  #compare(accountId: AccountId, { instrumentId }: Contract, engine: Engine): void {
    const view = present(engine.marginAccount(accountId, instrumentId), 'margin account');
    for (const side of HOLD_SIDES) {
      const held = this.#held.get(keyOf(accountId, instrumentId, side)) ?? new Held();
      const isFlat = held.lots === 0;
      const { positionId, totals, lots, open, openedSeq, updatedSeq } = view[side];
      assert.equal(lots, held.lots);
      assert.equal(positionId, isFlat ? 0 : held.positionId);
      assert.deepEqual(totals, isFlat ? NO_TOTALS : held.totals);
      assert.ok(isFlat ? open === 0n && openedSeq === 0 : openedSeq <= updatedSeq);
    }
  }
}

function keyOf(accountId: AccountId, instrumentId: InstrumentId, side: HoldSide): string {
  return `${accountId} ${instrumentId} ${side}`;
}
