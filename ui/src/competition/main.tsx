/** The page of competitions, for everybody who watches. */
import { start } from '../shell/start.tsx';
import { App } from './app.tsx';

start(<App />);
