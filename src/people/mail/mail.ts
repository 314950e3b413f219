/**
 * Mail: what persons are written, in their language, handed to an SMTP server one after the other.
 * It owns the languages and the texts, no tables and no rights; when something is worth a mail is
 * decided by whom it happens to. Nobody waits for one, so that an answer takes as long for an
 * address that nobody has; without a server the operator hands out the links instead.
 */
import type { Transporter } from 'nodemailer';
import type { SmtpSettings } from '../settings.ts';
import type { Language } from './language.ts';
import { type LinkKind, MAIL_TEXTS, type NoticeKind, type Occasion } from './mail-texts.ts';

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
  email: 24 * 3_600_000,
  email_undo: 7 * 24 * 3_600_000,
};

/** In the part of an address that is not sent to servers, so no log has it. */
export function linkPath(kind: LinkKind, token: string): string {
  return `/account#${kind}=${token}`;
}

/** A link that was asked for; the one that takes a change of address back is a notice, too. */
export function linkMail(
  kind: LinkKind,
  language: Language,
  occasion: Occasion,
  url: string,
): Omit<Mail, 'to'> {
  const texts = MAIL_TEXTS[language];
  const subject = texts.linkSubject[kind](occasion.venue);
  if (kind === 'email_undo') return changedMail(language, occasion, url);
  const end = kind === 'welcome' ? [] : [texts.ignore];
  return { subject, text: paragraphs(...texts.linkText[kind], url, ...end) };
}

/** To the address before: with the link that takes it back, unless an earlier mail has one. */
export function changedMail(
  language: Language,
  occasion: Occasion,
  undoUrl: string | undefined,
): Omit<Mail, 'to'> {
  const texts = MAIL_TEXTS[language];
  const end = undoUrl === undefined ? [texts.noUndo] : [texts.undo, undoUrl];
  return {
    subject: texts.noticeSubject.email_changed(occasion.venue),
    text: paragraphs(texts.happened.email_changed, texts.occasion(occasion), ...end),
  };
}

/** Of a change that was made; the link leads to where a password is reset. */
export function noticeMail(
  kind: NoticeKind,
  language: Language,
  occasion: Occasion,
  resetUrl: string,
): Omit<Mail, 'to'> {
  const texts = MAIL_TEXTS[language];
  const end = kind === 'deleted' ? [] : [texts.notYou(resetUrl)];
  return {
    subject: texts.noticeSubject[kind](occasion.venue),
    text: paragraphs(texts.happened[kind], texts.occasion(occasion), ...end),
  };
}

/** To somebody who has an account already and signs up again. */
export function knownMail(language: Language, venue: string): Omit<Mail, 'to'> {
  const { knownSubject, known, ignore } = MAIL_TEXTS[language];
  return { subject: knownSubject(venue), text: paragraphs(...known, ignore) };
}

function paragraphs(...texts: readonly string[]): string {
  return `${texts.join('\n\n')}\n`;
}
