/** The place of a process among those that may send: each cluster has so many and no more. */
import type { Place } from '#log';
import type { MemberOptions } from './member-options.ts';

/** What another process sends would not be remembered. */
class ClusterFull extends Error {
  override readonly name = 'ClusterFull';
}

/** Rejects with ClusterFull when every place is held. */
export async function takePlace(
  { log, name, processesMax }: Pick<MemberOptions, 'log' | 'name' | 'processesMax'>,
  onLost: (reason: Error) => void,
): Promise<Place> {
  const place = await log.takePlace({
    name,
    placesMax: processesMax,
    onLost: () => onLost(new Error('another process has taken the place of this one')),
  });
  if (place !== undefined) return place;
  throw new ClusterFull(
    `the cluster has as many processes as processesMax allows (${processesMax}): stop one, ` +
      'or raise it in the file of every process',
  );
}
