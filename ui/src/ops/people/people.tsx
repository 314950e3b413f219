/** The people of the venue: all of them with invitations and links, or one of them. */
import { useStore } from '../../store/store.ts';
import { useMay } from '../operator.ts';
import { place } from '../place.ts';
import { Invitations } from './invitations.tsx';
import { Links } from './links.tsx';
import { PersonList } from './person-list.tsx';
import { PersonPage } from './person-page.tsx';

export function People() {
  const mayHelp = useMay('help');
  const personId = useStore(place, ({ detail }) => detail);
  if (personId !== '') return <PersonPage key={personId} personId={personId} />;
  return (
    <div className="ops-page">
      <PersonList />
      <div className="ops-columns">
        <Invitations />
        {mayHelp ? <Links /> : null}
      </div>
    </div>
  );
}
