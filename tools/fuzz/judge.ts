/** What is wrong with an answer, by the document alone. */
import { JSON_TYPE, type Operation } from './document.ts';
import type { Answer } from './wire.ts';

const UNAVAILABLE = 503;
/** The one 5xx that is no fault: too much at once, or a scenario that is still running. */
const BUSY = /"code":("40604"|-1054)/;

/** What an answer is judged by. */
export interface Asked {
  readonly operation: Operation;
  readonly mustRefuse: boolean;
  /** Whether this is the call of the document, and not another method or path. */
  readonly isOfDocument: boolean;
}

/** Undefined for an answer as it has to be; what is wrong begins with the same words each time. */
export function complaintOf(
  { operation, mustRefuse, isOfDocument }: Asked,
  { status, headers, text }: Answer,
): string | undefined {
  if (status === UNAVAILABLE && BUSY.test(text)) return undefined;
  if (status >= 500) return `a fault of the server: ${status} ${text.slice(0, 300)}`;
  if (isOfDocument && status >= 300 && status < 400) return `an undocumented status: ${status}`;
  if (!isOfDocument && (status < 400 || text === '')) return undefined;
  const wanted = status === 200 ? operation.successType : JSON_TYPE;
  if (!String(headers.get('content-type')).startsWith(wanted)) {
    return `no ${wanted}: ${status} ${headers.get('content-type')} ${text.slice(0, 300)}`;
  }
  const data = wanted === JSON_TYPE ? parsed(text) : text;
  if (data === undefined) return `JSON that is none: ${status} ${text.slice(0, 300)}`;
  if (status >= 400) {
    const isRight = operation.refusal.Check(data) || !isOfDocument;
    return isRight ? undefined : `a refusal of another form: ${status} ${text.slice(0, 300)}`;
  }
  if (mustRefuse) return `taken, and had to be refused: ${status} ${text.slice(0, 300)}`;
  if (status !== 200) return `an undocumented status: ${status}`;
  if (operation.success.Check(data)) return undefined;
  const [, errors] = operation.success.Errors(data);
  return `an answer of another form: ${JSON.stringify(errors.slice(0, 2))} ${text.slice(0, 300)}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
