/** What the files of the contract endpoints share: the contract, its figures, example values. */
import { refuseSaying } from '#api';
import {
  type Amount,
  type Contract,
  type HoldSide,
  isRefused,
  type Listings,
  type Lots,
  type MarginAccountView,
  type MarginMode,
  type PositionView,
  type Refused,
  type Ticks,
} from '#domain';
import { shown } from '../kit/fields.ts';
import { formatId } from '../kit/ids.ts';
import { type Named, optionalText, requiredText } from '../kit/request.ts';
import { type Column, decimal, listedName } from '../kit/row.ts';
import { figuresOf } from './market-figures.ts';
import { contractOfName, marketName, shownContracts } from './symbols.ts';

export const CONTRACT_BASE = '/capi/v3';
export const EXAMPLE_SYMBOL = 'BTCUSDT';
export const ONLY_SYMBOL = { symbol: EXAMPLE_SYMBOL };

/** A row about a contract. */
export interface OfContract {
  readonly contract: Contract;
}

export const CONTRACT_NAME: Column<OfContract, string> = listedName(
  'Contract',
  EXAMPLE_SYMBOL,
  ({ contract }) => marketName(contract.symbol),
);

/** A price with the decimals of the listing; 0 for none. */
export function price<V extends OfContract>(
  description: string,
  example: string,
  of: (value: V) => Ticks,
): Column<V, string> {
  return decimal(description, example, (value) => figuresOf(value.contract).price(of(value)));
}

/** A size in base coin. */
export function size<V extends OfContract>(
  description: string,
  example: string,
  of: (value: V) => Lots | bigint,
): Column<V, string> {
  return decimal(description, example, (value) => figuresOf(value.contract).size(of(value)));
}

/** Money in the margin coin. */
export function money<V extends OfContract>(
  description: string,
  example: string,
  of: (value: V) => Amount,
): Column<V, string> {
  return decimal(description, example, (value) => figuresOf(value.contract).amount(of(value)));
}

export const POSITION_SIDE_WORDS = ['LONG', 'SHORT'] as const;
export const MARGIN_TYPE_WORDS = ['CROSSED', 'ISOLATED'] as const;
const POSITION_SIDE_OF = { long: 'LONG', short: 'SHORT' } as const;

export function positionSideWord(side: HoldSide): 'LONG' | 'SHORT' {
  return POSITION_SIDE_OF[side];
}

export function marginTypeWord(mode: MarginMode): 'CROSSED' | 'ISOLATED' {
  return mode === 'cross' ? 'CROSSED' : 'ISOLATED';
}

export const SEPARATED_WORDS = ['COMBINED', 'SEPARATED'] as const;

export function separatedWord(isSeparated: boolean): (typeof SEPARATED_WORDS)[number] {
  return isSeparated ? 'SEPARATED' : 'COMBINED';
}

/** The order that a separated position began with; 0 of a combined one, or where none is known. */
export function separatedOrder(
  { isSeparated }: Pick<MarginAccountView, 'isSeparated'>,
  { openedOrderId }: Pick<PositionView, 'openedOrderId'>,
): string {
  return isSeparated && openedOrderId !== undefined ? formatId(openedOrderId) : '0';
}

/** The contract of this name, in any case. */
export function contractNamed(name: string, listings: Listings): Contract | Refused {
  return contractOfName(listings, name) ?? refuseSaying('contract_unknown', shown(name));
}

/** In market data an unknown contract is an invalid parameter, and a delisted one is unknown. */
function contractOfMarket(name: string, listings: Listings): Contract | Refused {
  const found = contractOfName(listings, name);
  const isListed = found !== undefined && found.status !== 'offline';
  return isListed ? found : refuseSaying('parameter_invalid', `symbol ${shown(name)} is unknown`);
}

const NAMED = 'Contract, in any case';
const ONLY_NAMED = 'Only this contract, in any case';

/** The contract that a request is about. */
export const CONTRACT: Named<string, Contract> = { ...requiredText(NAMED), find: contractNamed };

/** As CONTRACT; undefined when left out. */
export const CONTRACT_OR_ALL: Named<string, Contract | undefined> = {
  ...optionalText(ONLY_NAMED),
  find: (name, listings) => (name === '' ? undefined : contractNamed(name, listings)),
};

/** As CONTRACT, in market data. */
export const MARKET_CONTRACT: Named<string, Contract> = {
  ...requiredText(NAMED),
  find: contractOfMarket,
};

/** One contract or all of those that are listed, in market data. */
export const MARKET_CONTRACTS: Named<string, readonly Contract[]> = {
  ...optionalText(ONLY_NAMED),
  find: (name, listings) => {
    if (name === '') return listedContracts(listings);
    const found = contractOfMarket(name, listings);
    return isRefused(found) ? found : [found];
  },
};

/** The contracts of this interface that are not delisted. */
export function listedContracts(listings: Listings): readonly Contract[] {
  return shownContracts(listings).filter(({ status }) => status !== 'offline');
}
