/** The accounts: a page of them with a search, or one of them with all that can be done to it. */
import { useStore } from '../../store/store.ts';
import { place } from '../place.ts';
import { AccountList } from './account-list.tsx';
import { AccountPage } from './account-page.tsx';

export function Accounts() {
  const named = useStore(place, ({ detail }) => detail);
  return named === '' ? <AccountList /> : <AccountPage key={named} named={named} />;
}
