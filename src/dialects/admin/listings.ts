/** Everything that is listed. */
import type { Listings } from '#domain';
import { type OperatorEndpoint, operatorEndpoint } from '../kit/endpoint.ts';
import { row, rows } from '../kit/row.ts';
import { COIN } from './coins.ts';
import { type AdminContext, BASE } from './context.ts';
import { CONTRACT } from './contracts.ts';
import { PAIR } from './pairs.ts';

const INSTRUMENTS = row<Listings>()({
  assets: rows(COIN, ({ assets }: Listings) => assets),
  spot: rows(PAIR, ({ spot }: Listings) => spot),
  contracts: rows(CONTRACT, ({ contracts }: Listings) => contracts.values()),
});

export const LISTING_ENDPOINTS = {
  instruments: operatorEndpoint({
    method: 'GET',
    path: `${BASE}/instruments`,
    summary: 'Every coin, pair and contract with its terms',
    request: {},
    response: INSTRUMENTS,
    answer: ({ venue }: AdminContext) => venue.read(({ listings }) => INSTRUMENTS.write(listings)),
  }),
} as const satisfies Record<string, OperatorEndpoint<AdminContext>>;
