/**
 * The REST API as the page uses it: public and signed calls. Each resolves with the
 * data of the answer, in the type the caller names, or rejects with VenueError.
 */
import { measureClock, venueTimeMs } from './clock.ts';
import { VenueError } from './failure.ts';
import { type HttpCall, type Query, send, targetOf } from './http.ts';
import { type Credential, sign } from './signing.ts';

const TIMESTAMP_EXPIRED = '40008';

/** Reads public data, as in publicGet('/competition/v1/competitions'). */
export async function publicGet<Data>(path: string, query?: Query): Promise<Data> {
  return (await send({ method: 'GET', target: targetOf(path, query) })) as Data;
}

/** A signed call: the input is the query of a GET and the JSON body of a POST. */
export async function signed<Data>(
  credential: Credential,
  method: 'GET' | 'POST',
  path: string,
  input: object = {},
): Promise<Data> {
  const call: HttpCall =
    method === 'GET'
      ? { method, target: targetOf(path, { ...input }) }
      : { method, target: path, body: JSON.stringify(input) };
  try {
    return (await sendSigned(credential, call)) as Data;
  } catch (error) {
    if (!(error instanceof VenueError) || error.code !== TIMESTAMP_EXPIRED) throw error;
    // A clock was set meanwhile, here or there. Nothing was executed, so it is safe to try again.
    await measureClock();
    return (await sendSigned(credential, call)) as Data;
  }
}

async function sendSigned(credential: Credential, call: HttpCall): Promise<unknown> {
  const { key, secret, passphrase } = credential;
  const timestamp = String(await venueTimeMs());
  const { method, target, body = '' } = call;
  const headers = {
    'ACCESS-KEY': key,
    'ACCESS-SIGN': await sign(secret, timestamp + method + target + body),
    'ACCESS-TIMESTAMP': timestamp,
    'ACCESS-PASSPHRASE': passphrase,
  };
  return send({ ...call, headers });
}
