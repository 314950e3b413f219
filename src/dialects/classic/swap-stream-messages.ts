/** Reads messages of clients of the contract stream and writes the answers; keeps none. */

import {
  type ClientMessage,
  type JsonObject,
  jsonFault,
  type PushAction,
  parseJsonObject,
  type StreamFault,
  type StreamRefusal,
} from '#api';
import type { Contract, Listings, Refused, RejectKind } from '#domain';
import { loginOf } from '../kit/access-headers.ts';
import { scalarText } from '../kit/fields.ts';
import { rejectText } from './rejects.ts';
import { STREAM_LOGIN } from './stream-login.ts';
import { readTopic } from './swap-stream-channels.ts';
import { contractName } from './symbols.ts';

const PONG = { kind: 'ping', answer: 'pong' } as const;
/** Key, passphrase, timestamp in seconds, signature. */
const LOGIN_ARGS = 4;

const FAULT_CODES: Readonly<Record<StreamFault, number>> = {
  channel_unknown: 30001,
  message_invalid: 30002,
  operation_unknown: 30003,
  login_needed: 30004,
  subscriptions_exceeded: 30006,
  maintenance: 40200,
};

const FAULT_TEXTS: Readonly<Record<StreamFault, string>> = {
  channel_unknown: 'No such channel',
  message_invalid: 'The message is not understood',
  operation_unknown: 'No such operation',
  login_needed: 'The channel needs a login',
  subscriptions_exceeded: 'Too many subscriptions in an hour',
  maintenance: 'The venue is under maintenance',
};

const LOGIN_CODES: Partial<Record<RejectKind, number>> = {
  key_missing: 30011,
  passphrase_missing: 30012,
  timestamp_missing: 30013,
  timestamp_malformed: 30013,
  timestamp_expired: 30014,
  signature_missing: 30015,
};
const LOGIN_FAILED = 30005;

const ACTIONS: Readonly<Record<PushAction, string>> = { snapshot: 'partial', update: 'update' };

/** Reads a text message: the bare word ping, or an object with an operation and its arguments. */
export function readMessage(text: string, listings: Listings): ClientMessage {
  if (text.trim() === 'ping') return PONG;
  const message = parseJsonObject(text);
  if (message === undefined) return refusal('message_invalid', jsonFault(text));
  const op = textOf(message, 'op').toLowerCase();
  switch (op) {
    case 'ping':
      return PONG;
    case 'login':
      return readLogin(argsOf(message));
    case 'subscribe':
    case 'unsubscribe':
      return readTopics(op, argsOf(message), listings);
    default:
      return refusal('operation_unknown', 'use login, subscribe, unsubscribe or ping');
  }
}

/** Clients send the timestamp as text or as a number, whole or not: it is signed as it was sent. */
function readLogin(args: readonly string[] | undefined): ClientMessage {
  if (args?.length !== LOGIN_ARGS) {
    return refusal('message_invalid', 'login takes key, passphrase, timestamp and sign');
  }
  const [key = '', passphrase = '', timestamp = '', signature = ''] = args;
  const given = { key, passphrase, timestamp, signature };
  return { kind: 'login', login: loginOf(given, STREAM_LOGIN) };
}

function readTopics(
  kind: 'subscribe' | 'unsubscribe',
  args: readonly string[] | undefined,
  listings: Listings,
): ClientMessage {
  if (args === undefined || args.length === 0) {
    return refusal('message_invalid', 'args must be a list of channels');
  }
  return { kind, topics: args.map((spelling) => readTopic(spelling, listings)) };
}

/** The arguments as texts; undefined when there are none, or others than texts and numbers. */
function argsOf(message: JsonObject): readonly string[] | undefined {
  const { args } = message;
  if (!Array.isArray(args)) return undefined;
  const texts = args.map(scalarText);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function textOf(message: JsonObject, name: string): string {
  const value = Object.hasOwn(message, name) ? message[name] : undefined;
  return typeof value === 'string' ? value : '';
}

function refusal(fault: StreamFault, detail: string): StreamRefusal {
  return { kind: 'refusal', fault, detail };
}

/** Some clients look at nothing but the end of the text, which must be true}. */
export function writeLoggedIn(): string {
  return '{"event":"login","success":true}';
}

export function writeLoginRefused(refused: Refused): string {
  return writeError(rejectText(refused), LOGIN_CODES[refused.reject] ?? LOGIN_FAILED);
}

export function writeRefused({ fault, detail }: StreamRefusal): string {
  return writeError(`${FAULT_TEXTS[fault]}: ${detail}`, FAULT_CODES[fault]);
}

function writeError(message: string, errorCode: number): string {
  return JSON.stringify({ event: 'error', message, errorCode });
}

/** Says that a channel is followed now, or no longer; in the client's own spelling. */
export function writeAck(event: 'subscribe' | 'unsubscribe', channel: string): string {
  return JSON.stringify({ event, channel });
}

/** One push. `table` is a channel's name, which needs no escaping; `data` is a JSON list. */
export function writePush(table: string, action: PushAction, data: string, seq: number): string {
  return `{"table":"${table}","action":"${ACTIONS[action]}","data":${data},"seq":${seq}}`;
}

/**
 * A row of the REST interface as a row of the stream, with the name the stream has for the contract
 * put in front, so that both say the same in the same words. It has at least one field.
 */
export function writeStreamRow(contract: Contract, row: string): string {
  return `{"instrument_id":"${contractName(contract.symbol)}",${row.slice(1)}`;
}
