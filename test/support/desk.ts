/** What every desk does: it calls the endpoints of a house over the wire, as clients do. */
import { type Endpoint, readsQuery } from '#api';
import type { House, Reply, Trader } from './house.ts';

export class Desk {
  readonly house: House;

  constructor(house: House) {
    this.house = house;
  }

  /** A signed request; the fields are its query or its body, as the endpoint has it. */
  send(who: Trader, endpoint: Endpoint, fields: object): Promise<Reply> {
    const { method, path } = endpoint;
    if (!readsQuery(endpoint)) {
      const body = JSON.stringify(fields);
      const headers = this.house.sign(who, method, path, body);
      return this.house.call({ method, url: path, headers, body });
    }
    const query = new URLSearchParams(Object.entries(fields));
    const url = query.size === 0 ? path : `${path}?${query}`;
    // Clients name a type for whatever is not a GET, with a body or without.
    const type = method === 'GET' ? {} : { 'content-type': 'application/json' };
    const headers = { ...this.house.sign(who, method, url, ''), ...type };
    return this.house.call({ method, url, headers });
  }

  close(): Promise<void> {
    return this.house.close();
  }
}
