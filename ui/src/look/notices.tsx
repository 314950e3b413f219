/** What happened, in a line of its own, for some seconds. Refusals stay until dismissed. */
import { createStore, useStore } from '../store/store.ts';
import { useTexts } from '../texts/texts.ts';
import { describeFailure } from '../wire/failure.ts';
import { Button } from './button.tsx';

interface Notice {
  readonly id: number;
  readonly tone: 'info' | 'good' | 'warning' | 'fault';
  readonly title: string;
  readonly text: string;
}

const SHOWN_MAX = 5;
const SHOWN_MS = 6_000;

const notices = createStore<readonly Notice[]>([]);
let lastId = 0;

/** Shows a notice; warnings and faults stay until dismissed, five at most. */
export function notify(tone: Notice['tone'], title: string, text = ''): void {
  lastId += 1;
  const id = lastId;
  notices.set((shown) => [...shown, { id, tone, title, text }].slice(-SHOWN_MAX));
  if (tone === 'info' || tone === 'good') setTimeout(() => dismiss(id), SHOWN_MS);
}

/** Shows why a call failed: the code and the text of the venue. */
export function notifyFailure(title: string, error: unknown): void {
  const { code, text } = describeFailure(error);
  notify('fault', title, code === '' ? text : `${code} ${text}`);
}

function dismiss(id: number): void {
  notices.set((shown) => shown.filter((notice) => notice.id !== id));
}

/** Stands once on a page. */
export function Notices() {
  const { look } = useTexts();
  const shown = useStore(notices);
  return (
    <section className="notices" aria-live="polite" aria-label={look.notices}>
      {shown.map(({ id, tone, title, text }) => (
        <div key={id} className={`notice notice-${tone}`}>
          <div title={text}>
            <strong>{title}</strong>
            {text === '' ? null : <p>{text}</p>}
          </div>
          <Button tone="quiet" aria-label={look.dismiss} onClick={() => dismiss(id)}>
            ✕
          </Button>
        </div>
      ))}
    </section>
  );
}
