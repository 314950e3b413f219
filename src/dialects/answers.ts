/** What answers of the classic interface, and notices, look like to the terminal: types of rows. */

import type { CONTRACT } from './admin/contracts.ts';
import type { PRODUCT } from './classic/spot-listings.ts';
import type { TICKER as SPOT_TICKER } from './classic/spot-market.ts';
import type { CONTRACT_ROW, TICKER as SWAP_TICKER } from './classic/swap-market.ts';
import type { ANNOUNCEMENT, NOTICES } from './people/notices.ts';

export type ContractTerms = typeof CONTRACT.example;
export type AnnouncementRow = typeof ANNOUNCEMENT.example;
export type NoticesNow = typeof NOTICES.example;
export type ShownWindow = NoticesNow['maintenance'][number];
export type SpotProduct = typeof PRODUCT.example;
export type SwapContract = typeof CONTRACT_ROW.example;
export type SpotTicker = typeof SPOT_TICKER.example;
export type SwapTicker = typeof SWAP_TICKER.example;
