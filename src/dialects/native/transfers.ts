/** Money that the account moves between its own wallets. */
import type { Services } from '#api';
import {
  type Asset,
  isRefused,
  type Listings,
  type Refused,
  type Transfer,
  type Wallet,
} from '#domain';
import type { TransferRecord } from '#history';
import { formatTrimmed } from '#kernel';
import { submit } from '../kit/carry-out.ts';
import { COIN, coinOf, coinOrAll } from '../kit/coins.ts';
import { readDecimal } from '../kit/decimals.ts';
import { type SignedEndpoint, signedEndpoint, strictEndpoint } from '../kit/endpoint.ts';
import { TIME_MS, TRANSFER_ID } from '../kit/examples.ts';
import { formatId } from '../kit/ids.ts';
import { walletNamed } from '../kit/markets.ts';
import { beforeOrder, clientId, type Named, requiredText } from '../kit/request.ts';
import { decimal, id, listedName, nullOr, row, text, whole } from '../kit/row.ts';
import { pageOf, ROWS, writePage } from './pages.ts';
import { BASE } from './terms.ts';

const RATE = { limit: 20, windowMs: 1_000 };

interface Moved {
  readonly coin: Asset;
  readonly transfer: Omit<TransferRecord, 'timeMs'>;
}

const MOVED = row<Moved>()({
  id: id('Transfer', TRANSFER_ID, ({ transfer }) => formatId(transfer.transferId)),
  clientId: nullOr(
    'As the client chose it; null for none',
    text<Moved>('Client id', 'topup-7', ({ transfer }) => transfer.clientOid ?? ''),
    ({ transfer }) => transfer.clientOid === undefined,
  ),
  coin: listedName('Coin', 'USDT', ({ coin }) => coin.code),
  amount: decimal('How much', '250', ({ coin, transfer }) =>
    formatTrimmed(transfer.amount, coin.scale),
  ),
  from: listedName('Wallet it left', 'spot', ({ transfer }) => transfer.from),
  to: listedName('Wallet it came into', 'margin', ({ transfer }) => transfer.to),
});

interface PastTransfer extends Moved {
  readonly transfer: TransferRecord;
}

const TRANSFER = row<PastTransfer>()({
  ...MOVED.columns,
  time: whole('When, in Unix milliseconds', TIME_MS, ({ transfer }) => transfer.timeMs),
});

function wallet(description: string): Named<string, Wallet> {
  return { ...requiredText(description), find: (name, listings) => walletNamed(listings, name) };
}

const NAMES = 'spot, margin, or a contract for the wallet behind it';

export const TRANSFERS = {
  transfer: strictEndpoint({
    method: 'POST',
    path: `${BASE}/transfers`,
    rate: RATE,
    permission: 'transfer',
    summary:
      'Move money between wallets of the account. Sent again with the same clientId and terms ' +
      'within a day it moves nothing and answers the first one',
    request: {
      coin: COIN,
      amount: requiredText('How much, in coins'),
      from: wallet(`Wallet to take it from: ${NAMES}`),
      to: wallet(`Wallet to put it into: ${NAMES}`),
      clientId: clientId('Up to 40 characters without spaces and quotes, not used in the last day'),
    },
    response: MOVED,
    example: { request: { coin: 'USDT', amount: '250', from: 'spot', to: 'margin' } },
    answer: async (services: Services, asked, { accountId }) => {
      const { coin, from, to, clientId: clientOid } = asked;
      const rule = { scale: coin.scale, reject: 'amount_invalid', name: 'amount' } as const;
      const amount = readDecimal(asked.amount, rule);
      if (isRefused(amount)) return amount;
      const { assetId } = coin;
      const facts = { accountId, assetId, amount, from, to, clientOid };
      const moved = await move(services, { kind: 'transfer', ...facts });
      return isRefused(moved) ? moved : MOVED.write({ coin, transfer: moved });
    },
  }),
  transfers: signedEndpoint({
    method: 'GET',
    path: `${BASE}/transfers`,
    rate: RATE,
    permission: 'read',
    summary: 'Transfers between wallets of the account, newest first',
    request: {
      coin: coinOrAll(),
      clientId: clientId('Only those with this id, which is free again after a day'),
      before: beforeOrder('Only transfers before this one'),
      limit: ROWS,
    },
    response: pageOf(TRANSFER),
    answer: async ({ live, history, historyReady }: Services, asked, { accountId }) => {
      const { coin, clientId: clientOid, before, limit } = asked;
      await historyReady();
      const query = { accountId, assetId: coin?.assetId, clientOid, before, limit };
      const rows = (await history.transfers(query)).map((one) => shown(live.listings, one));
      return writePage(rows, TRANSFER, ({ transfer }) => formatId(transfer.transferId), limit);
    },
  }),
} as const satisfies Record<string, SignedEndpoint<Services>>;

function shown(listings: Listings, transfer: TransferRecord): PastTransfer {
  return { coin: coinOf(listings, transfer), transfer };
}

/** One that was made already, under its client's id, is answered as it was then. */
async function move(
  { venue, history, historyReady }: Services,
  command: Transfer,
): Promise<Moved['transfer'] | Refused> {
  const moved = await submit(venue, 'transferred', command);
  const { accountId, clientOid } = command;
  if (!isRefused(moved) || moved.reject !== 'client_order_id_in_use') return moved;
  await historyReady();
  const [first] = await history.transfers({ accountId, clientOid, limit: 1 });
  return first !== undefined && isSame(first, command) ? first : moved;
}

function isSame(made: TransferRecord, asked: Transfer): boolean {
  const isSameWay = made.fromNamed === asked.from && made.toNamed === asked.to;
  return isSameWay && made.assetId === asked.assetId && made.amount === asked.amount;
}
