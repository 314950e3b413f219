/** What the soak makes of a private stream that breaks: what REST says counts, and no more. */
import { strict as assert } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Stories } from '../../tools/soak/stories.ts';

const ID = '1000000000000001';

function stories(): Stories {
  return new Stories('new', ['full_fill', 'cancelled']);
}

function tell(to: Stories, status: string, filled: string): void {
  to.tell({ orderId: ID, status, filled, added: undefined });
}

function figures({ brokenCount, unfinishedCount, mendedRowsCount, ordersCount }: Stories) {
  return { broken: brokenCount, open: unfinishedCount, mended: mendedRowsCount, ordersCount };
}

describe('an order whose stream broke', () => {
  test('ends as REST says, and rows of what is known already follow', () => {
    const heard = stories();
    heard.answered(ID, heard.breaksCount);
    tell(heard, 'new', '0');
    heard.interrupt();
    assert.deepEqual(heard.inDoubt(), [], 'nothing is asked for while the stream is away');
    heard.resume();
    tell(heard, 'partial_fill', '0.2');
    assert.deepEqual(heard.inDoubt(), [ID]);
    const now = { status: 'partial_fill', filled: '0.2', fillsCount: 2 };
    heard.mend(ID, now, heard.breaksCount);
    assert.deepEqual(figures(heard), { broken: 0, open: 1, mended: 1, ordersCount: 1 });
    tell(heard, 'full_fill', '0.3');
    assert.deepEqual(figures(heard), { broken: 0, open: 0, mended: 1, ordersCount: 1 });
    const [, story] = heard.endedAt(0) ?? [];
    assert.deepEqual([story?.rowsCount, story?.fillsCount], [4, 3]);
  });

  test('stays open when REST was asked before the stream broke again', () => {
    const heard = stories();
    heard.answered(ID, heard.breaksCount);
    heard.interrupt();
    heard.resume();
    const asked = heard.breaksCount;
    heard.interrupt();
    heard.mend(ID, { status: 'cancelled', filled: '0', fillsCount: 0 }, asked);
    assert.equal(heard.unfinishedCount, 1);
  });

  test('is in doubt when its placing was answered by another connection', () => {
    const heard = stories();
    const sent = heard.breaksCount;
    heard.interrupt();
    heard.resume();
    tell(heard, 'cancelled', '0');
    heard.answered(ID, sent);
    assert.deepEqual(heard.inDoubt(), [ID]);
    heard.mend(ID, { status: 'cancelled', filled: '0', fillsCount: 0 }, heard.breaksCount);
    assert.deepEqual(figures(heard), { broken: 0, open: 0, mended: 1, ordersCount: 1 });
    tell(heard, 'cancelled', '0');
    assert.deepEqual(figures(heard).open, 0, 'a late row begins no order');
  });
});

describe('a row that is lost while the stream is there', () => {
  test('is found where an order begins, also after a break', () => {
    const heard = stories();
    heard.interrupt();
    heard.resume();
    const sent = heard.breaksCount;
    tell(heard, 'full_fill', '0.1');
    heard.answered(ID, sent);
    assert.deepEqual(heard.inDoubt(), []);
    assert.equal(heard.brokenCount, 1);
  });

  test('is found where an order ends', () => {
    const heard = stories();
    heard.answered(ID, heard.breaksCount);
    tell(heard, 'new', '0');
    assert.deepEqual(figures(heard), { broken: 0, open: 1, mended: 0, ordersCount: 1 });
  });
});
