/** The operator's page. */
import { start } from '../shell/start.tsx';
import { App } from './app.tsx';

start(<App />);
