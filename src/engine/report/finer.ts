/**
 * Rows of snapshots that an earlier release wrote with fewer digits in its open values, in the
 * digits of today. Rows of this release pass through as they are.
 */
import { type Contract, type FineAmount, fineFactorOf, type InstrumentId } from '#domain';
import { assert } from '#kernel';
import type { ContractOrderFields, MarketFields, PositionFields } from './swap-fields.ts';

export class Finer {
  readonly #scales = new Map<InstrumentId, bigint>();

  contract(dumped: Contract): Contract {
    const fineFactor = fineFactorOf(dumped.kind);
    const scale = fineFactor / dumped.fineFactor;
    assert(scale * dumped.fineFactor === fineFactor, 'a release only ever adds digits');
    this.#scales.set(dumped.instrumentId, scale);
    return { ...dumped, fineFactor };
  }

  market(id: InstrumentId, fields: MarketFields): MarketFields {
    return { ...fields, dust: this.#fine(id, fields.dust) };
  }

  /** The first rows do not say what margin is owed; they are left without it. */
  position(id: InstrumentId, fields: PositionFields): PositionFields {
    const finer = { ...fields, open: this.#fine(id, fields.open) };
    if (!('marginOwed' in fields)) return finer;
    return { ...finer, marginOwed: this.#fine(id, fields.marginOwed) };
  }

  order(id: InstrumentId, fields: ContractOrderFields): ContractOrderFields {
    const { feeAhead, marginOwed } = fields;
    const fine = { feeAhead: this.#fine(id, feeAhead), marginOwed: this.#fine(id, marginOwed) };
    return { ...fields, ...fine };
  }

  #fine(id: InstrumentId, amount: FineAmount): FineAmount {
    return amount * (this.#scales.get(id) ?? 1n);
  }
}
