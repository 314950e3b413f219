/** The fee rates of an account that is followed: its own where it has any, else those listed. */
import type { AccountSettings } from '#domain';
import { ratioText } from './amounts.ts';

interface ListedRates {
  readonly takerFeePpm: number;
  readonly makerFeePpm: number;
}

type OwnRates = Pick<AccountSettings, 'takerFeePpm' | 'makerFeePpm'>;

export class FeeRates {
  #own: OwnRates = { takerFeePpm: null, makerFeePpm: null };

  /** As the account has them now. */
  become(account: OwnRates): void {
    this.#own = account;
  }

  /** In a market with these listed rates, as rows of orders show them. */
  of({ takerFeePpm, makerFeePpm }: ListedRates) {
    return {
      takerFeeRate: ratioText(this.#own.takerFeePpm ?? takerFeePpm),
      makerFeeRate: ratioText(this.#own.makerFeePpm ?? makerFeePpm),
      feeDiscount: '1',
    };
  }

  /** In a contract also what a liquidation pays: at most the listed rate. */
  ofContract(contract: ListedRates) {
    const { takerFeePpm } = contract;
    const forcedFeePpm = Math.min(this.#own.takerFeePpm ?? takerFeePpm, takerFeePpm);
    return { ...this.of(contract), liquidateFeeRate: ratioText(forcedFeePpm) };
  }
}
