/** A mail server on a socket, as far as one that only takes mails in has to speak SMTP. */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { assert } from '#kernel';
import { until } from '../support/until.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface SmtpServer {
  readonly port: number;
  readonly mails: readonly Mail[];
  /** The token of the newest link of this kind to an address, once it is there. */
  token(kind: string, to: string): Promise<string>;
}

interface Scope {
  after(tidyUp: () => void): void;
}

export async function startSmtp(scope: Scope): Promise<SmtpServer> {
  const mails: Mail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    converse(socket, mails);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  assert(typeof address === 'object' && address !== null, 'a listening server has an address');
  const found = (kind: string, to: string): string | undefined => {
    const newest = mails.findLast((mail) => mail.to === to && mail.text.includes(`#${kind}=`));
    return newest?.text.match(/=([\w-]{43})/)?.[1];
  };
  return {
    port: address.port,
    mails,
    token: async (kind, to) => {
      await until(`a mail to ${to}`, () => found(kind, to) !== undefined);
      return found(kind, to) ?? '';
    },
  };
}

function converse(socket: Socket, mails: Mail[]): void {
  let text = '';
  let to = '';
  let isData = false;
  socket.write('220 mail.example\r\n');
  socket.on('data', (bytes) => {
    text += bytes.toString('utf8');
    for (;;) {
      const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n');
      if (end === -1) return;
      const said = text.slice(0, end);
      text = text.slice(end + (isData ? 5 : 2));
      if (isData) {
        mails.push({ to, subject: subjectOf(said), text: plain(said) });
        isData = false;
        socket.write('250 kept\r\n');
        continue;
      }
      to = /^RCPT TO:<(.*?)>/i.exec(said)?.[1] ?? to;
      isData = /^DATA/i.test(said);
      socket.write(isData ? '354 go on\r\n' : '250 mail.example\r\n');
    }
  });
}

/** As its reader sees it, whichever way it was encoded. */
function plain(mail: string): string {
  const [head = '', ...parts] = mail.split('\r\n\r\n');
  const body = parts.join('\r\n\r\n');
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  return fromQuoted(body.replace(/=\r\n/g, ''));
}

function subjectOf(mail: string): string {
  const [head = ''] = mail.split('\r\n\r\n');
  const [, folded = ''] = /^Subject: (.*(?:\r\n[ \t].*)*)/im.exec(head) ?? [];
  const words = folded.replace(/\?=\s+=\?/g, '?==?').replace(/\r\n[ \t]/g, ' ');
  return words.replace(/=\?UTF-8\?([BQ])\?(.*?)\?=/gi, (_word, kind: string, text: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(text, 'base64').toString('utf8')
      : fromQuoted(text.replaceAll('_', ' ')),
  );
}

function fromQuoted(text: string): string {
  return text.replace(/(?:=[0-9A-F]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'),
  );
}
