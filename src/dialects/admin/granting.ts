/** Another's account in somebody's hands: all that is in it counts as moved. */

import type { AccountId, Refused, VenuePort } from '#domain';
import { formatDecimal } from '#kernel';
import {
  type AloneMoved,
  type ApprovalContext,
  limitsSeen,
  type MovedAlone,
  mayCause,
} from '#people';
import type { OperatorCall } from '../access/calls.ts';

export interface Grant {
  /** What is done, the same for the same call; it begins with who gets the account. */
  readonly subject: string;
  /** Empty where it is nobody in particular. */
  readonly personId: string;
  readonly accountId: AccountId;
}

/** Whether an operator may hand the account out: alone, or as another one has approved. */
export async function mayGrant(
  desk: ApprovalContext | undefined,
  venue: VenuePort,
  { operator, reason }: Pick<OperatorCall, 'operator' | 'reason'>,
  { subject, personId, accountId }: Grant,
): Promise<AloneMoved | Refused | undefined> {
  if (desk === undefined) return undefined;
  const isOwn = personId === operator.id;
  const coins = (await limitsSeen(desk)).map(({ coin }) => coin);
  const moves = await venue.read((state) => {
    const owned = state.owned(accountId);
    return coins.flatMap((coin): MovedAlone[] => {
      const asset = state.listings.assetByCode(coin);
      if (asset === undefined) return [];
      const units = owned.get(asset.assetId) ?? 0n;
      const amount = formatDecimal(units > 0n ? units : 0n, asset.scale);
      return [{ coin, amount, accountId, isOwn }];
    });
  });
  return mayCause(desk, operator, { kind: 'grant', subject, accountId, moves }, reason);
}
