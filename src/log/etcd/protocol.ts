/**
 * The part of etcd's protocol (version 3) that is used here, with the names and numbers of its
 * published rpc.proto and kv.proto. Keys and values are declared as text, which is the same on the
 * wire; all of ours are.
 */
import { fromJSON } from '@grpc/proto-loader';
import { present } from '#kernel';

export interface KeyValue {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly value: string;
}

interface Header {
  readonly revision: number;
}

export interface TxnResponse {
  readonly header: Header;
  readonly succeeded: boolean;
  readonly responses: readonly {
    readonly responseRange?: { readonly kvs: readonly KeyValue[] } | null;
  }[];
}

export interface WatchResponse {
  readonly canceled: boolean;
  readonly compactRevision: number;
  readonly cancelReason: string;
  /** More of the same revision follows. */
  readonly fragment: boolean;
  readonly events: readonly { readonly type: 'PUT' | 'DELETE'; readonly kv: KeyValue }[];
}

export interface StatusResponse {
  readonly dbSize: number;
  readonly errors: readonly string[];
  readonly dbSizeInUse: number;
  /** Zero before etcd 3.6, which is the first to tell. */
  readonly dbSizeQuota: number;
}

/** What the calls answer; a call with `undefined` answers nothing that is looked at. */
interface Answers {
  readonly 'KV/Txn': TxnResponse;
  readonly 'KV/Compact': object;
  readonly 'Lease/LeaseGrant': object;
  readonly 'Lease/LeaseRevoke': object;
  readonly 'Lease/LeaseKeepAlive': { readonly TTL: number };
  readonly 'Watch/Watch': WatchResponse;
  readonly 'Maintenance/Status': StatusResponse;
  readonly 'Auth/Authenticate': { readonly token: string };
}

export type CallName = keyof Answers;
export type Answer<Name extends CallName> = Answers[Name];

export interface Method<Name extends CallName> {
  readonly path: string;
  serialize(request: object): Buffer;
  deserialize(bytes: Buffer): Answer<Name>;
}

function message(fields: Readonly<Record<string, readonly [number, string, 'repeated'?]>>): object {
  const rows = Object.entries(fields).map(([name, [id, type, rule]]) => [
    name,
    rule === undefined ? { id, type } : { id, type, rule },
  ]);
  return { fields: Object.fromEntries(rows) };
}

function service(calls: Readonly<Record<string, readonly [string, string, 'stream'?]>>): object {
  const rows = Object.entries(calls).map(([name, [requestType, responseType, stream]]) => {
    const isStream = stream !== undefined;
    const streams = { requestStream: isStream, responseStream: isStream };
    return [name, { requestType, responseType, ...streams }];
  });
  return { methods: Object.fromEntries(rows) };
}

const STORE = {
  KeyValue: message({
    key: [1, 'string'],
    createRevision: [2, 'int64'],
    modRevision: [3, 'int64'],
    value: [5, 'string'],
  }),
  Event: message({ type: [1, 'EventType'], kv: [2, 'KeyValue'] }),
  EventType: { values: { PUT: 0, DELETE: 1 } },
};

const RANGES = {
  ResponseHeader: message({ revision: [3, 'int64'] }),
  RangeRequest: message({
    key: [1, 'string'],
    rangeEnd: [2, 'string'],
    limit: [3, 'int64'],
    sortOrder: [5, 'SortOrder'],
    keysOnly: [8, 'bool'],
    minModRevision: [10, 'int64'],
  }),
  SortOrder: { values: { NONE: 0, ASCEND: 1, DESCEND: 2 } },
  RangeResponse: message({ kvs: [2, 'mvccpb.KeyValue', 'repeated'] }),
  PutRequest: message({ key: [1, 'string'], value: [2, 'string'], lease: [3, 'int64'] }),
  DeleteRangeRequest: message({ key: [1, 'string'], rangeEnd: [2, 'string'] }),
};

