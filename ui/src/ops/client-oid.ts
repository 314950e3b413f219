/** Ids by which the venue carries out once what is sent again after a lost answer. */
import { useRef, useState } from 'react';

/** Of a dialog: whatever it sends until it closes is one thing. */
export function useClientOid(): string {
  const [clientOid] = useState(() => crypto.randomUUID());
  return clientOid;
}

/** Of a line that stays: the same for the same again, until it is done. */
export function useClientOids() {
  const last = useRef({ asked: '', clientOid: '' });
  return {
    of: (asked: object): string => {
      const text = JSON.stringify(asked);
      if (last.current.asked !== text) {
        last.current = { asked: text, clientOid: crypto.randomUUID() };
      }
      return last.current.clientOid;
    },
    done: (): void => {
      last.current = { asked: '', clientOid: '' };
    },
  };
}
