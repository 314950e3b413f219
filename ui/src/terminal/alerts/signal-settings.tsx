/** Which events make a sound, and which a notification of the browser. */
import { Button } from '../../look/mod.ts';
import { SIGNALS, type Signal } from '../../model/signals.ts';
import { type Store, useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { askPermission, noticesOn, permission } from './browser-notices.ts';
import { play, soundsOn } from './sound.ts';

export function SignalSettings() {
  const { alerts } = useTexts();
  const state = useStore(permission);
  return (
    <section className="stack" aria-label={alerts.signals}>
      <h3>{alerts.signals}</h3>
      <table className="table signal-table">
        <caption className="only-read-out">{alerts.signals}</caption>
        <thead>
          <tr>
            <th scope="col">{alerts.event}</th>
            <th scope="col">{alerts.sound}</th>
            <th scope="col">{alerts.browser}</th>
          </tr>
        </thead>
        <tbody>
          {SIGNALS.map((signal) => (
            <tr key={signal}>
              <th scope="row">{alerts.events[signal]}</th>
              <td>
                <Switch store={soundsOn} signal={signal} name={alerts.sound} onSwitchedOn={play} />
              </td>
              <td>
                <Switch store={noticesOn} signal={signal} name={alerts.browser} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="alert-permission">
        <span role="status">{alerts.permission[state]}</span>
        {state === 'default' ? (
          <Button onClick={() => void askPermission()}>{alerts.allow}</Button>
        ) : null}
      </div>
    </section>
  );
}

interface SwitchProps {
  readonly store: Store<readonly Signal[]>;
  readonly signal: Signal;
  readonly name: string;
  /** What is heard when it is switched on is what is heard later. */
  readonly onSwitchedOn?: (signal: Signal) => void;
}

function Switch({ store, signal, name, onSwitchedOn }: SwitchProps) {
  const { alerts } = useTexts();
  const isOn = useStore(store, (on) => on.includes(signal));
  const change = (isWanted: boolean): void => {
    const others = store.get().filter((one) => one !== signal);
    store.set(isWanted ? [...others, signal] : others);
    if (isWanted) onSwitchedOn?.(signal);
  };
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isOn}
        aria-label={`${name}: ${alerts.events[signal]}`}
        onChange={(event) => change(event.target.checked)}
      />
    </label>
  );
}
