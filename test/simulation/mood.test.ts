/** Trades cluster: markets have busy seconds, to one side, and sizes have a heavy tail. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import { heavyTailed, Mood } from '#simulation/testing';

const TICKS = 400_000;

test('a market is busy now and then, for a while, and ordinary on the whole', () => {
  const mood = new Mood(1, 'BTC-USDT');
  let sum = 0;
  let leans = 0;
  let turns = 0;
  let before = mood.activity;
  for (let tick = 0; tick < TICKS; tick += 1) {
    mood.advance();
    sum += mood.activity;
    leans += mood.lean;
    if (mood.activity !== before) turns += 1;
    before = mood.activity;
  }
  assert.ok(Math.abs(sum / TICKS - 1) < 0.05, `mean ${sum / TICKS}`);
  assert.ok(Math.abs(leans / TICKS) < 0.01, 'neither side in the long run');
  const lengthTicks = TICKS / (turns / 2);
  assert.ok(lengthTicks > 130 && lengthTicks < 190, `every ${lengthTicks} ticks`);
});

test('markets of one seed have moods of their own, and a seed the same ones again', () => {
  const story = (seed: number, symbol: string) => {
    const mood = new Mood(seed, symbol);
    return Array.from({ length: 2_000 }, () => {
      mood.advance();
      return `${mood.activity} ${mood.lean}`;
    }).join();
  };
  assert.equal(story(1, 'BTC-USDT'), story(1, 'BTC-USDT'));
  assert.notEqual(story(1, 'BTC-USDT'), story(2, 'BTC-USDT'));
  assert.notEqual(story(1, 'BTC-USDT'), story(1, 'ETH-USDT'));
});

test('sizes have a mean of one, half of them below a half, and a bound', () => {
  const count = 100_000;
  const drawn = Array.from({ length: count }, (_, at) => heavyTailed((at + 0.5) / count));
  const mean = drawn.reduce((sum, one) => sum + one, 0) / count;
  assert.ok(Math.abs(mean - 1) < 0.001, String(mean));
  assert.ok(drawn.filter((one) => one < 0.5).length > count / 2);
  assert.ok(drawn.filter((one) => one > 3).length > count / 20);
  assert.ok(heavyTailed(0) < 10 && heavyTailed(1) === 0);
});
