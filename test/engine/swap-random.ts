/**
 * Random actions at a contract venue: what a command aims at is drawn, and what exactly that means
 * is worked out from the state it meets, so that most commands get past the door and the deep
 * states (liquidations, deleveraging, an empty fund) come up often.
 */
import fc from 'fast-check';
import type {
  ContractAction,
  ContractTerms,
  Force,
  HoldSide,
  MarginMode,
  SelfTradePrevention,
  TpSlPurpose,
  WorkingPrice,
} from '#domain';
import { marginMode, holdSide as side, TIERS } from '../support/arbitraries.ts';

export const TRADERS = 8;
const FORCES: readonly Force[] = ['gtc', 'post_only', 'fok', 'ioc'];

/** A market order, and one that is filled whole or not at all. */
export type AtMarket = 'market' | 'market_fok';

/** What somebody wants. Distances from the mark price and parts of what there is are in ppm. */
export type Action =
  | {
      readonly act: 'trade';
      readonly long: number;
      readonly short: number;
      readonly at: number;
      readonly size: number;
    }
  | {
      readonly act: 'order';
      readonly who: number;
      readonly action: ContractAction;
      readonly force: Force | AtMarket;
      readonly at: number;
      readonly size: number;
      readonly takeProfit: number;
      readonly stopLoss: number;
      readonly working: WorkingPrice;
      readonly isNamed: boolean;
    }
  | {
      readonly act: 'move_order';
      readonly who: number;
      readonly which: number;
      /** Undefined for the price it has. */
      readonly at: number | undefined;
      /** Part of its size. */
      readonly part: number;
    }
  | {
      readonly act: 'protect';
      readonly who: number;
      readonly side: HoldSide;
      readonly purpose: TpSlPurpose;
      readonly trigger: number;
      readonly execute: number | undefined;
      readonly working: WorkingPrice;
      readonly part: number;
    }
  | {
      readonly act: 'modify';
      readonly who: number;
      readonly which: number;
      readonly trigger: number;
      /** Another size; undefined leaves it. */
      readonly size: number | undefined;
      /** Whether the trigger stays where it is. */
      readonly isSame: boolean;
      readonly execute: number | undefined;
      readonly working: WorkingPrice;
    }
  | { readonly act: 'close_all'; readonly who: number; readonly side: HoldSide }
  | {
      readonly act: 'close';
      readonly who: number;
      readonly side: HoldSide;
      readonly force: Force | AtMarket;
      readonly at: number;
      readonly part: number;
    }
  | { readonly act: 'cancel' | 'cancel_plan'; readonly who: number; readonly which: number }
  | { readonly act: 'cancel_all'; readonly who: number }
  | {
      readonly act: 'plan';
      readonly who: number;
      readonly action: ContractAction;
      readonly trigger: number;
      /** Undefined for a market order. */
      readonly execute: number | undefined;
      readonly size: number;
      readonly working: WorkingPrice;
      readonly isDirected: boolean;
      readonly takeProfit: number;
    }
  | {
      readonly act: 'leverage';
      readonly who: number;
      readonly side: HoldSide | 'both';
      readonly leverage: number;
      readonly of: MarginMode | undefined;
    }
  | {
      readonly act: 'adjust';
      readonly who: number;
      readonly side: HoldSide;
      readonly isOut: boolean;
      readonly part: number;
    }
  | {
      readonly act: 'auto';
      readonly who: number;
      readonly side: HoldSide;
      readonly isOn: boolean;
    }
  | {
      readonly act: 'mode';
      readonly who: number;
      readonly mode: MarginMode;
      readonly isStored: boolean;
    }
  | {
      readonly act: 'move';
      readonly who: number;
      readonly how: 'deposit' | 'withdraw' | 'in' | 'out';
      readonly part: number;
    }
  | { readonly act: 'fund'; readonly part: number }
  | { readonly act: 'index'; readonly move: number; readonly source: 'test' | 'operator' }
  | { readonly act: 'recover'; readonly source: 'test' | 'operator' }
  | { readonly act: 'tick'; readonly afterMs: number }
  | { readonly act: 'terms'; readonly changes: Partial<ContractTerms> }
  | {
      readonly act: 'settings';
      readonly who: number;
      readonly frozen: boolean;
      readonly prevention: SelfTradePrevention;
      readonly fees: readonly [taker: number | null, maker: number | null];
    };

