/** What every shared log must do, wherever it is kept: one list for every store. */
import { describe } from 'node:test';
import { followingContract } from './shared-contract-following.ts';
import { leadingContract } from './shared-contract-leading.ts';
import { membersContract } from './shared-contract-members.ts';
import type { NewPlace } from './shared-places.ts';

export function sharedLogContract(name: string, newPlace: NewPlace): void {
  describe(`shared log contract: ${name}`, () => {
    leadingContract(newPlace);
    followingContract(newPlace);
    membersContract(newPlace);
  });
}
