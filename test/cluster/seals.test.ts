/** Who is in the minority when seals differ, and how far the log may be trimmed. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { minoritySeal, signed, trimmedBefore } from '#cluster/testing';
import type { MemberReport } from '#log';
import { reportOf } from '../support/shared-hands.ts';

/** As in report('one', '10 a, 20 b'): its states after the commands 10 and 20. */
function report(member: string, states: string, release = '1.0.0'): MemberReport {
  const seals = states.split(', ').flatMap((state) => {
    const [seq, hash] = state.split(' ');
    return hash === undefined ? [] : [{ seq: Number(seq), stateHash: signed(release, hash) }];
  });
  return reportOf(member, seals.at(-1)?.seq ?? 0, seals);
}

interface Case {
  readonly name: string;
  readonly own: MemberReport;
  readonly others: readonly MemberReport[];
  readonly present?: readonly string[];
  readonly leader?: string;
  /** The state in which the first is in the minority. */
  readonly seq?: number;
}

const CASES: readonly Case[] = [
  {
    name: 'all are equal',
    own: report('one', '10 a, 20 b'),
    others: [report('two', '10 a, 20 b'), report('three', '10 a')],
  },
  {
    name: 'one against two',
    own: report('one', '10 x'),
    others: [report('two', '10 a'), report('three', '10 a')],
    leader: 'one',
    seq: 10,
  },
  {
    name: 'two against one',
    own: report('one', '10 a'),
    others: [report('two', '10 x'), report('three', '10 a')],
    leader: 'two',
  },
  {
    name: 'of two the one that does not lead',
    own: report('one', '10 x'),
    others: [report('two', '10 a')],
    leader: 'two',
    seq: 10,
  },
  {
    name: 'of two the one that leads goes on',
    own: report('one', '10 x'),
    others: [report('two', '10 a')],
    leader: 'one',
  },
  {
    name: 'the third decides: it is waited for',
    own: report('one', '10 x'),
    others: [report('two', '10 a'), report('three', '')],
    present: ['one', 'two', 'three'],
    leader: 'two',
  },
  {
    name: 'a third that is gone is not waited for',
    own: report('one', '10 x'),
    others: [report('two', '10 a'), report('three', '')],
    present: ['one', 'two'],
    leader: 'two',
    seq: 10,
  },
  {
    name: 'a third that has never reported is waited for',
    own: report('one', '10 x'),
    others: [report('two', '10 a')],
    present: ['one', 'two', 'three'],
    leader: 'two',
  },
  {
    name: 'a third that joined with a later snapshot is not',
    own: report('one', '10 x'),
    others: [report('two', '10 a'), report('three', '20 b')],
    present: ['one', 'two', 'three'],
    leader: 'two',
    seq: 10,
  },
  {
    name: 'states of two releases are not compared',
    own: report('one', '10 x', '1.1.0'),
    others: [report('two', '10 a'), report('three', '10 a')],
    leader: 'two',
  },
  {
    name: 'states of different commands are not compared',
    own: report('one', '11 x'),
    others: [report('two', '10 a'), report('three', '10 a')],
    leader: 'two',
  },
  {
    name: 'an earlier state that differs counts, too',
    own: report('one', '10 x, 30 c'),
    others: [report('two', '10 a, 20 b'), report('three', '10 a, 20 b')],
    present: ['one', 'two', 'three'],
    leader: 'two',
    seq: 10,
  },
  {
    name: 'three different states: those that do not lead',
    own: report('one', '10 x'),
    others: [report('two', '10 a'), report('three', '10 b')],
    leader: 'three',
    seq: 10,
  },
];

describe('a process is in the minority', () => {
  for (const { name, own, others, present = [], leader = '', seq } of CASES) {
    test(name, () => {
      const found = minoritySeal(own, [own, ...others], { present, leader });
      assert.equal(found?.seq, seq);
    });
  }
});

describe('the log is trimmed', () => {
  const leader = report('one', '100 a, 200 b');
  const held = (others: readonly MemberReport[], keep: number) =>
    trimmedBefore(leader, [leader, ...others], keep);

  test('below what two members hold, less what is kept', () => {
    assert.equal(held([report('two', '100 a')], 0), 101);
    assert.equal(held([report('two', '100 a'), report('three', '200 b')], 0), 201);
    assert.equal(held([report('two', '100 a')], 60), 41);
  });

  test('not while only one member holds anything', () => {
    assert.equal(held([], 0), undefined);
    assert.equal(held([report('two', '')], 0), undefined);
  });

  test('not where all is to be kept', () => {
    assert.equal(held([report('two', '100 a')], 100), undefined);
  });

  test('without the word of a member whose state differs', () => {
    assert.equal(held([report('two', '100 a, 200 x')], 0), undefined);
    assert.equal(held([report('two', '200 x'), report('three', '100 a')], 0), 101);
  });
});
