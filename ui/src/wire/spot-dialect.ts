/** The spot stream in words. */

import { compactSymbol } from '#domain';
import { type Dialect, type Incoming, TOO_MANY_SUBSCRIPTIONS, type Topic } from './dialects.ts';
import { withSymbols } from './market-names.ts';

const PRIVATE: readonly string[] = ['orders', 'account'];
const LOGIN_REFUSED = 30005;

interface Argument {
  readonly instType: string;
  readonly channel: string;
  readonly instId: string;
}

interface Message {
  readonly event?: string;
  readonly action?: string;
  readonly arg?: Argument;
  readonly data?: readonly unknown[];
  readonly seq?: number;
  readonly code?: number;
  readonly msg?: string;
}

export const SPOT_DIALECT: Dialect = {
  path: '/spot/v1/stream',
  isPrivate: ({ channel }) => PRIVATE.includes(channel),
  keyOf: (topic) => keyOf(argumentOf(topic)),
  write: (op, topics) => JSON.stringify({ op, args: topics.map(argumentOf) }),
  writeLogin: ({ key, passphrase }, timestamp, sign) =>
    JSON.stringify({ op: 'login', args: [{ apiKey: key, passphrase, timestamp, sign }] }),
  read,
};

function argumentOf({ channel, symbol }: Topic): Argument {
  const instType = PRIVATE.includes(channel) ? 'SPBL' : 'SP';
  return { instType, channel, instId: compactSymbol(symbol) };
}

function keyOf({ channel, instId }: Argument): string {
  return `${channel}:${instId}`;
}

function read(text: string): Incoming {
  if (text === 'pong') return { kind: 'pong' };
  const message = JSON.parse(withSymbols(text)) as Message;
  const { event, action, arg, data = [], seq = 0 } = message;
  if (action !== undefined && arg !== undefined) {
    const isSnapshot = action === 'snapshot';
    return { kind: 'push', key: keyOf(arg), isSnapshot, rows: data, seq };
  }
  if (event === 'login') return { kind: 'logged_in' };
  if (event === 'subscribe' && arg !== undefined) return { kind: 'confirmed', key: keyOf(arg) };
  return event === 'error' ? fault(message) : { kind: 'ended' };
}

function fault({ code = 0, msg = '' }: Message): Incoming {
  if (code === TOO_MANY_SUBSCRIPTIONS) return { kind: 'too_many_subscriptions' };
  const kind = code === LOGIN_REFUSED ? 'login_refused' : 'refused';
  return { kind, code: String(code), text: msg };
}
