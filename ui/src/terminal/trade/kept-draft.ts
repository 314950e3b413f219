/**
 * What is typed in an order form, kept beside the form: a panel that is moved or hidden takes its
 * form away. One draft at a time: with another market or account a form starts anew. Pure.
 */

export interface KeptDraft<Draft extends PricedDraft> {
  /** The market and the account that it was typed for. */
  readonly owner: string;
  readonly draft: Draft;
  /** Whether the price was typed, chosen or cleared: it is not filled in any more. */
  readonly isPriceOwn: boolean;
}

export interface PricedDraft {
  readonly price: string;
}

/** What a form begins with: what was kept for its owner, else nothing typed, at the last price. */
export function begin<Draft extends PricedDraft>(
  kept: KeptDraft<Draft> | undefined,
  fresh: { readonly owner: string; readonly draft: Draft },
  lastPrice: string,
): KeptDraft<Draft> {
  const found = kept?.owner === fresh.owner ? kept : { ...fresh, isPriceOwn: false };
  if (found.isPriceOwn || lastPrice === '') return found;
  return { ...found, draft: { ...found.draft, price: lastPrice } };
}

export function change<Draft extends PricedDraft>(
  kept: KeptDraft<Draft>,
  part: Partial<Draft>,
): KeptDraft<Draft> {
  const isPriceOwn = kept.isPriceOwn || part.price !== undefined;
  return { ...kept, draft: { ...kept.draft, ...part }, isPriceOwn };
}

/** The first price of the market, where the form was there before it. */
export function firstPrice<Draft extends PricedDraft>(
  kept: KeptDraft<Draft>,
  price: string,
): KeptDraft<Draft> {
  if (kept.isPriceOwn || kept.draft.price !== '') return kept;
  return { ...kept, draft: { ...kept.draft, price } };
}
