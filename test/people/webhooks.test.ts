/** A payment system outside is told of requests: what it gets, who sends it, and when. */
import { strict as assert } from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { after, test } from 'node:test';
import { PeopleVenue, type Row } from '../support/people-venue.ts';
import { eventually, reads } from '../support/until.ts';
import { startSmtp } from './smtp-server.ts';

const SECRET = 'a secret of thirty-two characters';

interface Told {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Another system: it keeps what it gets, and answers what it is told to. */
class Receiver {
  readonly told: Told[] = [];
  readonly asked: string[] = [];
  answer: { readonly status: number; readonly location?: string } = { status: 204 };
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.asked.push(`${request.method} ${request.url}`);
      let body = '';
      request.on('data', (part: Buffer) => {
        body += part.toString();
      });
      request.on('end', () => {
        this.told.push({ headers: request.headers, body });
        const { status, location } = this.answer;
        response.writeHead(status, location === undefined ? {} : { location });
        response.end('what it says is not read');
      });
    });
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve));
    after(() => {
      receiver.#server.closeAllConnections();
      receiver.#server.close();
    });
    return receiver;
  }

  get url(): string {
    const address = this.#server.address();
    assert.ok(typeof address === 'object' && address !== null);
    return `http://127.0.0.1:${address.port}/hooks`;
  }

  /** What arrived of a request, in the order of its arrival. */
  kindsOf({ paymentId }: Row): string[] {
    return this.told
      .map(({ body }) => JSON.parse(body))
      .filter(({ request }) => request.paymentId === paymentId)
      .map(({ kind }) => String(kind));
  }
}

const receiver = await Receiver.open();
const sections = `
payments:
  coins: [{ coin: USDT, fee: "1" }]
  webhooks: { url: "${receiver.url}" }
`;
const env = { OUTCRY_WEBHOOK_SECRET: SECRET };
const smtp = await startSmtp({ after });
const people = [
  ...['signUp: invitation', 'url: https://venue.example'],
  `smtp: { host: 127.0.0.1, port: ${smtp.port}, secure: false, from: "Pit <pit@example.com>" }`,
];
const venue = await PeopleVenue.open({ after }, { people, sections, env });
const byMail = (email: string) => smtp.token('confirm', email);
let ada = await venue.person('ada@example.com', undefined, byMail);
await venue.operator.call('POST', `/accounts/${ada.accountId}/deposits`, {
  ...{ coin: 'USDT', amount: '1000' },
});

async function ask(amount: string): Promise<Row> {
  const asked = { coin: 'USDT', amount, address: 'somewhere' };
  const path = `/people/v1/accounts/${ada.accountId}/withdrawals`;
  return (await ada.done('POST', path, asked)).data;
}

async function decide({ paymentId }: Row, what: string, body: Row = {}): Promise<void> {
  const { code, msg } = await venue.operator.call('POST', `/payments/${paymentId}/${what}`, body);
  assert.equal(code, '00000', msg);
}

async function eventsOf({ paymentId }: Row): Promise<readonly Row[]> {
  const { rows } = await venue.operator.call('GET', '/payment-events');
  return rows.filter((row) => row.paymentId === paymentId);
}

test('each step is told, signed over time and body, and numbered', async () => {
  const asked = await ask('10');
  await decide(asked, 'approve');
  await decide(asked, 'sent', { reference: 'tx-1' });
  await decide(asked, 'done');
  const kinds = ['requested', 'approved', 'sent', 'done'].map((state) => `withdrawal.${state}`);
  await reads(() => receiver.kindsOf(asked), kinds);
  const ids: number[] = [];
  for (const { headers, body } of receiver.told) {
    const time = String(headers['x-outcry-timestamp']);
    const made = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
    assert.equal(headers['x-outcry-signature'], `sha256=${made}`);
    const { eventId, request } = JSON.parse(body);
    assert.equal(headers['x-outcry-event'], eventId);
    assert.equal(request.amount, '10');
    assert.equal(request.fee, '1');
    ids.push(Number(eventId));
  }
  assert.deepEqual(
    ids,
    [...ids].sort((one, other) => one - other),
  );
  await eventually(
    () => eventsOf(asked),
    (rows) => assert.ok(rows.every(({ state }) => state === 'delivered')),
  );
});

test('what is not taken is sent again, later each time, and over a restart', async () => {
  receiver.answer = { status: 500 };
  const asked = await ask('11');
  const fault = await eventually(
    () => eventsOf(asked),
    ([row]) => assert.equal(row?.tries, 1),
  );
  assert.equal(fault[0]?.fault, 'answered 500');
  assert.equal(Number(fault[0]?.nextTime) - venue.clock.nowMs(), 5_000);
  await venue.restart();
  ada = venue.browser();
  await ada.signIn('ada@example.com');
  receiver.answer = { status: 204 };
  await venue.advance(5_000);
  await reads(() => receiver.kindsOf(asked), ['withdrawal.requested', 'withdrawal.requested']);
});

test('a redirect is a failure, and is not followed', async () => {
  receiver.answer = { status: 307, location: `${receiver.url}/elsewhere` };
  const asked = await ask('12');
  const rows = await eventually(
    () => eventsOf(asked),
    ([row]) => assert.equal(row?.tries, 1),
  );
  assert.equal(rows[0]?.fault, 'answered 307');
  assert.ok(receiver.asked.every((one) => one === 'POST /hooks'));
  receiver.answer = { status: 204 };
  await venue.operator.call('POST', `/payment-events/${rows[0]?.eventId}/resend`, {});
  await reads(async () => (await eventsOf(asked))[0]?.state, 'delivered');
});

test('a person is written to: asked for, completed, declined', async () => {
  const subjects = () =>
    smtp.mails.map(({ subject }) => subject).filter((subject) => /\b1[34] USDT/.test(subject));
  await decide(await ask('13'), 'refuse', { reason: 'an address that we do not know' });
  const asked = await ask('14');
  await decide(asked, 'approve');
  await decide(asked, 'done', { reference: 'tx-14' });
  await reads(subjects, [
    'Withdrawal of 13 USDT requested at Outcry',
    'Withdrawal of 13 USDT declined at Outcry',
    'Withdrawal of 14 USDT requested at Outcry',
    'Withdrawal of 14 USDT completed at Outcry',
  ]);
  const declined = smtp.mails.find(({ subject }) => subject.includes('declined'));
  assert.match(declined?.text ?? '', /Reason: an address that we do not know/);
  assert.match(declined?.text ?? '', /available again/);
});

test('the secret is in no answer and no line of the log', async () => {
  const { data } = await venue.operator.call('GET', '/payment-events');
  assert.doesNotMatch(JSON.stringify([data, venue.server.lines]), new RegExp(SECRET));
});
