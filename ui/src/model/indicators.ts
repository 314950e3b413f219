/**
 * Which indicators a chart may have, with their settings and lines. How they are worked out is in
 * indicator-run.ts and volume-profile.ts.
 */

export type IndicatorKind =
  | 'sma'
  | 'ema'
  | 'wma'
  | 'bollinger'
  | 'vwap'
  | 'ichimoku'
  | 'supertrend'
  | 'volume_profile'
  | 'rsi'
  | 'macd'
  | 'stochastic'
  | 'atr'
  | 'obv'
  | 'funding';

export type SettingName =
  | 'period'
  | 'deviations'
  | 'conversion'
  | 'base'
  | 'spanB'
  | 'multiplier'
  | 'rows'
  | 'fast'
  | 'slow'
  | 'signal'
  | 'smoothing'
  | 'dPeriod';

export interface Setting {
  readonly name: SettingName;
  readonly initial: number;
  readonly min: number;
  readonly max: number;
  /** Whole numbers only, unless it may have a decimal. */
  readonly hasDecimal?: boolean;
}

export type LineName =
  | 'value'
  | 'upper'
  | 'middle'
  | 'lower'
  | 'conversion'
  | 'base'
  | 'spanA'
  | 'spanB'
  | 'lagging'
  | 'up'
  | 'down'
  | 'macd'
  | 'signal'
  | 'histogram'
  | 'k'
  | 'd';

export interface IndicatorDefinition {
  readonly kind: IndicatorKind;
  /** Among the prices, or in a pane of its own. */
  readonly pane: 'price' | 'own';
  readonly settings: readonly Setting[];
  readonly lines: readonly LineName[];
  /** Two lines between which the ground is coloured. */
  readonly cloud?: readonly [LineName, LineName];
  /** Values at which a thin line is drawn. */
  readonly guides?: readonly number[];
  /** Prices of the instrument, numbers of their own, volumes, or ratios. */
  readonly values: 'price' | 'plain' | 'volume' | 'ratio';
  readonly isContractsOnly?: boolean;
}

const PERIOD_MAX = 500;

function whole(name: SettingName, initial: number, min = 1, max = PERIOD_MAX): Setting {
  return { name, initial, min, max };
}

function average(kind: IndicatorKind): IndicatorDefinition {
  return {
    kind,
    pane: 'price',
    settings: [whole('period', 20)],
    lines: ['value'],
    values: 'price',
  };
}

/** In the order in which they are offered. */
export const INDICATORS: readonly IndicatorDefinition[] = [
  average('sma'),
  average('ema'),
  average('wma'),
  {
    kind: 'bollinger',
    pane: 'price',
    settings: [
      whole('period', 20, 2),
      { name: 'deviations', initial: 2, min: 0.1, max: 10, hasDecimal: true },
    ],
    lines: ['upper', 'middle', 'lower'],
    cloud: ['upper', 'lower'],
    values: 'price',
  },
  { kind: 'vwap', pane: 'price', settings: [], lines: ['value'], values: 'price' },
  {
    kind: 'ichimoku',
    pane: 'price',
    settings: [whole('conversion', 9), whole('base', 26), whole('spanB', 52)],
    lines: ['conversion', 'base', 'spanA', 'spanB', 'lagging'],
    cloud: ['spanA', 'spanB'],
    values: 'price',
  },
  {
    kind: 'supertrend',
    pane: 'price',
    settings: [
      whole('period', 10),
      { name: 'multiplier', initial: 3, min: 0.1, max: 20, hasDecimal: true },
    ],
    lines: ['up', 'down'],
    values: 'price',
  },
  {
    kind: 'volume_profile',
    pane: 'price',
    settings: [whole('rows', 24, 4, 100)],
    lines: [],
    values: 'volume',
  },
  {
    kind: 'rsi',
    pane: 'own',
    settings: [whole('period', 14, 2)],
    lines: ['value'],
    guides: [30, 70],
    values: 'plain',
  },
  {
    kind: 'macd',
    pane: 'own',
    settings: [whole('fast', 12), whole('slow', 26), whole('signal', 9)],
    lines: ['histogram', 'macd', 'signal'],
    values: 'price',
  },
  {
    kind: 'stochastic',
    pane: 'own',
    settings: [whole('period', 14), whole('smoothing', 3), whole('dPeriod', 3)],
    lines: ['k', 'd'],
    guides: [20, 80],
    values: 'plain',
  },
  { kind: 'atr', pane: 'own', settings: [whole('period', 14)], lines: ['value'], values: 'price' },
  { kind: 'obv', pane: 'own', settings: [], lines: ['value'], values: 'volume' },
  {
    kind: 'funding',
    pane: 'own',
    settings: [],
    lines: ['value'],
    guides: [0],
    values: 'ratio',
    isContractsOnly: true,
  },
];

