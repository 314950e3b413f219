/** What the venue says of itself, in a component. */
import { useEffect, useState } from 'react';
import { type VenueInfo, venueInfo } from '../wire/venue.ts';

/** Undefined until the venue has said it. */
export function useVenue(): VenueInfo | undefined {
  const [venue, setVenue] = useState<VenueInfo>();
  useEffect(() => {
    venueInfo().then(setVenue, () => undefined);
  }, []);
  return venue;
}

/** Whether people sign in here by e-mail; undefined until the venue has said so. */
export function useHasPeople(): boolean | undefined {
  const venue = useVenue();
  return venue && venue.people !== null;
}
