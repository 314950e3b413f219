/** Where panels stand: moving, hiding and resizing them loses none, and what was kept is read. */
import { strict as assert } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { present } from '#kernel';
import {
  aimAt,
  beside,
  dragged,
  fillerOf,
  leastPixels,
  moved,
  PANELS,
  type Part,
  type Place,
  PRESETS,
  panelsOf,
  presetPlace,
  readPlace,
  SIDES,
  type Split,
  shown,
  swapped,
  without,
} from '../../ui/src/model/panels.ts';

const panel = fc.constantFrom(...PANELS);
const step = fc.oneof(
  fc.record({ do: fc.constant('move'), panel, target: panel, side: fc.constantFrom(...SIDES) }),
  fc.record({ do: fc.constant('swap'), panel, target: panel, side: fc.constantFrom(...SIDES) }),
  fc.record({ do: fc.constant('hide'), panel, target: panel, side: fc.constantFrom(...SIDES) }),
  fc.record({ do: fc.constant('show'), panel, target: panel, side: fc.constantFrom(...SIDES) }),
);
const somePlace = fc
  .tuple(fc.constantFrom(...PRESETS), fc.boolean(), fc.array(step, { maxLength: 20 }))
  .map(([preset, isWide, steps]) =>
    steps.reduce<Place>(
      (place, { do: what, panel: one, target, side }) => {
        if (what === 'move') return moved(place, one, target, side);
        if (what === 'swap') return swapped(place, one, target);
        if (what === 'show') return shown(place, one);
        return without(place, one) ?? place;
      },
      presetPlace(preset, isWide),
    ),
  );

function splitsOf(place: Place): readonly Split[] {
  return typeof place === 'string'
    ? []
    : [place, ...place.parts.flatMap((part) => splitsOf(part.place))];
}

function isWhole(place: Place): void {
  const panels = panelsOf(place);
  assert.equal(new Set(panels).size, panels.length, 'each panel once');
  for (const { axis, parts } of splitsOf(place)) {
    assert.ok(parts.length >= 2, 'no split of one');
    for (const { place: inner } of parts) {
      assert.ok(typeof inner === 'string' || inner.axis !== axis, 'no row in a row');
    }
  }
}

test('presets have the chart and the order form, and the wide ones no tab for the trades', () => {
  for (const isWide of [false, true]) {
    for (const preset of PRESETS) {
      const place = presetPlace(preset, isWide);
      isWhole(place);
      assert.deepEqual(readPlace(JSON.stringify(place)), place, preset);
      assert.ok(panelsOf(place).includes('chart') && panelsOf(place).includes('form'));
    }
  }
  assert.ok(panelsOf(presetPlace('standard', true)).includes('trades'));
  assert.ok(!panelsOf(presetPlace('standard', false)).includes('trades'));
});

test('a moved panel is where it was put, and no other one is lost', () => {
  const sides = fc.constantFrom(...SIDES);
  const property = fc.property(somePlace, panel, panel, sides, (place, one, target, side) => {
    const next = moved(place, one, target, side);
    isWhole(next);
    const known = new Set(panelsOf(place));
    if (one === target || !known.has(target)) return assert.deepEqual(next, place);
    assert.deepEqual(new Set(panelsOf(next)), new Set(known.has(one) ? known : [...known, one]));
    const split = present(
      splitsOf(next).find(({ parts }) => parts.some((part) => part.place === one)),
      'the split of the panel',
    );
    const at = split.parts.findIndex((part) => part.place === one);
    const isFirst = side === 'left' || side === 'above';
    const neighbour = split.parts[isFirst ? at + 1 : at - 1];
    assert.equal(neighbour?.place, target);
    assert.equal(split.axis, side === 'left' || side === 'right' ? 'row' : 'column');
  });
  fc.assert(property);
});

test('hiding and showing: the others stay, the last one stays in any case', () => {
  const property = fc.property(somePlace, panel, (place, one) => {
    const rest = without(place, one);
    if (rest === undefined) return assert.equal(place, one);
    isWhole(rest);
    assert.deepEqual(new Set(panelsOf(rest)), new Set(panelsOf(place).filter((x) => x !== one)));
    const again = shown(rest, one);
    isWhole(again);
    assert.ok(panelsOf(again).includes(one));
  });
  fc.assert(property);
  for (const one of PANELS) {
    for (const other of PANELS) {
      if (one !== other) assert.ok(panelsOf(shown(other, one)).includes(one), `${one} ${other}`);
    }
  }
});

