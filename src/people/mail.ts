/**
 * Mails with links, handed to an SMTP server one after the other. Nobody waits for one, so that an
 * answer takes as long for an address that nobody has; without a server the operator hands out the
 * links instead.
 */
import type { Transporter } from 'nodemailer';
import type { LinkKind } from './port.ts';
import type { SmtpSettings } from './settings.ts';

/** Mails that wait; more are dropped, and that is reported. */
const WAITING_MAX = 200;
const TIMEOUT_MS = 10_000;

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface MailerOptions {
  readonly smtp: SmtpSettings;
  readonly onFault: (error: unknown) => void;
}

type Transport = Pick<Transporter, 'sendMail' | 'close'>;

export class Mailer {
  readonly #smtp: SmtpSettings;
  readonly #onFault: (error: unknown) => void;
  #transport: Promise<Transport> | undefined;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor({ smtp, onFault }: MailerOptions) {
    this.#smtp = smtp;
    this.#onFault = onFault;
  }

  send(mail: Mail): void {
    if (this.#waiting >= WAITING_MAX) {
      this.#onFault(new Error('too many mails wait for the SMTP server: one was dropped'));
      return;
    }
    this.#waiting += 1;
    this.#last = this.#last.then(() => this.#deliver(mail));
  }

  /** Resolves once what waits was sent or given up. */
  async close(): Promise<void> {
    await this.#last;
    (await this.#transport)?.close();
  }

  async #deliver({ to, subject, text }: Mail): Promise<void> {
    try {
      this.#transport ??= transportTo(this.#smtp);
      const transport = await this.#transport;
      await transport.sendMail({ from: this.#smtp.from, to, subject, text });
    } catch (error) {
      this.#onFault(error);
    } finally {
      this.#waiting -= 1;
    }
  }
}

/** Loaded by the first mail: a start does without it. */
async function transportTo(smtp: SmtpSettings): Promise<Transport> {
  const { createTransport } = await import('nodemailer');
  const { host, port, secure, user, password } = smtp;
  const auth = user === undefined ? {} : { auth: { user, pass: password ?? '' } };
  const isLoopback = /^(localhost|127\..*|::1)$/.test(host);
  return createTransport({
    ...{ host, port, secure, ...auth },
    requireTLS: !secure && !isLoopback,
    tls: { minVersion: 'TLSv1.2' },
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** How long a link works. */
export const LINK_MS: Readonly<Record<LinkKind, number>> = {
  confirm: 24 * 3_600_000,
  reset: 3_600_000,
  welcome: 7 * 24 * 3_600_000,
};

/** In the part of an address that is not sent to servers, so no log has it. */
export function linkPath(kind: LinkKind, token: string): string {
  return `/account#${kind}=${token}`;
}

const IGNORE = 'If you did not ask for this, ignore this mail: nothing has changed.';

export function linkMail(kind: LinkKind, venue: string, url: string): Omit<Mail, 'to'> {
  switch (kind) {
    case 'confirm':
      return {
        subject: `Confirm your e-mail address at ${venue}`,
        text: paragraphs(
          'Open this link to confirm your address. It works once, for 24 hours.',
          url,
          IGNORE,
        ),
      };
    case 'reset':
      return {
        subject: `Choose a new password at ${venue}`,
        text: paragraphs(
          'Open this link to choose a new password. It works once, for one hour.',
          url,
          IGNORE,
        ),
      };
    case 'welcome':
      return {
        subject: `Your access to ${venue}`,
        text: paragraphs(
          'An account was opened for you. Open this link to choose a password.',
          'It works once, for seven days.',
          url,
        ),
      };
  }
}

/** To somebody who has an account already and signs up again. */
export function knownMail(venue: string): Omit<Mail, 'to'> {
  return {
    subject: `You already have an account at ${venue}`,
    text: paragraphs(
      'Somebody tried to sign up with this address, which already has an account.',
      'If it was you, sign in, or ask for a new password there.',
      IGNORE,
    ),
  };
}

function paragraphs(...texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`;
}
