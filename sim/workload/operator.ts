/** What the operator, the index and time do: prices, funding, halts, terms, checkpoints, keys. */
import {
  type AccountChanges,
  assetId as assetOf,
  type Command,
  type Contract,
  type ContractTerms,
  lots,
  type SpotTerms,
  ticks,
} from '#domain';
import { ambush, spread } from './contracts.ts';
import { CONTRACTS, SOURCES } from './listings.ts';
import type { Scene } from './scene.ts';
import { sentAgain } from './spot.ts';

const STATUSES = ['online', 'online', 'online', 'halt', 'offline'] as const;

/** The index of a contract moves: a little, by a few percent, or with violence. */
export function index(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const { draw } = scene;
  const { instrumentId } = contract;
  const source =
    draw.below(12) === 0
      ? draw.of(['operator', 'operator', 'nobody', 'other'])
      : (draw.of(feedsOf(contract)) ?? 'feed');
  const from = scene.view.contractPrices(instrumentId)?.indexTicks ?? 1;
  const reach = draw.of([2_000, 20_000, 20_000, 80_000, 300_000]);
  const moved = from + Math.round((from * draw.between(-reach, reach)) / 1_000_000);
  const isOff = source === 'operator' && draw.percent(50);
  const centre = contract.referencePriceTicks;
  const kept = moved > centre * 8 || moved < centre / 8 ? centre : moved;
  const priceTicks = ticks(isOff || draw.below(200) === 0 ? 0 : Math.max(1, kept));
  return [{ kind: 'report_index', instrumentId, source, priceTicks }];
}

function feedsOf({ indexSources }: Contract): string[] {
  return indexSources.flatMap((source) => (source.kind === 'feed' ? [source.name] : []));
}

/** One source after the other falls: those who hold are liquidated in waves. */
export function crash(scene: Scene): Command[] {
  const { draw } = scene;
  const sign = draw.percent(50) ? 1 : -1;
  const commands: Command[] = [{ kind: 'report_index', ...operatorOff(scene) }];
  const waves = draw.between(1, 5);
  const reach = draw.between(20_000, 120_000);
  const contracts = [...scene.view.listings.contracts.values()];
  const isAmbush = draw.percent(50);
  if (isAmbush) commands.push(...endow(scene));
  const from = contracts.map(
    ({ instrumentId, referencePriceTicks }) =>
      scene.view.contractPrices(instrumentId)?.indexTicks ?? referencePriceTicks,
  );
  for (let wave = 1; wave <= waves; wave += 1) {
    contracts.forEach(({ instrumentId, referencePriceTicks }, at) => {
      const start = from[at] ?? referencePriceTicks;
      const moved = start + sign * Math.round((start * reach * wave) / 1_000_000);
      const isFar = moved > referencePriceTicks * 8 || moved < referencePriceTicks / 8;
      const priceTicks = ticks(Math.max(1, isFar ? referencePriceTicks : moved));
      const contract = contracts[at];
      if (isAmbush && contract !== undefined) {
        commands.push(...ambush(scene, contract, priceTicks, sign));
      }
      commands.push({ kind: 'report_index', instrumentId, source: 'feed', priceTicks });
    });
    commands.push({ kind: 'tick' });
  }
  return commands;
}

/** Somebody spreads over all contracts, and prices of all of them run away. */
export function spreadAndCrash(scene: Scene): Command[] {
  const commands = spread(scene);
  return scene.draw.percent(50) ? [...commands, ...crash(scene)] : commands;
}

/** Money for the insurance fund, about as much as liquidations may cost it. */
function endow(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const { kind, valueFactor, referencePriceTicks, margin } = contract;
  const price = BigInt(referencePriceTicks);
  const lot = kind === 'linear' ? valueFactor * price : valueFactor / price;
  const amount = lot * BigInt(scene.draw.of([1, 20, 300])) + 1n;
  return [{ kind: 'fund_insurance', assetId: margin.assetId, amount }];
}

function operatorOff(scene: Scene) {
  const contract = scene.contract();
  const instrumentId = contract?.instrumentId ?? unlisted(scene);
  return { instrumentId, source: 'operator', priceTicks: ticks(0) };
}

