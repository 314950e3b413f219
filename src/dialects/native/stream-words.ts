/**
 * The frames of the stream: what a client may say, and how it is answered. Every frame with an id
 * gets one answer with this id, its data or its error; what is pushed names its channel.
 */
import {
  type CallOutcome,
  type ClientMessage,
  type JsonObject,
  jsonFault,
  type PushAction,
  parseJsonObject,
  refuseSaying,
  type StepPlace,
  type StreamFault,
  type StreamRefusal,
  type Topic,
} from '#api';
import { isRefused, type Listings, type Refused, refuse } from '#domain';
import { scalarText, shown } from '../kit/fields.ts';
import { requestIdOf } from '../kit/request-ids.ts';
import { FRAME } from './frame.ts';
import { loginOf } from './signing.ts';
import { calledBy } from './stream-calls.ts';
import { ACCOUNT_CHANNEL, readChannel } from './stream-channels.ts';

/** Channels of one frame. */
const CHANNELS_MAX = 200;

/** A frame as far as it has been read. */
interface Given {
  readonly message: JsonObject;
  readonly id: string | undefined;
  readonly listings: Listings;
  readonly nowMs: number;
}

interface Operation {
  /** The fields it has besides id and op. */
  readonly fields: readonly string[];
  read(given: Given): ClientMessage | Refused;
}

const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['subscribe', { fields: ['channels', 'since'], read: readSubscribe }],
  ['unsubscribe', { fields: ['channels'], read: readUnsubscribe }],
  ['login', { fields: ['key', 'time', 'signature', 'passphrase'], read: readLogin }],
  ['call', { fields: ['method', 'path', 'input'], read: readCall }],
  ['ping', { fields: [], read: readPing }],
]);

/** What the core refuses, in the venue's terms. */
const REFUSALS: Readonly<Record<StreamFault, (detail: string) => Refused>> = {
  message_invalid: (detail) => refuseSaying('parameter_invalid', detail),
  operation_unknown: (detail) => refuseSaying('parameter_invalid', detail),
  channel_unknown: (detail) => refuseSaying('parameter_invalid', detail),
  login_needed: (detail) => refuseSaying('key_missing', `log in to follow ${detail}`),
  subscriptions_exceeded: (detail) => refuseSaying('rate_exceeded', `${detail} of a connection`),
  maintenance: () => refuse('maintenance'),
};

/** Reads a text frame of a client. */
export function readFrame(text: string, listings: Listings, nowMs: number): ClientMessage {
  const message = parseJsonObject(text);
  if (message === undefined) return refusal(refuseSaying('body_not_json', jsonFault(text)));
  const id = requestIdOf(message, text);
  const read = readOperation({ message, id, listings, nowMs });
  return isRefused(read) ? refusal(read, id) : read;
}

function readOperation(given: Given): ClientMessage | Refused {
  const { message, id } = given;
  if (message.id !== undefined && id === undefined) {
    return refuseSaying('parameter_invalid', 'id is a number or a text of up to 64 characters');
  }
  const operation = OPERATIONS.get(typeof message.op === 'string' ? message.op : '');
  if (operation === undefined) {
    const known = [...OPERATIONS.keys()].join(', ');
    return refuseSaying('parameter_invalid', `op ${shownValue(message.op)}, takes ${known}`);
  }
  const fields = ['id', 'op', ...operation.fields];
  const stranger = Object.keys(message).find((name) => !fields.includes(name));
  if (stranger === undefined) return operation.read(given);
  const known = fields.join(', ');
  return refuseSaying('parameter_invalid', `${shown(stranger)} is not known, takes ${known}`);
}

function readSubscribe({ message, id, listings }: Given): ClientMessage | Refused {
  const topics = readTopics(message.channels, listings);
  if (isRefused(topics)) return topics;
  const { since } = message;
  if (since !== undefined && !isSeq(since)) {
    return refuseSaying('parameter_invalid', `since ${shownValue(since)}, takes a seq`);
  }
  if (since !== undefined && topics.every(({ isPrivate }) => !isPrivate)) {
    return refuseSaying('parameters_conflict', `since goes with ${ACCOUNT_CHANNEL}`);
  }
  const channels = namesOf(topics);
  const answer = (resumed: boolean) =>
    since === undefined
      ? writeAnswer(id, `{"channels":${channels}}`)
      : writeAnswer(id, `{"channels":${channels},"resumed":${resumed}}`);
  return { kind: 'request', wants: 'subscribe', topics, requestId: id, since, answer };
}

