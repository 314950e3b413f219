/** The bounds of stream connections in one place; a dialect names those of its own it has. */

/** What one connection may do: a dialect may have other numbers. */
export interface ConnectionLimits {
  /** Messages in one second; one more closes the connection. */
  readonly messagesPerSecondMax: number;
  /** Topics subscribed to in one hour, repeated ones included; or requests of one answer each. */
  readonly subscriptionsPerHourMax: number;
  /** Topics followed at a time. */
  readonly topicsMax: number;
  /** Messages refused; the last one closes the connection. */
  readonly refusalsMax: number;
  /** A connection that follows nothing this long is closed. */
  readonly withoutTopicMaxMs: number;
  /** A connection that sent nothing this long, not even a ping, is closed. */
  readonly silenceMaxMs: number;
  /** How often a client is sent a ping, where the dialect has one. */
  readonly pingIntervalMs: number;
  /** Least time between two updates of one public topic; trades do not wait. */
  readonly updateIntervalMs: number;
  /** Connections that one address may begin in `connectsWindowMs`. */
  readonly connectsMax: number;
  readonly connectsWindowMs: number;
  /** Connections of one address at a time, with a login or without. */
  readonly connectionsPerAddressMax: number;
}

export interface StreamLimits extends ConnectionLimits {
  /** Sockets over all dialects; one more is refused with 503. */
  readonly connectionsMax: number;
  /** So many of them are kept for connections that have logged in. */
  readonly connectionsForKeys: number;
  /** How long a connection may go without a login when only places for keys are left. */
  readonly loginMaxMs: number;
  /** Connections of one key, of one account, and without a login of one address. */
  readonly connectionsPerCallerMax: number;
  /** Messages in one second over all connections of a key, an account or an address. */
  readonly messagesPerCallerMax: number;
  /** Topics subscribed to in one hour over all connections of one of these. */
  readonly subscriptionsPerCallerMax: number;
  /** Bytes of one message from a client; a longer one closes the connection. */
  readonly messageBytesMax: number;
  /** Unsent bytes above which a reader gets no updates but, later, the newest state at once. */
  readonly behindBytes: number;
  /** A reader that stays behind this long is closed. */
  readonly behindMaxMs: number;
  /** Unsent bytes above which a connection is closed at once: only private messages get there. */
  readonly unsentBytesMax: number;
  /** Unsent bytes over all connections above which those that are behind do not get their time. */
  readonly unsentBytesTotalMax: number;
  /** How long a closing connection may take to say goodbye. */
  readonly goodbyeMaxMs: number;
  /** How long what happens in an account is kept for a client that has left and may come back. */
  readonly keptMs: number;
  /** Accounts for which it is, besides those that are followed. */
  readonly keptAccountsMax: number;
  /** Messages of one account that a client which comes back can be sent, and their size. */
  readonly keptMessagesMax: number;
  readonly keptBytesMax: number;
  /** Size of all kept messages. */
  readonly keptBytesTotalMax: number;
  /** How often connections are looked through for those that have to go. */
  readonly sweepIntervalMs: number;
  /** In a cluster: how often whoever counts them for all processes is given all counts anew. */
  readonly recountIntervalMs: number;
}

export const STREAM_LIMITS: StreamLimits = {
  connectionsMax: 5_000,
  connectionsForKeys: 1_000,
  loginMaxMs: 5_000,
  connectionsPerCallerMax: 100,
  messagesPerCallerMax: 100,
  subscriptionsPerCallerMax: 2_400,
  messageBytesMax: 16_384,
  messagesPerSecondMax: 10,
  subscriptionsPerHourMax: 240,
  topicsMax: Number.POSITIVE_INFINITY,
  refusalsMax: Number.POSITIVE_INFINITY,
  withoutTopicMaxMs: 30_000,
  silenceMaxMs: 120_000,
  pingIntervalMs: 60_000,
  behindBytes: 262_144,
  behindMaxMs: 15_000,
  unsentBytesMax: 4_194_304,
  unsentBytesTotalMax: 536_870_912,
  keptMs: 60_000,
  keptAccountsMax: 1_000,
  keptMessagesMax: 1_000,
  keptBytesMax: 1_048_576,
  keptBytesTotalMax: 67_108_864,
  goodbyeMaxMs: 1_000,
  sweepIntervalMs: 1_000,
  recountIntervalMs: 5_000,
  updateIntervalMs: 50,
  connectsMax: Number.POSITIVE_INFINITY,
  connectsWindowMs: 300_000,
  connectionsPerAddressMax: Number.POSITIVE_INFINITY,
};
