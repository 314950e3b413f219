/**
 * Calls of demo trading, by which clients ask in their sandbox mode. They are those of the account
 * itself under other names: this venue is a sandbox of its own. Coins are spelled with an S before
 * them, and markets with it before their quote coin: SUSDT, and BTCSUSDT of BTC and USDT.
 */
import type { DataJson, Services } from '#api';
import { type Contract, isRefused, type Listings } from '#domain';
import type { SignedEndpoint } from '../kit/endpoint.ts';
import { CONTRACT_ACCOUNT } from './contract-account.ts';
import { CONTRACT_ORDERS } from './contract-orders.ts';
import { CONTRACT_POSITIONS } from './contract-positions.ts';
import { CONTRACT_BASE } from './contract-terms.ts';
import { CONTRACT_TRADE } from './contract-trade.ts';
import { marketName, shownContracts } from './symbols.ts';

const MARK = 'S';

function demoName({ symbol, quoteCode }: Contract): string {
  const name = marketName(symbol);
  if (!name.endsWith(quoteCode)) return name;
  return name.slice(0, name.length - quoteCode.length) + MARK + quoteCode;
}

/** The market that a demo name stands for; any other name is left as it is. */
function marketMeant(listings: Listings, name: unknown): unknown {
  if (typeof name !== 'string') return name;
  const upper = name.toUpperCase();
  const found = shownContracts(listings).find((contract) => demoName(contract) === upper);
  return found === undefined ? name : marketName(found.symbol);
}

/** No text of a client's holds a quotation mark that is not escaped: only fields are met. */
function withDemoNames(data: DataJson, listings: Listings): DataJson {
  const names = new Map(
    shownContracts(listings).map((contract) => [marketName(contract.symbol), demoName(contract)]),
  );
  return data
    .replace(/"symbol":"(\w+)"/g, (_, name: string) => `"symbol":"${names.get(name) ?? name}"`)
    .replace(/"asset":"(\w+)"/g, (_, code: string) => `"asset":"${MARK}${code}"`);
}

function demo(endpoint: SignedEndpoint<Services>, path: string): SignedEndpoint<Services> {
  return {
    ...endpoint,
    path: `${CONTRACT_BASE}/sim/${path}`,
    answer: async (services, call) => {
      const { listings } = services.live;
      const { symbol } = call.input;
      const named = symbol === undefined ? {} : { symbol: marketMeant(listings, symbol) };
      const input = { ...call.input, ...named };
      const answer = await endpoint.answer(services, { ...call, input });
      return isRefused(answer) || typeof answer !== 'string'
        ? answer
        : withDemoNames(answer, listings);
    },
  };
}

export const DEMO_CALLS = {
  demoBalance: demo(CONTRACT_ACCOUNT.contractBalance, 'balance'),
  demoPositions: demo(CONTRACT_POSITIONS.allPosition, 'position/allPosition'),
  demoOrderHistory: demo(CONTRACT_ORDERS.contractOrderHistory, 'order/history'),
  demoOrder: demo(CONTRACT_TRADE.placeContractOrder, 'order'),
} as const satisfies Record<string, SignedEndpoint<Services>>;
