/**
 * New coins, pairs and contracts as texts that are being typed: what may stand in each field, and
 * the request they make. Pure; what only the venue can tell, such as a name in use, it says itself.
 */

export type FieldKind = 'code' | 'symbol' | 'whole' | 'decimal' | 'rate' | 'choice';

export interface ListingField {
  readonly name: string;
  readonly kind: FieldKind;
  /** May be left empty: then the venue has a default. */
  readonly isOptional?: true;
  readonly first: string;
}

const field = (name: string, kind: FieldKind, first = ''): ListingField => ({ name, kind, first });
const maybe = (name: string, kind: FieldKind): ListingField => ({
  ...{ name, kind, first: '' },
  isOptional: true,
});

export const LISTING_FIELDS = {
  coin: [field('code', 'code'), field('coinId', 'whole'), field('scale', 'whole', '8')],
  pair: [
    field('base', 'code'),
    field('quote', 'code'),
    field('priceScale', 'whole', '2'),
    field('quantityScale', 'whole', '4'),
    field('minQuantity', 'decimal'),
    field('maxQuantity', 'decimal'),
    field('takerFee', 'rate', '0.001'),
    field('makerFee', 'rate', '0.001'),
    maybe('minNotional', 'decimal'),
    maybe('referencePrice', 'decimal'),
    maybe('priceBand', 'rate'),
  ],
  contract: [
    field('symbol', 'symbol'),
    field('kind', 'choice', 'linear'),
    field('base', 'code'),
    field('quote', 'code'),
    field('contractValue', 'decimal'),
    field('priceScale', 'whole', '1'),
    maybe('priceStep', 'decimal'),
    maybe('quantityScale', 'whole'),
    field('referencePrice', 'decimal'),
    maybe('takerFee', 'rate'),
    maybe('makerFee', 'rate'),
    maybe('minQuantity', 'decimal'),
    maybe('maxQuantity', 'decimal'),
  ],
} as const satisfies Readonly<Record<string, readonly ListingField[]>>;

export type Listing = keyof typeof LISTING_FIELDS;
export type Draft = Readonly<Record<string, string>>;

/** Contracts, maintenance rate, highest leverage. */
export type TierTexts = readonly string[];

const FORMS: Readonly<Record<FieldKind, RegExp>> = {
  code: /^[A-Za-z0-9]{2,16}$/,
  symbol: /^[A-Z0-9]{1,16}(-[A-Z0-9]{1,16}){0,2}-PERP$/i,
  whole: /^[0-9]{1,9}$/,
  decimal: /^[0-9]{1,30}(\.[0-9]{1,18})?$/,
  rate: /^0(\.[0-9]{1,6})?$/,
  choice: /./,
};

export function firstDraft(listing: Listing): Draft {
  return Object.fromEntries(LISTING_FIELDS[listing].map(({ name, first }) => [name, first]));
}

/** The kind that a field would have to be of; undefined for one that can be sent. */
export function faultOf({ name, kind, isOptional }: ListingField, draft: Draft) {
  const text = (draft[name] ?? '').trim();
  if (text === '') return isOptional === true ? undefined : kind;
  return FORMS[kind].test(text) ? undefined : kind;
}

export function tierFault(tiers: readonly TierTexts[]): boolean {
  const isGood = ([contracts = '', rate = '', leverage = '']: TierTexts) =>
    FORMS.decimal.test(contracts.trim()) &&
    FORMS.rate.test(rate.trim()) &&
    FORMS.whole.test(leverage.trim());
  return tiers.length === 0 || !tiers.every(isGood);
}

/** The fields of the request; what was left empty is left out. */
export function requestOf(
  listing: Listing,
  draft: Draft,
  tiers: readonly TierTexts[] = [],
): Readonly<Record<string, unknown>> {
  const given = LISTING_FIELDS[listing].flatMap(({ name, kind }) => {
    const text = (draft[name] ?? '').trim();
    if (text === '') return [];
    return [[name, kind === 'code' ? text.toUpperCase() : text] as const];
  });
  const fields = Object.fromEntries(given);
  if (listing !== 'contract') return fields;
  const rows = tiers.map(([contracts = '', maintenanceRate = '', maxLeverage = '']) => ({
    ...{ contracts: contracts.trim(), maintenanceRate: maintenanceRate.trim() },
    maxLeverage: Number(maxLeverage),
  }));
  return { ...fields, tiers: rows };
}

/** What a change does, term by term, as in "takerFee: 0.001 → 0.0008". */
export function changeLines(
  now: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
  nameOf: (term: string) => string = (term) => term,
): readonly string[] {
  return Object.entries(changes).flatMap(([term, to]) => {
    const from = now[term];
    if (isGroup(from) && isGroup(to)) return changeLines(from, to, nameOf);
    return [`${nameOf(term)}: ${shown(from)} → ${shown(to)}`];
  });
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Rows on one line, their values with slashes between. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ') || '–';
  if (isGroup(value)) return Object.values(value).map(shown).join(' / ');
  return value === undefined || value === null || value === '' ? '–' : String(value);
}
