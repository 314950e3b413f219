/** Door of the desk: the panels of a large screen, and how they are moved. */
import './desk.css';

export { ArrangeButton } from './arrange-bar.tsx';
export { type Contents, Desk } from './desk.tsx';
export { deskPlace } from './desk-store.ts';
