/** Drawings of the chart: their geometry, what can be undone, and what is kept of them. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { present } from '#kernel';
import { indexOfTime, timeOfIndex } from '../../ui/src/model/bar-times.ts';
import type { Bar } from '../../ui/src/model/candles.ts';
import {
  anchored,
  type Board,
  newBoard,
  put,
  readDrawings,
  redo,
  remove,
  removeAll,
  shifted,
  undo,
} from '../../ui/src/model/drawing-board.ts';
import {
  anchorCount,
  DRAWING_TOOLS,
  type Drawing,
  distanceTo,
  FIBONACCI_LEVELS,
  fibonacciPrice,
  hitOf,
  type Pixel,
  rayEnd,
  shapeOf,
} from '../../ui/src/model/drawings.ts';

const WIDTH = 800;
const NEAR = 1e-6;

const pixel = fc.record({ x: fc.integer({ min: 0, max: WIDTH }), y: fc.integer({ max: 600 }) });
const tool = fc.constantFrom(...DRAWING_TOOLS);
const someDrawing = fc
  .tuple(tool, fc.string({ maxLength: 3 }), fc.array(fc.nat({ max: 9 }), { minLength: 6 }))
  .map(([chosen, id, numbers]): Drawing => {
    const anchors = Array.from({ length: anchorCount(chosen) }, (_, at) => ({
      time: present(numbers[2 * at], 'a time'),
      price: present(numbers[2 * at + 1], 'a price'),
    }));
    return { id, tool: chosen, anchors, text: 'note' };
  });

test('a ray goes on in the direction of its anchors to the edge of the canvas', () => {
  const property = fc.property(pixel, pixel, (from, through) => {
    fc.pre(from.x !== through.x && Math.abs(through.y - from.y) <= 600);
    const end = rayEnd(from, through, WIDTH);
    const cross = (through.x - from.x) * (end.y - from.y) - (through.y - from.y) * (end.x - from.x);
    assert.ok(Math.abs(cross) < NEAR * 1e6 * Math.max(1, Math.abs(end.y)));
    assert.ok((end.x - from.x) * (through.x - from.x) >= 0, 'not backwards');
    assert.ok(distanceTo({ from, to: end }, through) < 1e-3, 'through its second anchor');
  });
  fc.assert(property);
  assert.deepEqual(rayEnd({ x: 0, y: 0 }, { x: 100, y: 50 }, WIDTH), { x: 800, y: 400 });
});

test('the lines of a channel are as long and as steep as each other, through the third', () => {
  const property = fc.property(pixel, pixel, pixel, (one, two, three) => {
    fc.pre(one.x !== two.x);
    const [first, second] = shapeOf('channel', [one, two, three], WIDTH).lines;
    assert.ok(first !== undefined && second !== undefined);
    assert.ok(Math.abs(second.to.y - second.from.y - (first.to.y - first.from.y)) < NEAR * 1e3);
    const slope = (two.y - one.y) / (two.x - one.x);
    const onSecond = second.from.y + (three.x - second.from.x) * slope;
    assert.ok(Math.abs(onSecond - three.y) < 1e-3 * Math.max(1, Math.abs(three.y)));
  });
  fc.assert(property);
});

test('Fibonacci levels divide the way from the second anchor back to the first', () => {
  const { lines } = shapeOf(
    'fibonacci',
    [
      { x: 0, y: 100 },
      { x: 50, y: 0 },
    ],
    WIDTH,
  );
  assert.deepEqual(
    lines.map(({ from }) => from.y),
    FIBONACCI_LEVELS.map((level) => 100 * level),
  );
  const [one, two] = [
    { time: 0, price: 100 },
    { time: 9, price: 200 },
  ];
  assert.equal(fibonacciPrice(one, two, 0.5), 150);
  assert.equal(fibonacciPrice(one, two, 0.236), 176.4);
});

test('what was drawn is hit where it is, and by its anchors first', () => {
  const property = fc.property(tool, fc.tuple(pixel, pixel, pixel), (chosen, points) => {
    const at = points.slice(0, anchorCount(chosen));
    for (const anchor of at) {
      assert.equal(hitOf(chosen, at, WIDTH, anchor, 6)?.kind, 'anchor');
    }
    for (const { from, to } of shapeOf(chosen, at, WIDTH).lines) {
      const middle: Pixel = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
      assert.notEqual(hitOf(chosen, at, WIDTH, middle, 6), undefined);
    }
    const far = { x: -1_000, y: 1e7 };
    assert.equal(hitOf(chosen, at, WIDTH, far, 6), undefined);
  });
  fc.assert(property);
});

test('the distance to a line is that to its nearest point', () => {
  const property = fc.property(
    pixel,
    pixel,
    pixel,
    fc.double({ min: 0, max: 1, noNaN: true }),
    (from, to, point, part) => {
      const on = { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
      const direct = Math.hypot(point.x - on.x, point.y - on.y);
      assert.ok(distanceTo({ from, to }, point) <= direct + 1e-3);
    },
  );
  fc.assert(property);
});

test('undo takes every change back, redo makes it again', () => {
  const change = fc.oneof(
    someDrawing.map((drawing) => (board: Board) => put(board, drawing)),
    fc.string({ maxLength: 3 }).map((id) => (board: Board) => remove(board, id)),
    fc.constant(removeAll),
  );
  const property = fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
    const start = newBoard([]);
    const end = changes.reduce((board, next) => next(board), start);
    let board = end;
    for (let at = 0; at < end.past.length; at += 1) board = undo(board);
    assert.deepEqual(board.drawings, []);
    for (let at = 0; at < end.past.length; at += 1) board = redo(board);
    assert.deepEqual(board.drawings, end.drawings);
  });
  fc.assert(property);
});

test('moving there and back leaves a drawing as it was', () => {
  const property = fc.property(someDrawing, fc.integer(), fc.integer(), (drawing, time, price) => {
    assert.deepEqual(shifted(shifted(drawing, time, price), -time, -price), drawing);
    const [anchor] = drawing.anchors;
    assert.deepEqual(anchored(drawing, 0, present(anchor, 'an anchor')), drawing);
  });
  fc.assert(property);
});

test('what was kept is read again; what is no drawing is left out', () => {
  const property = fc.property(fc.array(someDrawing, { maxLength: 20 }), (drawings) => {
    assert.deepEqual(readDrawings(JSON.stringify(drawings)), drawings);
  });
  fc.assert(property);
  const odd = [null, 1, {}, { id: 'a', tool: 'trend', text: '', anchors: [{ time: 1, price: 2 }] }];
  assert.deepEqual(readDrawings(JSON.stringify(odd)), []);
  assert.deepEqual(readDrawings('['), []);
  fc.assert(fc.property(fc.json(), (text) => Array.isArray(readDrawings(text))));
});

test('a time is where its bar is, also outside of what there is', () => {
  const bars = Array.from(
    { length: 50 },
    (_, at): Bar => ({
      ...{ time: 600 + at * 60, open: 1, high: 1, low: 1, close: 1, volume: 0 },
    }),
  );
  assert.equal(indexOfTime(bars, 60, 600), 0);
  assert.equal(indexOfTime(bars, 60, 660 + 30), 1.5);
  assert.equal(indexOfTime(bars, 60, 600 + 60 * 60), 60);
  const property = fc.property(fc.integer({ min: -100, max: 10_000 }), (time) => {
    assert.equal(timeOfIndex(bars, 60, indexOfTime(bars, 60, time)), time);
  });
  fc.assert(property);
});
