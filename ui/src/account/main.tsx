/** The page of a person's account. */
import { followOtherPages, person } from '../session/person.ts';
import { start } from '../shell/start.tsx';
import { App } from './app.tsx';

followOtherPages();
void person.resume().catch(() => undefined);
start(<App />);
