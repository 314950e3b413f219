/** docs/OPERATIONS.md names every operator endpoint and configuration key, and true defaults. */
import { strict as assert } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FILE_SCHEMA } from '#config';
import {
  ADMIN_ENDPOINTS,
  COMPETITION_OPERATOR_ENDPOINTS,
  PEOPLE_OPERATOR_ENDPOINTS,
} from '#dialects';
import { defaultTerms, lots } from '#domain';
import { formatTrimmed, present } from '#kernel';

const page = readFileSync(new URL('../../docs/OPERATIONS.md', import.meta.url), 'utf8');

test('its tables of calls are the tables of endpoints, in the same order', () => {
  const shown = [...page.matchAll(/^\| `([A-Z]+ \/admin\/\S+)` \|/gm)].map(([, call = '']) => call);
  const callsOf = (table: object) =>
    Object.values(table).map(({ method, path }) => `${method} ${path}`);
  const ofPeople = new Set(callsOf(PEOPLE_OPERATOR_ENDPOINTS));
  const ofCompetitions = callsOf(COMPETITION_OPERATOR_ENDPOINTS);
  assert.deepEqual(
    shown.filter((call) => !ofPeople.has(call) && !ofCompetitions.includes(call)),
    callsOf(ADMIN_ENDPOINTS),
  );
  assert.deepEqual(
    shown.filter((call) => ofCompetitions.includes(call)),
    ofCompetitions,
  );
  assert.deepEqual(
    shown.filter((call) => ofPeople.has(call)),
    [...ofPeople],
  );
});

const { server, assets, spot, contracts, liquidity, participants, paths } = FILE_SCHEMA.properties;
const { feeLevels, journal, tracing, people, operators, payments } = FILE_SCHEMA.properties;
const SECTIONS = [
  FILE_SCHEMA,
  journal,
  tracing,
  people,
  people.properties.smtp,
  operators,
  payments,
  payments.properties.coins.items,
  payments.properties.webhooks,
  feeLevels,
  feeLevels.properties.levels.items,
  server,
  server.properties.admin,
  server.properties.tls,
  server.properties.streams,
  assets.items,
  spot.items,
  contracts.items,
  contracts.items.properties.tiers.items,
  contracts.items.properties.index,
  liquidity,
  liquidity.properties.ladders.items,
  liquidity.properties.ladders.items.properties.inventory,
  participants,
  participants.properties.traders.items,
  participants.properties.traders.items.properties.markets.items,
  paths,
  paths.properties.coins.items,
];

test('every key of the configuration file is named', () => {
  for (const key of SECTIONS.flatMap(({ properties }) => Object.keys(properties))) {
    assert.ok(page.includes(`\`${key}\``), key);
  }
});

/** The default that the table of contract terms shows for a key. */
function shownDefault(key: string): string {
  for (const [, keys = '', values = ''] of page.matchAll(/^\| (`.*) \|.*\| (`.*) \|$/gm)) {
    const at = [...keys.matchAll(/`(\w+)`/g)].findIndex(([, name]) => name === key);
    if (at === -1) continue;
    const found = [...values.matchAll(/`([^`]+)`/g)].map(([, value = '']) => value);
    return present(found.length === 1 ? found[0] : found[at], key).replaceAll('"', '');
  }
  return assert.fail(`${key} has no row`);
}

test('the defaults of contract terms are those that a contract gets', () => {
  const tier = { contractsMax: lots(9), maintenanceRatePpm: 5_000, leverageMax: 7 };
  const terms = defaultTerms([tier], lots(1));
  const rate = (ratePpm: number) => formatTrimmed(ratePpm, 6);
  const expected = {
    takerFee: rate(terms.takerFeePpm),
    makerFee: rate(terms.makerFeePpm),
    minLeverage: String(terms.leverageMin),
    priceBand: rate(terms.priceBandPpm),
    markClamp: rate(terms.markClampPpm),
    openOrdersMax: String(terms.openOrdersMax),
    planOrdersMax: String(terms.triggerOrdersMax),
    presetsMax: String(terms.tpSlMax),
    fundingTimes: `[${terms.fundingMinutes
      .map((minute) => `${String(minute / 60).padStart(2, '0')}:00`)
      .join(', ')}]`,
    fundingInterest: rate(terms.fundingInterestPpm),
    fundingClamp: rate(terms.fundingClampPpm),
    fundingCap: rate(terms.fundingCapPpm),
    status: terms.status,
  };
  const shown = Object.keys(expected).map((key) => [key, shownDefault(key)]);
  assert.deepEqual(Object.fromEntries(shown), expected);
  const index =
    `none, \`${terms.indexStaleMs / 1_000}\`, \`"${rate(terms.indexOutlierPpm)}"\`, ` +
    `\`"${formatTrimmed(terms.indexImpact, 8)}"\`, \`"${rate(terms.indexMovePpm)}"\``;
  assert.ok(page.includes(index), index);
  assert.deepEqual([terms.leverageMax, terms.maxLots, terms.impactLots], [7, 9, 1]);
});
