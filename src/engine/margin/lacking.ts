/** What an account cannot pay for with what is its own to spend in a contract. */
import { type Amount, needsCoin, type Refused, refuse } from '#domain';
import type { MarginAccount } from './margin-account.ts';

export function lacking({ market, spendable }: MarginAccount, needed: Amount): Refused {
  const has = spendable > 0n ? spendable : 0n;
  return refuse('margin_insufficient', needsCoin(market.contract.margin, needed, has));
}