function readUnsubscribe({ message, id, listings }: Given): ClientMessage | Refused {
  const topics = readTopics(message.channels, listings);
  if (isRefused(topics)) return topics;
  const answer = () => writeAnswer(id, `{"channels":${namesOf(topics)}}`);
  return { kind: 'request', wants: 'unsubscribe', topics, requestId: id, answer };
}

function readTopics(channels: unknown, listings: Listings): readonly Topic[] | Refused {
  if (!Array.isArray(channels) || channels.length === 0) {
    return refuseSaying('parameter_invalid', 'channels is a list of names');
  }
  if (channels.length > CHANNELS_MAX) {
    return refuseSaying('batch_too_large', `up to ${CHANNELS_MAX} channels`);
  }
  const topics: Topic[] = [];
  for (const channel of channels) {
    const topic = readChannel(scalarText(channel) ?? '', listings);
    if (isRefused(topic)) return topic;
    topics.push(topic);
  }
  return topics;
}

function namesOf(topics: readonly Topic[]): string {
  return JSON.stringify(topics.map(({ spelling }) => spelling));
}

function readLogin({ message, id }: Given): ClientMessage {
  const text = (name: string) => scalarText(message[name]) ?? '';
  const shownKey = {
    key: text('key'),
    time: text('time'),
    signature: text('signature'),
    passphrase: text('passphrase'),
  };
  return { kind: 'login', login: loginOf(shownKey), requestId: id };
}

function readCall({ message, id }: Given): ClientMessage | Refused {
  const { method, path, input = {} } = message;
  if (typeof method !== 'string' || typeof path !== 'string') {
    const parameter = typeof method === 'string' ? 'path' : 'method';
    return refuse('parameter_missing', { is: 'missing', parameter });
  }
  if (!isObject(input)) return refuseSaying('parameter_invalid', 'input is an object of fields');
  const called = calledBy(method, path);
  if (isRefused(called)) return called;
  return { kind: 'call', ...called, input, key: '', write: (outcome) => writeOutcome(id, outcome) };
}

function readPing({ id, nowMs }: Given): ClientMessage {
  return { kind: 'ping', answer: writeAnswer(id, `{"time":${nowMs}}`) };
}

function writeOutcome(id: string | undefined, { answer, nowMs, head }: CallOutcome): string {
  if (!isRefused(answer)) return writeAnswer(id, answer);
  const again = head.get('retry-after');
  const wait = again === undefined ? '' : `"retryAfter":${again},`;
  return `{${fieldOf(id)}${wait}${errorOf(answer, nowMs)}`;
}

/** The answer to a frame that was done. */
export function writeAnswer(id: string | undefined, data: string): string {
  return `{${fieldOf(id)}"data":${data}}`;
}

/** The answer to a frame that was refused. */
export function writeError(id: string | undefined, refused: Refused, nowMs: number): string {
  return `{${fieldOf(id)}${errorOf(refused, nowMs)}`;
}

export function writeRefusal({ fault, detail, requestId, refused }: StreamRefusal, nowMs: number) {
  return writeError(requestId, refused ?? REFUSALS[fault](detail), nowMs);
}

/** A message of a channel. */
export function writePush(
  { spelling }: Topic,
  type: PushAction,
  data: string,
  { seq, place, timeMs }: { seq: number; place: StepPlace | undefined; timeMs: number },
): string {
  const previous = place === undefined ? '' : `"previous":${place.previous},`;
  const head = `{"channel":"${spelling}","type":"${type}","seq":${seq},${previous}`;
  return `${head}"time":${timeMs},"data":${data}}`;
}

/** As REST answers it, without its first brace. */
function errorOf(refused: Refused, nowMs: number): string {
  return FRAME.refusal(refused, nowMs).body.slice(1);
}

function fieldOf(id: string | undefined): string {
  return id === undefined ? '' : `"id":${id},`;
}

function refusal(refused: Refused, requestId?: string): StreamRefusal {
  return { kind: 'refusal', fault: 'message_invalid', detail: '', requestId, refused };
}

function isSeq(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shownValue(value: unknown): string {
  return shown(scalarText(value) ?? '');
}
