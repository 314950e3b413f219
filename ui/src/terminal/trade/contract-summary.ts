/** A contract order in words: its name, and what is shown of it before it is sent. */
import { formatTrimmed } from '#kernel';
import type { TradedContract } from '../../model/contract.ts';
import { fixed, grouped } from '../../model/numbers.ts';
import { type SizeUnit, sizeIn } from '../../model/size-unit.ts';
import type { Texts } from '../../texts/en.ts';
import type { ReadContractDraft } from './contract-draft.ts';
import { actionOf, type ContractDraft, takingSide } from './contract-wish.ts';
import { exactMoney } from './draft.ts';
import { marketName, moneyOf } from './formats.ts';
import type { Summary } from './order-question.tsx';

type Words = Texts['trade'];

/** cont., BTC or USDT. */
export function unitWord({ baseCode, quoteCode }: TradedContract, unit: SizeUnit, trade: Words) {
  return { contracts: trade.contractsUnit, base: baseCode, quote: quoteCode }[unit];
}

/** A size with its unit; a value as money is shown. */
export function sizeWords(
  contract: TradedContract,
  unit: SizeUnit,
  lots: number,
  priceTicks: number,
  trade: Words,
): string {
  const text = sizeIn(contract, unit, lots, priceTicks);
  const word = unitWord(contract, unit, trade);
  if (text === '') return '–';
  const isValue = unit === (contract.kind === 'linear' ? 'quote' : 'base');
  return `${isValue ? moneyOf(text, word) : grouped(text)} ${word}`;
}

/** With all decimals of the contract; undefined for zero, which means there is none. */
export function ticksText({ priceScale }: TradedContract, ticks: number): string | undefined {
  if (ticks === 0) return undefined;
  return grouped(fixed(formatTrimmed(ticks, priceScale), priceScale));
}

/** What leaving at a trigger would bring, fees not taken off. */
export function exitWords(pnl: bigint, contract: TradedContract, trade: Words): string {
  const { marginScale, marginCode } = contract;
  const amount = moneyOf(formatTrimmed(pnl < 0n ? -pnl : pnl, marginScale), marginCode);
  const text = `${amount} ${marginCode}`;
  return pnl < 0n ? trade.estimatedLoss(text) : trade.estimatedProfit(text);
}

interface Ordered {
  readonly contract: TradedContract;
  readonly draft: ContractDraft;
  readonly read: ReadContractDraft;
}

/** Its name is what it is called once it is accepted. */
export function contractSummary(
  { contract, draft, read }: Ordered,
  trade: Words,
): Summary & { readonly name: string } {
  const action = actionOf(draft);
  const { sizeLots, priceTicks, opening, closing } = read;
  const size = sizeWords(contract, draft.unit, sizeLots, priceTicks, trade);
  const unit = contract.quoteCode;
  const price = (ticks: number) => {
    const text = ticksText(contract, ticks);
    return text === undefined ? undefined : `${text} ${unit}`;
  };
  const money = (amount: bigint | undefined) =>
    amount === undefined
      ? undefined
      : exactMoney(amount, contract.marginScale, contract.marginCode);
  const isPlan = draft.type === 'plan';
  const isAtMarket = draft.type === 'market' || (isPlan && draft.executes === 'market');
  const source = trade.sources[draft.source];
  return {
    name: trade.orderOf(trade.actions[action], size),
    title: `${trade.actions[action]} ${marketName(contract.symbol, trade)}`,
    tone: takingSide(draft) === 'buy' ? 'up' : 'down',
    lines: [
      [trade.orderType, trade.types[draft.type]],
      [trade.trigger, isPlan && draft.trigger !== '' ? `${draft.trigger} (${source})` : undefined],
      [trade.price, isAtMarket ? trade.marketPrice : price(priceTicks)],
      [trade.worstPrice, price(read.boundTicks)],
      [trade.quantity, size],
      [trade.value, money(opening?.value)],
      [trade.cost, money(opening?.cost)],
      [trade.realised, money(closing?.pnl)],
      [trade.fee, money((opening ?? closing)?.fee)],
      [trade.takeProfit, price(read.takeProfitTicks)],
      [trade.stopLoss, price(read.stopLossTicks)],
      [trade.liquidation, price((opening ?? closing)?.liquidationTicks ?? 0)],
    ],
  };
}