export type SettingValues = Readonly<Partial<Record<SettingName, number>>>;

/** An indicator on the chart. */
export interface IndicatorChoice {
  readonly id: string;
  readonly kind: IndicatorKind;
  readonly settings: SettingValues;
}

/** So many may be on a chart at once. */
export const INDICATORS_MAX = 12;

const BY_KIND = new Map(INDICATORS.map((definition) => [definition.kind, definition]));

export function definitionOf(kind: IndicatorKind): IndicatorDefinition {
  const found = BY_KIND.get(kind);
  if (found === undefined) throw new Error(`no indicator ${kind}`);
  return found;
}

function isKind(text: unknown): text is IndicatorKind {
  return INDICATORS.some(({ kind }) => kind === text);
}

/** A new one with the usual settings. */
export function newIndicator(kind: IndicatorKind, id: string): IndicatorChoice {
  const { settings } = definitionOf(kind);
  return { id, kind, settings: Object.fromEntries(settings.map((s) => [s.name, s.initial])) };
}

export function settingOf({ kind, settings }: IndicatorChoice, name: SettingName): number {
  const known = settings[name];
  if (known !== undefined) return known;
  return definitionOf(kind).settings.find((setting) => setting.name === name)?.initial ?? 0;
}

/** Whether a setting may have this value. */
export function isAllowed({ min, max, hasDecimal }: Setting, value: number): boolean {
  return value >= min && value <= max && (hasDecimal === true || Number.isInteger(value));
}

/** How many bars later than the bar of its value a line is drawn. */
export function shiftOf(choice: IndicatorChoice, line: LineName): number {
  if (choice.kind !== 'ichimoku') return 0;
  if (line === 'spanA' || line === 'spanB') return settingOf(choice, 'base') - 1;
  return line === 'lagging' ? 1 - settingOf(choice, 'base') : 0;
}

/** The settings as they stand behind the name: "12 26 9". */
export function settingsText(choice: IndicatorChoice): string {
  const { settings } = definitionOf(choice.kind);
  return settings.map(({ name }) => String(settingOf(choice, name))).join(' ');
}

/** What was kept, without what no longer is an indicator or a setting. */
export function readIndicators(kept: string): readonly IndicatorChoice[] {
  const rows = parsed(kept);
  if (!Array.isArray(rows)) return [];
  const choices = rows.flatMap((row: unknown) => {
    const choice = readChoice(row);
    return choice === undefined ? [] : [choice];
  });
  return choices.slice(0, INDICATORS_MAX);
}

function readChoice(row: unknown): IndicatorChoice | undefined {
  if (typeof row !== 'object' || row === null) return undefined;
  if (!('id' in row) || !('kind' in row) || !('settings' in row)) return undefined;
  const { id, kind, settings } = row;
  if (typeof id !== 'string' || !isKind(kind)) return undefined;
  const values = new Map(Object.entries(Object(settings)));
  const known = definitionOf(kind).settings.map((setting): [SettingName, number] => {
    const value = values.get(setting.name);
    const isFine = typeof value === 'number' && isAllowed(setting, value);
    return [setting.name, isFine ? value : setting.initial];
  });
  return { id, kind, settings: Object.fromEntries(known) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
