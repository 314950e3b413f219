/** The terminal's page. */
import { session } from '../session/session.ts';
import { start } from '../shell/start.tsx';
import { App } from './app.tsx';

void session.resume();
start(<App />);
