/** Which round is shown, in the address after #, as in #ID/2; empty for the newest. */
import { createStore } from '../store/store.ts';

export interface ShownPlace {
  readonly competitionId: string;
  readonly round: number;
}

const PLACE = /^#([0-9a-f]{1,64})\/([1-9][0-9]{0,5})$/;

function read(): ShownPlace | undefined {
  const [, competitionId, round] = PLACE.exec(location.hash) ?? [];
  return competitionId === undefined ? undefined : { competitionId, round: Number(round) };
}

export const place = createStore<ShownPlace | undefined>(read());
addEventListener('hashchange', () => place.set(read()));

export function go({ competitionId, round }: ShownPlace): void {
  location.hash = `${competitionId}/${round}`;
}
