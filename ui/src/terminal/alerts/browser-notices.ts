/**
 * Notifications of the browser, for a page that is not looked at. They are asked for on a click,
 * and everything works without them.
 */
import { readSignals, type Signal } from '../../model/signals.ts';
import { createKeptValue } from '../../store/kept.ts';
import { createStore } from '../../store/store.ts';

/** unavailable: the browser has none, or the page is not served over HTTPS. */
export type Permission = NotificationPermission | 'unavailable';

export const noticesOn = createKeptValue<readonly Signal[]>('outcry.browserNotices', readSignals);

export const permission = createStore<Permission>(readPermission());

function readPermission(): Permission {
  return 'Notification' in globalThis && isSecureContext ? Notification.permission : 'unavailable';
}

/** Asks the browser, which asks the reader. */
export async function askPermission(): Promise<void> {
  try {
    await Notification.requestPermission();
  } catch {
    // The browser has said no without a question.
  }
  permission.set(readPermission());
}

/** Follows what the reader changes in the settings of the browser. Returns how to stop. */
export function followPermission(): () => void {
  const read = (): void => permission.set(readPermission());
  let isOver = false;
  let status: PermissionStatus | undefined;
  navigator.permissions.query({ name: 'notifications' }).then(
    (found) => {
      if (isOver) return;
      status = found;
      status.addEventListener('change', read);
    },
    () => undefined,
  );
  read();
  return () => {
    isOver = true;
    status?.removeEventListener('change', read);
  };
}

/** Shows one unless the page is looked at. The same tag takes the place of an earlier one. */
export function notifyBrowser(signal: Signal, title: string, body: string, tag: string): void {
  if (readPermission() !== 'granted' || !noticesOn.get().includes(signal)) return;
  if (document.visibilityState === 'visible' && document.hasFocus()) return;
  try {
    const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href ?? '';
    const notice = new Notification(title, { body, tag, icon });
    notice.addEventListener('click', () => {
      window.focus();
      notice.close();
    });
  } catch {
    return; // Phones show none without a service worker.
  }
}
