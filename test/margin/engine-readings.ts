/** Examples of what happens rather than of a figure: they are played on the engine itself. */
import {
  type ContractSpec,
  type ContractTrade,
  type Event,
  holdSideOf,
  lots,
  sideOf,
  ticks,
} from '#domain';
import { formatTrimmed, present } from '#kernel';
import { INVERSE, LINEAR } from '../support/contracts.ts';
import { Floor, refuseNone } from '../support/floor.ts';
import { type Example, ONE } from '../support/published-examples.ts';
import type { Figures, Reading } from './reading.ts';

/** One contract is one coin, prices are whole, and nothing costs a fee. */
const PLAIN: ContractSpec = {
  ...LINEAR,
  contractValue: '1',
  priceScale: 0,
  priceStepTicks: ticks(1),
  takerFeePpm: 0,
  makerFeePpm: 0,
};

/** Leverages that rank longs of one entry price as the example's queue does. */
const LEVERAGES = [50, 40, 30, 20, 10, 5];

/** A short is bankrupt at the printed price; nobody sells, and the insurance fund is empty. */
function deleveraged(example: Example): Figures {
  const venue = Floor.ofContract({ ...PLAIN, referencePriceTicks: ticks(600) });
  const size = Number(example.text('size'));
  const queue = example.rows('queue');
  // Sold at 600 with a leverage of 12 it is bankrupt at 600 (1 + 1/12).
  venue.open('short', '1000', { leverage: 12 });
  venue.open('others', '1000000', { leverage: 1 });
  refuseNone(venue.order('short', 'open_short', '600', size));
  const total = queue.reduce((sum, [, held = '']) => sum + Number(held), 0);
  refuseNone(venue.order('others', 'open_short', '600', total - size));
  for (const [index, [account = '', held = '']] of queue.entries()) {
    venue.open(`long-${account}`, '100000', { leverage: LEVERAGES[index] ?? 1 });
    refuseNone(venue.order(`long-${account}`, 'open_long', '600', held));
  }
  const trades = venue.index('647').filter(isDeleveraging);
  const nameOf = (id: number): string =>
    present(queue.find(([account = '']) => venue.id(`long-${account}`) === id)?.[0], 'a name');
  return {
    closed: trades.map(({ maker, sizeLots }) => [nameOf(maker.accountId), sizeLots as number]),
    price: BigInt(present(trades[0], 'a trade').priceTicks) * ONE,
    left_in_5: venue.position('long-5', 'long').lots as number,
  };
}

function isDeleveraging(event: Event): event is ContractTrade {
  return event.kind === 'contract_trade' && !event.inBook;
}

/** A long in tier 3 loses until its rate is reached, while others bid for it. */
function reduced(example: Example): Figures {
  const size = example.text('contracts');
  const first = Number(example.text('tier1_max'));
  const third = example.ppm('mmr_tier3');
  const tiers = [
    { contractsMax: lots(first), maintenanceRatePpm: third / 4, leverageMax: 100 },
    { contractsMax: lots(5 * first), maintenanceRatePpm: third / 2, leverageMax: 50 },
    { contractsMax: lots(25 * first), maintenanceRatePpm: third, leverageMax: 20 },
  ];
  const venue = Floor.ofContract({ ...LINEAR, tiers, takerFeePpm: 0 });
  venue.open('long', '22500', { leverage: 20 });
  venue.open('others', '10000000', { leverage: 1 });
  venue.trade('long', 'others', '30000', Number(size));
  refuseNone(venue.order('others', 'open_long', '29000', size));
  const closed = venue.index('29000').find((event) => event.kind === 'contract_order_closed');
  const order = closed?.kind === 'contract_order_closed' ? closed.order : undefined;
  return { close_contracts: order?.cause === 'reduction' ? BigInt(order.filledLots) * ONE : 0n };
}

/** A crossed account with both sides, and the sizes at which a first tier would end below it. */
function hedgedTier(example: Example): Figures {
  const [long, short] = [example.text('long_contracts'), example.text('short_contracts')];
  const rateWith = (firstMax: number): number => {
    const [first, ...others] = LINEAR.tiers;
    const tiers = [{ ...present(first, 'tier'), contractsMax: lots(firstMax) }, ...others];
    const venue = Floor.ofContract({ ...LINEAR, tiers });
    venue.open('hedged', '1000000', { mode: 'cross', leverage: 10 });
    venue.open('others', '10000000', { leverage: 1 });
    venue.trade('hedged', 'others', '30000', Number(long));
    venue.trade('others', 'hedged', '30000', Number(short));
    return venue.position('hedged', 'long').maintenanceRatePpm;
  };
  const first = present(LINEAR.tiers[0], 'tier').maintenanceRatePpm;
  const counted = [24_999, 25_000, 25_001].find((firstMax) => rateWith(firstMax) === first);
  return { tier_contracts: BigInt(counted ?? 0) * ONE, tier: counted === undefined ? 2 : 1 };
}

/** A stop below the price of the day: it waits above its trigger and fires at it. */
function stopped(example: Example): Figures {
  const [, held = ''] = example.text('position').split(' ');
  const trigger = example.text('trigger');
  const reference = ticks(780_000);
  const venue = Floor.ofContract({ ...INVERSE, referencePriceTicks: reference });
  venue.open('long', '1', { leverage: 10 });
  venue.open('others', '100', { leverage: 1 });
  venue.open('more', '100', { leverage: 1 });
  venue.trade('long', 'others', example.text('avg'), Number(held));
  const price = example.text('order_price');
  refuseNone(venue.trigger('long', 'close_long', trigger, price, Number(held)));
  const firesAt = (last: number): boolean => {
    refuseNone(venue.order('others', 'open_short', String(last), 1));
    const events = venue.order('more', 'open_long', String(last), 1);
    return events.some(({ kind }) => kind === 'trigger_order_closed');
  };
  const isEarly = firesAt(Number(trigger) + 1);
  const hasFired = firesAt(Number(trigger));
  const [order] = venue.engine.openContractOrders(venue.id('long'), venue.contract.instrumentId);
  const placed = present(order, 'the order that the plan placed');
  const priceTicks = placed.type === 'limit' ? placed.priceTicks : 0;
  const shown = formatTrimmed(priceTicks, venue.contract.priceScale);
  const words = [placed.type, sideOf(placed.action), placed.sizeLots, '@', shown];
  return {
    fires_when: !isEarly && hasFired ? `last <= ${trigger}` : 'never',
    placed: holdSideOf(placed.action) === 'long' ? words.join(' ') : 'nothing',
  };
}

export const ENGINE_READINGS: readonly Reading[] = [
  { ids: ['adl-bitmex-fill'], compute: deleveraged },
  { ids: ['tier-okx-partial'], compute: reduced },
  { ids: ['tier-okx-swap-hedge'], compute: hedgedTier },
  { ids: ['trig-htx-stop'], compute: stopped },
];
