/** What is chosen of a list of records: markets, sides, kinds and a period, one Select each. */
import { Select } from '../../look/mod.ts';
import type { OrderLine } from '../../model/orders.ts';
import { useTexts } from '../../texts/texts.ts';
import { venueNowMs } from '../../wire/clock.ts';
import { toneOf } from './formats.ts';

const DAY_MS = 86_400_000;

const PERIODS = ['all', 'day', 'week', 'month', 'quarter'] as const;
export type HistoryPeriod = (typeof PERIODS)[number];
const PERIOD_DAYS: Readonly<Record<HistoryPeriod, number | undefined>> = {
  all: undefined,
  day: 1,
  week: 7,
  month: 30,
  quarter: 90,
};

export type Scope = 'this' | 'all';
export type Side = 'any' | 'buy' | 'sell';

/** Where rows begin that are chosen. */
export function periodStart(period: HistoryPeriod): number {
  const days = PERIOD_DAYS[period];
  return days === undefined ? 0 : venueNowMs() - days * DAY_MS;
}

export function isOfSide(action: OrderLine['action'], side: Side): boolean {
  return side === 'any' || toneOf(action) === (side === 'buy' ? 'up' : 'down');
}

interface ChoiceProps<Choice extends string> {
  readonly value: Choice;
  readonly onValue: (value: Choice) => void;
}

export function ScopeChoice({ value, onValue }: ChoiceProps<Scope>) {
  const { records } = useTexts();
  const { scopes } = records;
  return (
    <Select
      label={records.scope}
      value={value}
      choices={[
        ['this', scopes.this],
        ['all', scopes.all],
      ]}
      onValue={onValue}
    />
  );
}

export function SideChoice({ value, onValue }: ChoiceProps<Side>) {
  const { records, trade } = useTexts();
  return (
    <Select
      label={trade.side}
      value={value}
      choices={[
        ['any', records.any],
        ['buy', records.sides.buy],
        ['sell', records.sides.sell],
      ]}
      onValue={onValue}
    />
  );
}

export function PeriodChoice({ value, onValue }: ChoiceProps<HistoryPeriod>) {
  const { records } = useTexts();
  return (
    <Select
      label={records.period}
      value={value}
      choices={PERIODS.map((name) => [name, records.periods[name]])}
      onValue={onValue}
    />
  );
}

interface WordChoiceProps<Word extends string> {
  readonly label: string;
  readonly names: readonly Word[];
  readonly words: Readonly<Record<Word, string>>;
  readonly value: Word | 'any';
  readonly onValue: (value: Word | 'any') => void;
}

/** One of some words, or any of them. */
export function WordChoice<Word extends string>(props: WordChoiceProps<Word>) {
  const { label, names, words, value, onValue } = props;
  const { records } = useTexts();
  return (
    <Select<Word | 'any'>
      label={label}
      value={value}
      choices={[
        ['any', records.any],
        ...names.map((name): readonly [Word, string] => [name, words[name]]),
      ]}
      onValue={onValue}
    />
  );
}
