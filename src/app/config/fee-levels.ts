/** Fee levels by volume: thresholds that rise, with rates that lower what markets charge. */
import Type, { type Static } from 'typebox';
import type { FeeLevelSettings } from '#people';
import type { Figures } from './figures.ts';

const strict = { additionalProperties: false } as const;
const decimalText = Type.String({ minLength: 1, maxLength: 64 });
const LEVELS_MAX = 20;

export const FEE_LEVELS_SCHEMA = Type.Object(
  {
    coin: Type.String({ pattern: '^[A-Z0-9]{2,16}$' }),
    levels: Type.Array(
      Type.Object({ volume: decimalText, takerFee: decimalText, makerFee: decimalText }, strict),
      { minItems: 1, maxItems: LEVELS_MAX },
    ),
  },
  strict,
);

type FeeLevelsContent = Static<typeof FEE_LEVELS_SCHEMA>;

/** Rates of a market of the file, which a level may not be above. */
interface MarketRates {
  readonly symbol: string;
  readonly takerFeePpm: number;
  readonly makerFeePpm: number;
}

export function feeLevelSettings(
  content: FeeLevelsContent | undefined,
  figures: Figures,
  assets: readonly { readonly code: string; readonly scale: number }[],
  markets: readonly MarketRates[],
): FeeLevelSettings | undefined {
  if (content === undefined) return undefined;
  const { coin, levels: rows } = content;
  const scale = assets.find(({ code }) => code === coin)?.scale;
  if (scale === undefined) {
    figures.complain(['feeLevels', 'coin'], `${coin} is not among the assets`);
  }
  let before = 0n;
  const levels = rows.map(({ volume, takerFee, makerFee }, at) => {
    const path = ['feeLevels', 'levels', at];
    const level = {
      volume: figures.amount([...path, 'volume'], volume, scale ?? 0),
      takerFeePpm: figures.rate([...path, 'takerFee'], takerFee),
      makerFeePpm: figures.rate([...path, 'makerFee'], makerFee),
    };
    if (level.volume <= before) figures.complain([...path, 'volume'], 'does not rise');
    before = level.volume;
    for (const name of ['takerFee', 'makerFee'] as const) {
      const above = markets.find((market) => level[`${name}Ppm`] > market[`${name}Ppm`]);
      if (above === undefined) continue;
      figures.complain([...path, name], `is above the ${name} of ${above.symbol}: it would rise`);
    }
    return level;
  });
  return { coin, scale: scale ?? 0, levels };
}
