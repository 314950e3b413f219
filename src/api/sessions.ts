/**
 * What the server asks of whoever knows the sessions of people: whether a call or a handshake comes
 * with one, and what it may do. How people sign in, and what a session is, is theirs.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Permission, Refused } from '#domain';
import type { Principal } from './keys/port.ts';
import type { AnswerHead, ApiRequest } from './request.ts';

/** A call as far as a session is concerned. */
export type SessionRequest = Pick<ApiRequest, 'method' | 'headers' | 'address'>;

/** Who may do this, or why not; at once if it can be known. */
export type MayCall = Principal | Refused | Promise<Principal | Refused>;

/** Somebody who follows by keys of persons: asked who made them, and told to look at them again. */
export interface KeyFollower {
  makers(): readonly string[];
  recheck(): void;
}

export interface Sessions {
  /** Whether the caller shows a session, whatever it is worth. */
  isShown(headers: IncomingHttpHeaders): boolean;
  /** Whom a session calls for in this account, where it may do this there. */
  trader(request: SessionRequest, permission: Permission, nowMs: number): MayCall;
  /** As trader, for a socket, whose handshake can set no header and names the account otherwise. */
  connected(
    request: SessionRequest,
    account: string,
    permission: Permission,
    nowMs: number,
  ): MayCall;
  /** Calls back when a session ends or loses an account, with which principals that ends. */
  onEnded(listener: (isEnded: (key: string) => boolean) => void): void;
  /** Calls back when what a person who has made keys may do has changed. */
  onMakerChanged(listener: (personId: string) => void): void;
  follow(follower: KeyFollower): void;
}

/** Why a caller may not read what the process counts; undefined when it may. */
export type Monitors = (
  request: ApiRequest,
  head: AnswerHead,
  nowMs: number,
) => Refused | undefined | Promise<Refused | undefined>;
