/** Door of alerts: prices that are waited for, sounds, and notifications of the browser. */
import './alerts.css';

export { AlertWatch } from './alert-watch.tsx';
export { AlertsButton } from './alerts-dialog.tsx';
