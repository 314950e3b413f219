/** Steps that hold the venue against figures: at once, or within a time. */
import { setTimeout as delay } from 'node:timers/promises';
import Type from 'typebox';
import { type Action, action } from '../action.ts';
import { duration, durationMs, strict } from '../fields.ts';
import type { Miss } from '../miss.ts';
import type { Stage } from '../stage.ts';
import { SUBJECTS } from '../subjects/all.ts';

const LOOK_AGAIN_MS = 50;

const expectSchema = Type.Object(
  Object.fromEntries(SUBJECTS.map(({ name, schema }) => [name, Type.Optional(schema)])),
  { ...strict, minProperties: 1 },
);

const waitSchema = Type.Object({ for: expectSchema, at_most: duration }, strict);

async function missed(content: object, stage: Stage): Promise<readonly Miss[]> {
  const misses: Miss[] = [];
  for (const { name, check } of SUBJECTS) {
    if (!Object.hasOwn(content, name)) continue;
    const found = await check(Reflect.get(content, name), stage);
    misses.push(...found.map((miss) => ({ ...miss, place: [name, ...miss.place] })));
  }
  return misses;
}

/** `position as alice, side long, size 10; books balanced yes` */
function textOf(content: object): string {
  return Object.entries(content)
    .map(([name, wanted]) => `${name} ${fieldsText(wanted)}`)
    .join('; ');
}

function fieldsText(wanted: object): string {
  return Object.entries(wanted)
    .map(([field, value]) => `${field} ${value}`)
    .join(', ');
}

export const EXPECT_ACTIONS: readonly Action[] = [
  action('expect', {
    summary: 'holds what is there against what should be; see the table below',
    example: 'expect: { position: { as: bob, market: BTC-USDT-PERP, side: long, size: 100 } }',
    schema: expectSchema,
    run: async (content, stage) => ({
      said: `expect ${textOf(content)}`,
      misses: await missed(content, stage),
    }),
  }),
  action('wait', {
    summary: 'looks again and again until the expectation holds, at most so long in real time',
    example: 'wait: { for: { order: { is: first, status: filled } }, at_most: 5s }',
    schema: waitSchema,
    run: async (content, stage) => {
      const giveUpMs = performance.now() + durationMs(content.at_most);
      let misses = await missed(content.for, stage);
      while (misses.length > 0 && performance.now() < giveUpMs) {
        await delay(LOOK_AGAIN_MS);
        misses = await missed(content.for, stage);
      }
      const placed = misses.map((miss) => ({ ...miss, place: ['for', ...miss.place] }));
      return { said: `wait for ${textOf(content.for)}`, misses: placed };
    },
  }),
];
