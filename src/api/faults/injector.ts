/**
 * The fault rules of a sandbox: says of each call, message and connection what goes wrong with it.
 * It knows neither sockets nor replies; those who own them act it out. Rules are asked in the
 * order of their ids, and one that has hit keeps those behind it from being asked.
 */
import type { Event, FaultEffect, FaultKind, FaultRule } from '#domain';
import { unreachable } from '#kernel';
import { ArmedRule } from './armed-rule.ts';

type EffectOf<Kind extends FaultKind> = Extract<FaultEffect, { readonly kind: Kind }>;

/** What can become of a call, apart from being answered late. */
export type CallEffect = EffectOf<
  'rate_limited' | 'server_error' | 'no_answer' | 'disconnect' | 'maintenance'
>;

/** What can become of a message of a channel. */
export type MessageEffect = EffectOf<
  'drop_message' | 'duplicate_message' | 'delay_message' | 'disconnect_stream'
>;

export interface CallFault {
  /** How long the answer is held back; zero for not at all. */
  readonly latencyMs: number;
  /** Undefined for a call that is only late. */
  readonly effect: CallEffect | undefined;
}

/** Whether maintenance that has just begun ends a connection that follows these channels. */
export type EndsConnection = (stream: string, key: string, channels: Iterable<string>) => boolean;

export class FaultInjector {
  #latencies: ArmedRule<EffectOf<'latency'>>[] = [];
  #calls: ArmedRule<CallEffect>[] = [];
  #messages: ArmedRule<MessageEffect>[] = [];
  /** Also among those of calls: both count together. */
  #maintenance: ArmedRule<EffectOf<'maintenance'>>[] = [];
  readonly #onMaintenance: ((ends: EndsConnection) => void)[] = [];

  /** Takes the rules that the venue keeps when the process starts. */
  restore(rules: Iterable<FaultRule>): void {
    for (const rule of [...rules].sort((one, other) => one.faultId - other.faultId)) {
      this.#arm(rule);
    }
  }

  /** Takes in a released event; most have nothing to do with faults. */
  apply(event: Event): void {
    if (event.kind === 'fault_added') this.#arm(event.rule);
    else if (event.kind === 'faults_removed') this.#disarm(event.faultIds);
  }

  /** Calls back when maintenance begins, with a test for the connections it ends. */
  onMaintenance(listener: (ends: EndsConnection) => void): void {
    this.#onMaintenance.push(listener);
  }

  /** What goes wrong with a call; undefined for nothing. Latencies add up. */
  call(method: string, path: string, key: string): CallFault | undefined {
    let latencyMs = 0;
    for (const rule of this.#latencies) {
      if (!rule.fitsCall(method, path, key) || !rule.strikes()) continue;
      latencyMs += rule.effect.ms + rule.drawUpTo(rule.effect.jitterMs);
    }
    const rule = this.#calls.find((one) => one.fitsCall(method, path, key) && one.strikes());
    if (rule === undefined && latencyMs === 0) return undefined;
    return { latencyMs, effect: rule?.effect };
  }

  /** What goes wrong with a message of a channel; undefined for nothing. */
  message(stream: string, key: string, channel: string): MessageEffect | undefined {
    if (this.#messages.length === 0) return undefined;
    const rules = this.#messages;
    return rules.find((rule) => rule.fitsStream(stream, key, channel) && rule.strikes())?.effect;
  }

  /** Whether maintenance refuses a connection or a login or, with a channel, a subscription. */
  isDown(stream: string, key: string, channel?: string): boolean {
    const rules = this.#maintenance;
    return rules.some((rule) => rule.fitsStream(stream, key, channel) && rule.strikes());
  }

  #arm(rule: FaultRule): void {
    const { effect } = rule;
    switch (effect.kind) {
      case 'latency':
        this.#latencies.push(new ArmedRule(rule, effect));
        break;
      case 'rate_limited':
      case 'server_error':
      case 'no_answer':
      case 'disconnect':
        this.#calls.push(new ArmedRule(rule, effect));
        break;
      case 'maintenance':
        this.#beginMaintenance(new ArmedRule(rule, effect));
        break;
      case 'drop_message':
      case 'duplicate_message':
      case 'delay_message':
      case 'disconnect_stream':
        this.#messages.push(new ArmedRule(rule, effect));
        break;
      default:
        unreachable(effect);
    }
  }

  #beginMaintenance(rule: ArmedRule<EffectOf<'maintenance'>>): void {
    this.#calls.push(rule);
    this.#maintenance.push(rule);
    const ends: EndsConnection = (stream, key, channels) => {
      const fits = [undefined, ...channels].some((name) => rule.fitsStream(stream, key, name));
      return fits && rule.strikes();
    };
    for (const listener of this.#onMaintenance) listener(ends);
  }

  #disarm(faultIds: readonly number[]): void {
    const stays = ({ faultId }: { readonly faultId: number }): boolean => {
      return !faultIds.includes(faultId);
    };
    this.#latencies = this.#latencies.filter(stays);
    this.#calls = this.#calls.filter(stays);
    this.#messages = this.#messages.filter(stays);
    this.#maintenance = this.#maintenance.filter(stays);
  }
}
