/** The worked numbers of a wallet per coin in docs/MECHANICS.md, from the engine. */
import type { AccountId } from '#domain';
import { formatTrimmed } from '#kernel';
import { CoinDesk } from '../support/coin-desk.ts';

function usdt(amount: string | undefined): string {
  return `${amount} USDT`;
}

/** Dana buys 0.01 BTC at 30000 and sells it at 30100. */
function dana(): Record<string, string> {
  const desk = new CoinDesk();
  const [dana, tom] = [desk.open('dana', '100000'), desk.open('tom', '100000')];
  desk.order(tom, 'btc', 'open_short', 10, 30_000);
  desk.order(dana, 'btc', 'open_long', 10);
  const { balance, available } = desk.funds(dana);
  desk.order(tom, 'btc', 'close_short', 10, 30_100);
  desk.order(dana, 'btc', 'close_long', 10);
  return {
    'Dana buys 0.01 BTC at 30000, balance 100000: balance': usdt(balance),
    'She can open or move out': usdt(available),
    'She sells it at 30100: balance': usdt(desk.funds(dana).balance),
  };
}

/** Erin is long 1 BTC from 30000 and 5 ETH from 2000, and has 2976 when her fees are paid. */
function erin(): Record<string, string> {
  const { desk, erin } = withErin();
  const safest = desk.view(erin, 'eth').long.liquidationTicks;
  desk.index('eth', 2_100);
  const { available } = desk.funds(erin);
  desk.index('eth', 1_900);
  return {
    "Erin's ETH is liquidated, BTC held at 30000, at": formatTrimmed(safest, 1),
    'ETH at 2100: Erin can open or move out': usdt(available),
    'ETH at 1900: she can open or move out': usdt(desk.funds(erin).available),
    "BTC at 27200: Erin's BTC is bankrupt at": bankruptcy(),
  };
}

function withErin(): { readonly desk: CoinDesk; readonly erin: AccountId } {
  const desk = new CoinDesk();
  const [erin, tom] = [desk.open('erin', '3000'), desk.open('tom', '1000000')];
  desk.trade(erin, tom, 'btc', 1_000, 30_000);
  desk.trade(erin, tom, 'eth', 5, 2_000);
  return { desk, erin };
}

function bankruptcy(): string {
  const { desk } = withErin();
  const taken = desk.index('btc', 27_200).find(({ kind }) => kind === 'liquidated');
  return taken?.kind === 'liquidated' ? formatTrimmed(taken.bankruptcyTicks, 1) : '';
}

export function coinWalletFigures(): Record<string, string> {
  return { ...dana(), ...erin() };
}
