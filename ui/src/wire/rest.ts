/** Public data, in the type the caller names; rejects with VenueError. */
import { type Query, send, targetOf } from './http.ts';

/** Reads public data, as in publicGet('/competition/v1/competitions'). */
export async function publicGet<Data>(path: string, query?: Query): Promise<Data> {
  return (await send({ method: 'GET', target: targetOf(path, query) })) as Data;
}
