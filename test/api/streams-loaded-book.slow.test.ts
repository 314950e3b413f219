/**
 * Clients that keep a book from a stream alone have the venue's under load: those of both dialects
 * and today's ccxt, each held against its own REST whenever the load rests.
 */

import { followBooks } from '../support/book-follow.ts';
import { ccxtFollower } from './book-follower-ccxt4.ts';
import { classicContract, classicPair } from './book-follower-classic.ts';
import { currentFollower } from './book-follower-current.ts';

followBooks({
  pair: {
    classic: classicPair,
    current: (house) => currentFollower(house, 'spot'),
    ccxt: (house) => ccxtFollower(house, 'BTC/USDT', '/api/v3/market/depth'),
  },
  contract: {
    classic: classicContract,
    current: (house) => currentFollower(house, 'contract'),
    ccxt: (house) => ccxtFollower(house, 'BTC/USDT:USDT', '/capi/v3/market/depth'),
  },
});
