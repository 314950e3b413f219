/** The words that details of refusals are made of. */
import type { Contract, Detail, Figure } from '#domain';
import { most } from './figures.ts';
import { spendable } from './margin.ts';
import { type ContractBook, type Model, marginWalletName, type Seat } from './model.ts';

export const NOTHING: Detail = { is: 'nothing' };

export function obstacle(what: Extract<Detail, { is: 'obstacle' }>['obstacle']): Detail {
  return { is: 'obstacle', obstacle: what };
}

export function figure(role: Extract<Detail, { is: 'figure' }>['role'], what: Figure): Detail {
  return { is: 'figure', role, figure: what };
}

export function price({ priceScale: scale }: Contract, value: number): Figure {
  return { of: 'price', value, scale };
}

export function contracts({ quantityScale: scale }: Contract, value: number): Figure {
  return { of: 'contracts', value, scale };
}

export function count(value: number): Figure {
  return { of: 'count', value, scale: 0 };
}

export function coin({ code, scale }: Contract['margin'], value: bigint): Figure {
  return { of: 'coin', code, value, scale };
}

/** What is needed of the margin coin, and what there is to spend. */
export function lacking(model: Model, book: ContractBook, seat: Seat, needed: bigint): Detail {
  const { margin } = book.terms;
  const wallet = marginWalletName(model.accounts.get(seat.accountId), book.terms);
  const has = most(0n, spendable(model, seat.accountId, wallet, margin.assetId));
  return { is: 'needs', needed: coin(margin, needed), has: coin(margin, has) };
}
