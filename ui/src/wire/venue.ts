/** What the venue says about itself to the page. */
import { send } from './http.ts';
import { publicGet } from './rest.ts';
import type { Credential } from './signing.ts';

/** In a demo everybody signs up, and the terminal where it runs shows the links. */
export type SignUpMode = 'open' | 'invitation' | 'closed' | 'demo';

export interface VenueInfo {
  readonly name: string;
  /** The key of the demo account, in the demo venue only. */
  readonly demo: Credential | null;
  readonly sandbox: boolean;
  /** How people come in who sign in by e-mail; null where nobody does. */
  readonly people: SignUpMode | null;
}

let asked: Promise<VenueInfo> | undefined;

/** Asked once and kept; a failure is forgotten, so that the next call asks again. */
export function venueInfo(): Promise<VenueInfo> {
  asked ??= publicGet<VenueInfo>('/ui/venue').catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

/** The admin token for the code of a link; each works once. */
export async function enterConsole(code: string): Promise<string> {
  const body = JSON.stringify({ code });
  const answer = await send({ method: 'POST', target: '/ui/console', body });
  return String(Object(answer).token);
}