/** One command, and which of the venue's contracts it is about. */
export interface Move {
  readonly contract: number;
  readonly action: Action;
}

const who = fc.nat({ max: TRADERS - 1 });
const isRare = fc.nat({ max: 7 }).map((drawn) => drawn === 7);
const opening = fc.constantFrom<ContractAction>('open_long', 'open_short');
const orderAction = fc.constantFrom<ContractAction>(
  'open_long',
  'open_short',
  'close_long',
  'close_short',
);
const force = fc.constantFrom<Force | AtMarket>(
  ...(['gtc', 'gtc', 'gtc', 'market', 'market', 'market_fok'] as const),
  ...FORCES,
);
const near = fc.integer({ min: -3_000, max: 3_000 });
const far = fc.integer({ min: -350_000, max: 350_000 });
const distance = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: near },
  { weight: 1, arbitrary: fc.integer({ min: -40_000, max: 40_000 }) },
  { weight: 2, arbitrary: far },
);
const size = fc.oneof(
  fc.integer({ min: 1, max: 9 }),
  fc.integer({ min: 1, max: 60 }),
  fc.integer({ min: 61, max: 200 }),
  fc.integer({ min: 1, max: 400 }),
);
const part = fc.oneof(fc.constant(1_000_000), fc.integer({ min: 0, max: 1_100_000 }));
const leverage = fc.constantFrom(1, 2, 3, 5, 7, 10, 20, 25, 50, 75, 100);
const source = fc.constantFrom<'test' | 'operator'>('test', 'test', 'test', 'operator');
const preset = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: -500, max: 6_000 }) },
);

const working = fc.constantFrom<WorkingPrice>('last', 'last', 'last', 'mark', 'mark', 'index');

const terms = fc.constantFrom<Partial<ContractTerms>>(
  { takerFeePpm: 600, makerFeePpm: 400 },
  { takerFeePpm: 0, makerFeePpm: 0 },
  { takerFeePpm: 37, makerFeePpm: 11 },
  { takerFeePpm: 2_000, makerFeePpm: 1_500 },
  { tiers: TIERS },
  { tiers: TIERS.map((tier) => ({ ...tier, maintenanceRatePpm: tier.maintenanceRatePpm / 2 })) },
  {
    tiers: TIERS.map((tier) => ({ ...tier, maintenanceRatePpm: tier.maintenanceRatePpm + 4_000 })),
  },
  { leverageMax: 100 },
  { leverageMax: 15 },
  { status: 'online' },
  { status: 'halt' },
  { indexStaleMs: 0 },
  { indexStaleMs: 600_000 },
  { fundingInterestPpm: 100 },
  { fundingInterestPpm: -900 },
  { fundingInterestPpm: 3_000, fundingClampPpm: 3_000 },
);

const fees = fc.constantFrom<readonly [number | null, number | null]>(
  [null, null],
  [null, null],
  [0, 0],
  [150, 90],
  [50, 1_200],
);

