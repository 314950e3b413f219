/** The worked numbers of a wallet per coin in docs/MECHANICS.md, from the engine. */
import type { AccountId } from '#domain';
import { formatTrimmed } from '#kernel';
import { COIN, coinFloor, ETH } from '../support/coin-floor.ts';
import type { Floor } from '../support/floor.ts';

function usdt(amount: string | undefined): string {
  return `${amount} USDT`;
}

/** Dana buys 0.01 BTC at 30000 and sells it at 30100. */
function dana(): Record<string, string> {
  const floor = coinFloor();
  const [dana, tom] = [floor.open('dana', '100000', COIN), floor.open('tom', '100000', COIN)];
  floor.order(tom, 'open_short', '30000', 10);
  floor.order(dana, 'open_long', 'market', 10);
  const { balance, available } = floor.funds(dana);
  floor.order(tom, 'close_short', '30100', 10);
  floor.order(dana, 'close_long', 'market', 10);
  return {
    'Dana buys 0.01 BTC at 30000, balance 100000: balance': usdt(balance),
    'She can open or move out': usdt(available),
    'She sells it at 30100: balance': usdt(floor.funds(dana).balance),
  };
}

/** Erin is long 1 BTC from 30000 and 5 ETH from 2000, and has 2976 when her fees are paid. */
function erin(): Record<string, string> {
  const { floor, erin } = withErin();
  const safest = floor.account(erin, ETH.symbol).long.liquidationTicks;
  floor.index('2100', ETH.symbol);
  const { available } = floor.funds(erin);
  floor.index('1900', ETH.symbol);
  return {
    "Erin's ETH is liquidated, BTC held at 30000, at": formatTrimmed(safest, 1),
    'ETH at 2100: Erin can open or move out': usdt(available),
    'ETH at 1900: she can open or move out': usdt(floor.funds(erin).available),
    "BTC at 27200: Erin's BTC is bankrupt at": bankruptcy(),
  };
}

function withErin(): { readonly floor: Floor; readonly erin: AccountId } {
  const floor = coinFloor();
  const [erin, tom] = [floor.open('erin', '3000', COIN), floor.open('tom', '1000000', COIN)];
  floor.trade(erin, tom, '30000', 1_000);
  floor.trade(erin, tom, '2000', 5, ETH.symbol);
  return { floor, erin };
}

function bankruptcy(): string {
  const { floor } = withErin();
  const taken = floor.index('27200').find(({ kind }) => kind === 'liquidated');
  return taken?.kind === 'liquidated' ? formatTrimmed(taken.bankruptcyTicks, 1) : '';
}

export function coinWalletFigures(): Record<string, string> {
  return { ...dana(), ...erin() };
}