function unlisted(scene: Scene) {
  const [first] = scene.view.listings.contracts.values();
  if (first === undefined) throw new RangeError('a scene without a contract');
  return first.instrumentId;
}

export function tick(): Command[] {
  return [{ kind: 'tick' }];
}

export function work(): Command[] {
  return [{ kind: 'continue_work' }];
}

export function contractTerms(scene: Scene): Command[] {
  const contract = scene.contract();
  if (contract === undefined) return [];
  const { draw } = scene;
  const { instrumentId } = contract;
  const listed = CONTRACTS.find(({ symbol }) => symbol === contract.symbol) ?? contract;
  const { tiers } = listed;
  const changes: Partial<ContractTerms> = draw.of([
    { status: draw.of(STATUSES) },
    { status: 'online' },
    { status: 'online' },
    { takerFeePpm: 600, makerFeePpm: 400 },
    { takerFeePpm: 0, makerFeePpm: 0 },
    { takerFeePpm: 37, makerFeePpm: 11 },
    { takerFeePpm: 2_000, makerFeePpm: 1_500 },
    { tiers },
    { tiers: tiers.map((tier) => ({ ...tier, maintenanceRatePpm: tier.maintenanceRatePpm / 2 })) },
    {
      tiers: tiers.map((tier) => ({
        ...tier,
        maintenanceRatePpm: tier.maintenanceRatePpm + 4_000,
      })),
    },
    { leverageMax: draw.of([100, 15]) },
    { indexStaleMs: draw.of([0, 600_000]) },
    { fundingInterestPpm: draw.of([100, -900, 3_000]), fundingClampPpm: draw.of([500, 3_000]) },
    { priceBandPpm: draw.of([500_000, 20_000]) },
    { fundingMinutes: draw.of([[420, 900, 1_380], [0, 1, 2, 700], []]) },
    { minLots: lots(draw.of([1, 3])), maxLots: lots(draw.of([600, 2])) },
    { markClampPpm: draw.of([30_000, 0]) },
    { indexSources: draw.of(SOURCES) ?? listed.indexSources },
    { indexOutlierPpm: draw.of([900_000, 30_000]), indexImpact: draw.of([0n, 10n ** 6n]) },
    {
      openOrdersMax: draw.of([20, 2]),
      triggerOrdersMax: draw.of([6, 1]),
      tpSlMax: draw.of([4, 1]),
    },
  ]);
  return [{ kind: 'update_contract', instrumentId, changes }];
}

/** Another contract is listed while orders of others rest; which is there already is refused. */
export function listMore(scene: Scene): Command[] {
  const spec = scene.draw.of(CONTRACTS);
  return spec === undefined ? [] : [{ kind: 'list_contract', spec }];
}

export function spotTerms(scene: Scene): Command[] {
  const pair = scene.pair();
  if (pair === undefined) return [];
  const { draw } = scene;
  const { instrumentId } = pair;
  const changes: Partial<SpotTerms> = draw.of([
    { status: draw.of(STATUSES) },
    { status: 'online' },
    { status: 'online' },
    { takerFeePpm: draw.of([0, 1_000, 999_999]), makerFeePpm: draw.of([0, 17, 1_000]) },
    { minNotional: draw.of([0n, 100n, 10n ** 9n, -1n]) },
    { priceBandPpm: draw.of([0, 200_000, 50_000, 1_000_000]) },
    { referencePriceTicks: ticks(draw.of([0, pair.referencePriceTicks, 6_000])) },
    { minLots: lots(draw.of([1, 5])), maxLots: lots(draw.of([50_000_000, 1_000, 4])) },
  ]);
  return [{ kind: 'update_spot', instrumentId, changes }];
}

/** What may change of a coin changes under the pairs and contracts that it is in. */
export function coinTerms({ draw, view }: Scene): Command[] {
  const coin = draw.of(view.listings.assets);
  if (coin === undefined) return [];
  const chain = { chain: draw.of(['one', 'two']), withdrawFee: draw.of(['0', '1.5']) };
  const open = { needTag: draw.percent(50), withdrawable: true, rechargeable: draw.percent(50) };
  const least = { minDepositAmount: '0', minWithdrawAmount: '0.1', browserUrl: '' };
  const chains = [{ ...chain, ...open, ...least, depositConfirm: 1, withdrawConfirm: 2 }];
  const changes = draw.of([
    { chains },
    { chains: [] },
    { transferable: coin.code !== 'LOCKED' },
    { transferable: draw.percent(50), chains },
    {
      fundBudget: {
        hourPpm: draw.of([1_000_000, 50_000, 0]),
        dayPpm: draw.of([1_000_000, 80_000]),
      },
    },
  ]);
  const assetId = draw.below(100) === 0 ? assetOf(view.listings.assets.length) : coin.assetId;
  return [{ kind: 'update_asset', assetId, changes }];
}