const trade = fc.record({
  act: fc.constant('trade' as const),
  long: who,
  short: who,
  at: fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: distance }),
  size,
});
const order = fc.record({
  act: fc.constant('order' as const),
  who,
  action: opening,
  force,
  at: distance,
  size,
  takeProfit: preset,
  stopLoss: preset,
  working,
  isNamed: isRare,
});
const moveOrder = fc.record({
  act: fc.constant('move_order' as const),
  who,
  which: fc.nat({ max: 4 }),
  at: fc.option(distance, { nil: undefined, freq: 3 }),
  part: fc.integer({ min: 200_000, max: 1_600_000 }),
});
const protect = fc.record({
  act: fc.constant('protect' as const),
  who,
  side,
  purpose: fc.constantFrom<TpSlPurpose>('take_profit', 'stop_loss'),
  trigger: fc.integer({ min: -500, max: 30_000 }),
  execute: fc.option(near, { nil: undefined, freq: 3 }),
  working,
  part: fc.constantFrom(0, 0, 300_000, 1_000_000, 1_100_000),
});
const modify = fc.record({
  act: fc.constant('modify' as const),
  who,
  which: fc.nat({ max: 4 }),
  trigger: fc.integer({ min: -500, max: 30_000 }),
  execute: fc.option(near, { nil: undefined, freq: 2 }),
  working,
  size: fc.option(size, { nil: undefined, freq: 3 }),
  isSame: isRare,
});
const close = fc.record({
  act: fc.constant('close' as const),
  who,
  side,
  force,
  at: distance,
  part,
});
const cancel = fc.record({
  act: fc.constantFrom<'cancel' | 'cancel_plan'>('cancel', 'cancel', 'cancel_plan'),
  who,
  which: fc.nat({ max: 4 }),
});
const plan = fc.record({
  act: fc.constant('plan' as const),
  who,
  action: orderAction,
  trigger: distance,
  execute: fc.option(distance, { nil: undefined }),
  size,
  working,
  isDirected: isRare,
  takeProfit: preset,
});
const adjust = fc.record({
  act: fc.constant('adjust' as const),
  who,
  side,
  isOut: fc.boolean(),
  part,
});
const move = fc.record({
  act: fc.constant('move' as const),
  who,
  how: fc.constantFrom<'deposit' | 'withdraw' | 'in' | 'out'>(
    'deposit',
    'withdraw',
    'in',
    'out',
    'out',
  ),
  part,
});
const index = fc.record({
  act: fc.constant('index' as const),
  move: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: -20_000, max: 20_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: -80_000, max: 80_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: -300_000, max: 300_000 }) },
  ),
  source,
});
const tick = fc.record({
  act: fc.constant('tick' as const),
  afterMs: fc.constantFrom(1_000, 5_000, 61_000, 3_600_000, 8 * 3_600_000, 26 * 3_600_000),
});
const settings = fc.record({
  act: fc.constant('settings' as const),
  who,
  frozen: isRare,
  prevention: fc.constantFrom<SelfTradePrevention>(
    'cancel_maker',
    'cancel_maker',
    'cancel_taker',
    'cancel_both',
    'none',
  ),
  fees,
});

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 20, arbitrary: trade },
  { weight: 22, arbitrary: order },
  { weight: 10, arbitrary: close },
  { weight: 5, arbitrary: cancel },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('cancel_all' as const), who }) },
  { weight: 6, arbitrary: plan },
  { weight: 6, arbitrary: moveOrder },
  { weight: 6, arbitrary: protect },
  { weight: 3, arbitrary: modify },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('close_all' as const), who, side }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('leverage' as const),
      who,
      side: fc.constantFrom<HoldSide | 'both'>('long', 'short', 'both'),
      leverage,
      of: fc.constantFrom<MarginMode | undefined>(undefined, undefined, 'cross', 'isolated'),
    }),
  },
  { weight: 5, arbitrary: adjust },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('auto' as const), who, side, isOn: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('mode' as const),
      who,
      mode: marginMode,
      isStored: fc.boolean(),
    }),
  },
  { weight: 8, arbitrary: move },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('fund' as const), part }) },
  { weight: 9, arbitrary: index },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('recover' as const), source }) },
  { weight: 6, arbitrary: tick },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('terms' as const), changes: terms }) },
  { weight: 2, arbitrary: settings },
);

/** How a trader starts. Money in lots at the first price; nothing set leaves what a venue gives. */
export interface Start {
  readonly moneyLots: number;
  readonly mode: MarginMode | undefined;
  readonly leverage: number | undefined;
}

const start: fc.Arbitrary<Start> = fc.record({
  moneyLots: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 60 })),
  mode: fc.constantFrom<MarginMode | undefined>('isolated', 'cross', 'cross', undefined),
  leverage: fc.option(leverage, { nil: undefined, freq: 3 }),
});

export interface Scenario {
  readonly starts: readonly Start[];
  readonly moves: readonly Move[];
}

/** A venue's traders and a number of commands on `contracts` contracts. */
export function scenario(
  contracts: number,
  minLength: number,
  maxLength: number,
): fc.Arbitrary<Scenario> {
  const single = fc.record({ contract: fc.nat({ max: contracts - 1 }), action });
  return fc.record({
    starts: fc.array(start, { minLength: TRADERS, maxLength: TRADERS }),
    moves: fc.array(single, { minLength, maxLength, size: 'max' }),
  });
}
