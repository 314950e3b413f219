/** What was just done, said where one signs in next. */
import { createStore, type Store } from '../../store/store.ts';

export type News = 'confirmed' | 'passwordSet' | 'welcome' | 'emailChanged' | 'emailUndone';

export const news: Store<News | undefined> = createStore<News | undefined>(undefined);