test('two swapped panels change places, and twice is as before', () => {
  const property = fc.property(somePlace, panel, panel, (place, one, other) => {
    assert.deepEqual(swapped(swapped(place, one, other), one, other), place);
    const at = panelsOf(place).indexOf(one);
    if (at !== -1) assert.equal(panelsOf(swapped(place, one, other))[at], other);
  });
  fc.assert(property);
});

test('a divider changes what is beside it, and makes nothing too short to be used', () => {
  const far = fc.integer({ min: -3_000, max: 3_000 });
  const property = fc.property(somePlace, fc.nat({ max: 5 }), far, (place, at, by) => {
    if (typeof place === 'string' || at >= place.parts.length - 1) return;
    const next = dragged(place, [at], by);
    assert.ok(typeof next !== 'string');
    const filler = fillerOf(place);
    const lengths = ({ parts }: Split) => parts.map(({ pixels }: Part) => pixels);
    const [before, after] = [lengths(place), lengths(next)];
    for (const [index, part] of next.parts.entries()) {
      if (index === filler || (index !== at && index !== at + 1)) {
        assert.equal(after[index], before[index]);
      } else if (part.pixels < present(before[index], 'length before')) {
        assert.ok(part.pixels >= leastPixels(part.place, next.axis));
      }
    }
    if (filler !== at && filler !== at + 1) {
      const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
      assert.equal(sum(after), sum(before), 'what one gives the other takes');
    }
  });
  // A part that is too short already, because a panel was put into it, may grow by less than it
  // lacks.
  const tooShort = moved(presetPlace('bookLeft', true), 'form', 'book', 'right');
  fc.assert(property, { examples: [[tooShort, 0, 1]] });
});

test('the divider beside the chart makes the book wider by as much', () => {
  const wide = presetPlace('standard', true);
  const book = (place: Place): number | undefined =>
    splitsOf(place)
      .flatMap(({ parts }) => parts)
      .find((part) => part.place === 'book')?.pixels;
  assert.equal(book(wide), 300);
  assert.equal(book(dragged(wide, [0, 0, 0], -40)), 340);
  assert.equal(book(dragged(wide, [0, 0, 0], 1_000)), leastPixels('book', 'row'));
});

test('what was kept is read as it was; anything else is refused whole', () => {
  const property = fc.property(somePlace, (place) => {
    const read = present(readPlace(JSON.stringify(place)), 'a place');
    assert.deepEqual(panelsOf(read), panelsOf(place));
    assert.deepEqual(readPlace(JSON.stringify(read)), read);
  });
  fc.assert(property);
  const part = (place: unknown, pixels: unknown = 300) => ({ place, pixels });
  const refused: readonly unknown[] = [
    'ledger',
    7,
    null,
    [],
    { axis: 'row', parts: [] },
    { axis: 'across', parts: [part('chart'), part('book')] },
    { axis: 'row', parts: [part('chart'), part('chart')] },
    { axis: 'row', parts: [part('chart'), part('ledger')] },
    { axis: 'row', parts: [part('chart'), part('book', '300')] },
    { axis: 'row', parts: [part('chart'), part('book', Number.NaN)] },
    { axis: 'row', parts: Array.from({ length: 7 }, () => part('chart')) },
  ];
  for (const one of refused) {
    assert.equal(readPlace(JSON.stringify(one)), undefined, JSON.stringify(one));
  }
  for (const text of ['', '{', 'undefined']) assert.equal(readPlace(text), undefined);
  let deep: unknown = 'chart';
  for (let level = 0; level < 40; level += 1) deep = { axis: 'row', parts: [part(deep)] };
  assert.equal(readPlace(JSON.stringify(deep)), undefined);
  fc.assert(fc.property(fc.json(), (text) => void readPlace(text)));
});

test('lengths that no screen has are brought within bounds', () => {
  const kept = {
    axis: 'row',
    parts: [
      { place: 'chart', pixels: 1 },
      { place: 'book', pixels: 9e6 },
    ],
  };
  const place = readPlace(JSON.stringify(kept));
  assert.ok(place !== undefined && typeof place !== 'string');
  assert.deepEqual(
    place.parts.map(({ pixels }) => pixels),
    [leastPixels('chart', 'row'), 4_000],
  );
});

test('a panel beside one that is not there changes nothing', () => {
  assert.equal(beside('chart', 'book', 'form', 'left'), 'chart');
});

test('a panel that is dropped near an edge goes there, in the middle it changes places', () => {
  const box = { left: 100, top: 50, width: 400, height: 200 };
  const table = [
    [110, 150, 'left'],
    [490, 150, 'right'],
    [300, 60, 'above'],
    [300, 240, 'below'],
    [300, 150, 'swap'],
  ] as const;
  for (const [x, y, aim] of table) assert.equal(aimAt(box, x, y), aim);
});