export function settings(scene: Scene): Command[] {
  const { draw } = scene;
  const accountId = scene.account();
  const changes: AccountChanges = draw.of([
    { frozen: draw.below(4) === 0 },
    { frozen: false },
    { selfTradePrevention: draw.of(['cancel_maker', 'cancel_taker', 'cancel_both', 'none']) },
    { takerFeePpm: draw.of([null, 0, 150]), makerFeePpm: draw.of([null, 0, 1_200]) },
    { openOrdersMax: draw.of([100, 3]) },
    { name: draw.of(['trader1', 'one more', 'renamed']) },
    { takerFeePpm: 1_000_000 },
  ]);
  return [{ kind: 'update_account', accountId, changes }];
}

export function fund(scene: Scene): Command[] {
  const { draw } = scene;
  const coin = draw.of(scene.view.listings.assets);
  if (coin === undefined) return [];
  const amount = draw.below(20) === 0 ? 0n : 10n ** BigInt(draw.below(coin.scale + 3));
  const operatorOid = scene.operatorOid();
  return sentAgain(scene, { kind: 'fund_insurance', assetId: coin.assetId, amount, operatorOid });
}

/** A fault takes a market out of trade; the operator brings it back soon. */
export function suspend(scene: Scene): Command[] {
  const { draw } = scene;
  const market = draw.percent(50) ? scene.pair() : scene.contract();
  if (market === undefined) return [];
  const { instrumentId } = market;
  return [
    {
      kind: 'suspend_instrument',
      instrumentId,
      reason: { command: 'tick', failuresCount: 1, message: 'planted' },
    },
  ];
}

export function resume(scene: Scene): Command[] {
  const { listings } = scene.view;
  const commands: Command[] = [];
  const changes = { status: 'online' } as const;
  for (const { instrumentId, status } of listings.spot) {
    if (status !== 'online') commands.push({ kind: 'update_spot', instrumentId, changes });
  }
  for (const { instrumentId, status } of listings.contracts.values()) {
    if (status !== 'online') commands.push({ kind: 'update_contract', instrumentId, changes });
  }
  return commands;
}

export function checkpoint(scene: Scene): Command[] {
  const { draw } = scene;
  const name = draw.of(['one', 'two', 'two', '-']);
  const kind = draw.of([
    'save_checkpoint',
    'save_checkpoint',
    'reset_to_checkpoint',
    'drop_checkpoint',
  ]);
  return [{ kind, name }];
}

export function sandbox(scene: Scene): Command[] {
  const { draw } = scene;
  if (draw.percent(30))
    return [{ kind: 'set_clock', speedPermille: draw.of([0, 1_000, 60_000, -1]) }];
  if (draw.percent(40)) return [{ kind: 'remove_faults', faultId: draw.below(4) }];
  const effect = draw.of([
    { kind: 'latency', ms: 20, jitterMs: 5 },
    { kind: 'drop_message' },
    { kind: 'server_error', status: 503 },
  ] as const);
  return [
    {
      kind: 'add_fault',
      rule: {
        label: 'one',
        key: '',
        target: '',
        effect,
        probabilityPpm: draw.of([1_000_000, 500_000, 2_000_000]),
        skipCount: 0,
        hitsMax: 0,
        seed: draw.below(1_000),
      },
    },
  ];
}

export function keys(scene: Scene): Command[] {
  const { draw } = scene;
  const key = `key-${draw.below(12)}`;
  if (draw.percent(30)) return [{ kind: 'revoke_key', key }];
  const secret = { sealed: 'sealed' };
  const record = { key, label: '', permissions: ['read'], ipAllowList: [], ...secret } as const;
  return [{ kind: 'create_key', record: { ...record, accountId: scene.account() } }];
}
