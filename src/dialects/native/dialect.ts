/** The house's own API under /v1: neutral names, one way to say a thing, for all markets alike. */
import type { Dialect } from '#api';
import { routesOf } from '../kit/endpoint.ts';
import { queryOrJson } from '../kit/input.ts';
import { NATIVE_ENDPOINTS } from './endpoints.ts';
import { FRAME } from './frame.ts';
import { NATIVE_SIGNER } from './signing.ts';
import { nativeStream } from './stream.ts';

export const nativeDialect: Dialect = {
  name: 'native',
  prefixes: ['/v1/'],
  frame: FRAME,
  signer: NATIVE_SIGNER,
  input: queryOrJson,
  routes: (services) => routesOf(NATIVE_ENDPOINTS, services),
  streams: (services) => [nativeStream(services)],
  takesCalls: true,
};
