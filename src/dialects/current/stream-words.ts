/**
 * The words of the streams: requests with an id that are done as a whole, pings both ways, and the
 * texts of refusals. Which channels there are is said elsewhere.
 */
import {
  type ClientMessage,
  type JsonObject,
  parseJsonObject,
  type StreamFault,
  type StreamRefusal,
  type Topic,
} from '#api';
import { requestIdOf } from '../kit/request-ids.ts';

/** A topic of these words, or what is wrong with them. */
export type ReadTopic = (words: string) => Topic | string;

/** Characters of a client's text that a refusal repeats. */
const REPEATED_MAX = 64;

const PONG: ClientMessage = { kind: 'pong' };

const WANTED: ReadonlyMap<string, 'subscribe' | 'unsubscribe'> = new Map([
  ['SUBSCRIBE', 'subscribe'],
  ['UNSUBSCRIBE', 'unsubscribe'],
]);

/** Reads a text message of a client. */
export function readMessage(text: string, readTopic: ReadTopic): ClientMessage {
  const message = parseJsonObject(text);
  if (message === undefined) return unrecognized(text, undefined);
  const id = requestIdOf(message, text);
  const { method } = message;
  if (typeof method !== 'string') return isPong(message) ? PONG : unrecognized(text, id);
  if (method === 'PONG') return PONG;
  if (method === 'PING') return { kind: 'ping', answer: answerTo(id) };
  const wants = WANTED.get(method);
  if (wants === undefined) return refusal('operation_unknown', invalidEvent(method), id);
  const topics = readTopics(message.params, readTopic);
  if (topics === undefined) return unrecognized(text, id);
  if (typeof topics === 'string') return refusal('channel_unknown', topics, id);
  return { kind: 'request', wants, topics, requestId: id, answer: () => answerTo(id) };
}

/** Binary messages are none that this interface has. */
export function readBinary(text: string): ClientMessage {
  return unrecognized(text, undefined);
}

/** The topics of a request or what is wrong with the first that is none; undefined for no list. */
function readTopics(params: unknown, readTopic: ReadTopic): readonly Topic[] | string | undefined {
  if (!Array.isArray(params) || params.length === 0) return undefined;
  const topics: Topic[] = [];
  for (const words of params) {
    if (typeof words !== 'string') return undefined;
    const topic = readTopic(words);
    if (typeof topic === 'string') return topic;
    topics.push(topic);
  }
  return topics;
}

/** Some clients answer pings in the words of the ping. */
function isPong({ event, type }: JsonObject): boolean {
  return event === 'pong' || type === 'pong';
}

function answerTo(id: string | undefined): string {
  return id === undefined ? '{"result":true}' : `{"result":true,"id":${id}}`;
}

/** What a refusal says of a channel or a method that does not exist. */
export function invalidEvent(word: string): string {
  return `invalid event : ${repeated(word)}`;
}

/** A client's words as a refusal repeats them. */
export function repeated(words: string): string {
  return words.length > REPEATED_MAX ? `${words.slice(0, REPEATED_MAX)}...` : words;
}

function unrecognized(text: string, requestId: string | undefined): StreamRefusal {
  return refusal('message_invalid', `unrecognized message : ${repeated(text)}`, requestId);
}

function refusal(fault: StreamFault, detail: string, requestId: string | undefined): StreamRefusal {
  return { kind: 'refusal', fault, detail, requestId };
}

/** Clients take INVALID_ARGUMENT for a fault of their own. */
export function writeRefused({ fault, detail, requestId }: StreamRefusal): string {
  const id = requestId === undefined ? '' : `"id":${requestId},`;
  return `{"result":false,${id}"msg":${JSON.stringify(refusalText(fault, detail))}}`;
}

function refusalText(fault: StreamFault, detail: string): string {
  if (fault === 'maintenance') return `UNAVAILABLE: maintenance, ${detail}`;
  const isTooMany = fault === 'subscriptions_exceeded';
  return `INVALID_ARGUMENT: ${isTooMany ? 'too many ' : ''}${detail}`;
}

/** What a client is greeted and pinged with names the message by this word. */
export type EventWord = 'event' | 'type';

export function writeGreeting(word: EventWord, connectionId: string, nowMs: number): string {
  return `{"cid":"${connectionId}","${word}":"connected","time":"${nowMs}"}`;
}

export function writePing(word: EventWord, nowMs: number): string {
  return `{"${word}":"ping","time":"${nowMs}"}`;
}
