/** The contract stream in words. */

import { type Dialect, type Incoming, TOO_MANY_SUBSCRIPTIONS, type Topic } from './dialects.ts';
import { tradedName, withSymbols } from './market-names.ts';

const PRIVATE: readonly string[] = ['order', 'currentPlan', 'historyPlan', 'account', 'position'];
const AREA = 'swap/';
const LOGIN_REFUSED: readonly number[] = [30005, 30011, 30012, 30013, 30014, 30015];

interface Message {
  readonly event?: string;
  readonly channel?: string;
  readonly table?: string;
  readonly action?: string;
  readonly data?: readonly { readonly instrument_id?: string }[];
  readonly seq?: number;
  readonly errorCode?: number;
  readonly message?: string;
}

export const SWAP_DIALECT: Dialect = {
  path: '/ws/v1',
  isPrivate: ({ channel }) => PRIVATE.includes(channel),
  keyOf: ({ channel, symbol }) => `${channel}:${symbol}`,
  write: (op, topics) => JSON.stringify({ op, args: topics.map(spelling) }),
  writeLogin: ({ key, passphrase }, timestamp, sign) =>
    JSON.stringify({ op: 'login', args: [key, passphrase, timestamp, sign] }),
  read,
};

function spelling({ channel, symbol }: Topic): string {
  return `${AREA}${channel}:${tradedName(symbol)}`;
}

function read(text: string): Incoming {
  if (text === 'pong') return { kind: 'pong' };
  const message = JSON.parse(withSymbols(text)) as Message;
  const { event, channel, table, action, data = [], seq = 0 } = message;
  if (table !== undefined) {
    const symbol = data[0]?.instrument_id;
    const name = table.slice(AREA.length);
    const key = symbol === undefined ? name : `${name}:${symbol}`;
    return { kind: 'push', key, isSnapshot: action === 'partial', rows: data, seq };
  }
  if (event === 'login') return { kind: 'logged_in' };
  if (event === 'subscribe' && channel !== undefined) {
    return { kind: 'confirmed', key: channel.slice(AREA.length) };
  }
  return event === 'error' ? fault(message) : { kind: 'ended' };
}

function fault({ errorCode = 0, message = '' }: Message): Incoming {
  if (errorCode === TOO_MANY_SUBSCRIPTIONS) return { kind: 'too_many_subscriptions' };
  const kind = LOGIN_REFUSED.includes(errorCode) ? 'login_refused' : 'refused';
  return { kind, code: String(errorCode), text: message };
}
