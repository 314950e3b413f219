/** The one place that opens a store of people: with the tables of competitions in it. */
import { COMPETITION_PART, type CompetingPeople } from '#competition';
import { LazyPeople, openPeople, type PeoplePlace } from '#people';

export type KeptPeople = LazyPeople<CompetingPeople>;

/** Opened by the first question; see LazyPeople. */
export function lazyPeople(place: PeoplePlace, isThere?: () => boolean): KeptPeople {
  return new LazyPeople(() => openPeople(place, COMPETITION_PART), isThere);
}