const TRANSACTIONS = {
  Compare: message({
    result: [1, 'CompareResult'],
    target: [2, 'CompareTarget'],
    key: [3, 'string'],
    createRevision: [5, 'int64'],
    modRevision: [6, 'int64'],
  }),
  CompareResult: { values: { EQUAL: 0 } },
  CompareTarget: { values: { VERSION: 0, CREATE: 1, MOD: 2 } },
  RequestOp: message({
    requestRange: [1, 'RangeRequest'],
    requestPut: [2, 'PutRequest'],
    requestDeleteRange: [3, 'DeleteRangeRequest'],
  }),
  ResponseOp: message({ responseRange: [1, 'RangeResponse'] }),
  TxnRequest: message({
    compare: [1, 'Compare', 'repeated'],
    success: [2, 'RequestOp', 'repeated'],
    failure: [3, 'RequestOp', 'repeated'],
  }),
  TxnResponse: message({
    header: [1, 'ResponseHeader'],
    succeeded: [2, 'bool'],
    responses: [3, 'ResponseOp', 'repeated'],
  }),
  CompactionRequest: message({ revision: [1, 'int64'] }),
};

const WATCHES = {
  WatchRequest: message({ createRequest: [1, 'WatchCreateRequest'] }),
  WatchCreateRequest: message({
    key: [1, 'string'],
    rangeEnd: [2, 'string'],
    startRevision: [3, 'int64'],
    fragment: [8, 'bool'],
  }),
  WatchResponse: message({
    canceled: [4, 'bool'],
    compactRevision: [5, 'int64'],
    cancelReason: [6, 'string'],
    fragment: [7, 'bool'],
    events: [11, 'mvccpb.Event', 'repeated'],
  }),
};

const LEASES = {
  LeaseGrantRequest: message({ TTL: [1, 'int64'], ID: [2, 'int64'] }),
  LeaseRevokeRequest: message({ ID: [1, 'int64'] }),
  LeaseKeepAliveRequest: message({ ID: [1, 'int64'] }),
  LeaseKeepAliveResponse: message({ TTL: [3, 'int64'] }),
  StatusRequest: message({}),
  StatusResponse: message({
    dbSize: [3, 'int64'],
    errors: [8, 'string', 'repeated'],
    dbSizeInUse: [9, 'int64'],
    dbSizeQuota: [12, 'int64'],
  }),
  AuthenticateRequest: message({ name: [1, 'string'], password: [2, 'string'] }),
  AuthenticateResponse: message({ token: [2, 'string'] }),
  Nothing: message({}),
};

const SERVICES = {
  KV: service({
    Txn: ['TxnRequest', 'TxnResponse'],
    Compact: ['CompactionRequest', 'Nothing'],
  }),
  Lease: service({
    LeaseGrant: ['LeaseGrantRequest', 'Nothing'],
    LeaseRevoke: ['LeaseRevokeRequest', 'Nothing'],
    LeaseKeepAlive: ['LeaseKeepAliveRequest', 'LeaseKeepAliveResponse', 'stream'],
  }),
  Watch: service({ Watch: ['WatchRequest', 'WatchResponse', 'stream'] }),
  Maintenance: service({ Status: ['StatusRequest', 'StatusResponse'] }),
  Auth: service({ Authenticate: ['AuthenticateRequest', 'AuthenticateResponse'] }),
};

const DEFINITIONS = fromJSON(
  {
    nested: {
      mvccpb: { nested: STORE },
      etcdserverpb: { nested: { ...RANGES, ...TRANSACTIONS, ...WATCHES, ...LEASES, ...SERVICES } },
    },
  },
  { longs: Number, enums: String, defaults: true },
);

export function methodOf<Name extends CallName>(name: Name): Method<Name> {
  const [serviceName, call] = name.split('/');
  const definition = DEFINITIONS[`etcdserverpb.${serviceName}`];
  const methods = new Map(Object.entries(present(definition, `service ${serviceName}`)));
  const method = methods.get(present(call, 'name of a call'));
  return {
    path: `/etcdserverpb.${name}`,
    serialize: method.requestSerialize,
    deserialize: (bytes) => method.responseDeserialize(bytes) as Answer<Name>,
  };
}
