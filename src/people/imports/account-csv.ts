/**
 * Accounts as CSV text (RFC 4180): one line for each account, or for each person of one. What is
 * written is read back as it was.
 */
import Papa from 'papaparse';
import { type Amount, type AssetId, LIMITS, type Listings } from '#domain';
import { csvRecord, formatTrimmed, parseDecimal, unguardedCell } from '#kernel';
import { ACCESS_RIGHTS, type AccessRight } from '../access/port.ts';
import { looksLikePayments } from '../payments/parts.ts';

export const CSV_COLUMNS = [
  'account',
  'email',
  'name',
  'label',
  'permissions',
  'balances',
] as const;
type ColumnName = (typeof CSV_COLUMNS)[number];

/** What a line asks for in the spot wallet of its account. */
export interface Balance {
  readonly assetId: AssetId;
  readonly amount: Amount;
}

export interface AccountLine {
  /** Of the file, from 1; a cell may have several. */
  readonly line: number;
  readonly account: string;
  /** Empty for an account without a person. */
  readonly email: string;
  readonly name: string;
  readonly label: string;
  readonly rights: readonly AccessRight[];
  readonly balances: readonly Balance[];
}

export interface LineFault {
  readonly line: number;
  readonly column: string;
  readonly text: string;
}

export interface ReadAccounts {
  readonly lines: readonly AccountLine[];
  readonly faults: readonly LineFault[];
}

const ACCOUNT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** What a mail server takes without quotes. */
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;
const EMAIL_LENGTH_MAX = 254;
const INVISIBLE = /\p{C}/u;
const BYTE_ORDER_MARK = '\uFEFF';
/** What stands for bytes that are no UTF-8, and what UTF-16 has between its letters. */
const UNREAD = /[\uFFFD\0]/;
/** Spreadsheets put these between cells where a comma is in numbers. */
const SEPARATORS = [';', '\t'];

export function csvHeader(): string {
  return csvRecord(CSV_COLUMNS);
}

export function csvLine(line: Omit<AccountLine, 'line'>, listings: Listings): string {
  const { account, email, name, label, rights, balances } = line;
  const cells: Readonly<Record<ColumnName, string>> = {
    account,
    email,
    name,
    label,
    permissions: rights.join(' '),
    balances: balances.map((balance) => balanceText(balance, listings)).join(' '),
  };
  return csvRecord(CSV_COLUMNS.map((column) => cells[column]));
}

function balanceText({ assetId, amount }: Balance, listings: Listings): string {
  const coin = listings.asset(assetId);
  return coin === undefined ? '' : `${coin.code}=${formatTrimmed(amount, coin.scale)}`;
}

interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The records of the text and the line that each begins at; undefined for an open quote. */
function recordsOf(text: string): CsvRecord[] | undefined {
  const { data, errors } = Papa.parse<string[]>(text.replaceAll('\r\n', '\n'), {
    delimiter: ',',
    newline: '\n',
  });
  if (errors.some(({ type }) => type === 'Quotes')) return undefined;
  let next = 1;
  const records = data.map((cells): CsvRecord => {
    const line = next;
    // A cell may have several lines.
    next += cells.join('').split('\n').length;
    return { line, cells };
  });
  return records.filter(({ cells }) => cells.length > 1 || cells[0] !== '');
}

/** Reads the lines, and says of each that cannot be taken what is allowed. */
export function readAccounts(given: string, listings: Listings, firstLine = 1): ReadAccounts {
  const text = given.startsWith(BYTE_ORDER_MARK) ? given.slice(1) : given;
  const unread = text.search(UNREAD);
  if (unread >= 0) {
    const line = text.slice(0, unread).split('\n').length;
    return onlyFault(
      line + firstLine - 1,
      '',
      'contains characters that are not UTF-8: save the file as UTF-8',
    );
  }
  const records = recordsOf(text);
  const at = (line: number) => line + firstLine - 1;
  if (records === undefined) return onlyFault(firstLine, '', 'a quote is opened and never closed');
  const [header, ...rest] = records;
  const named = header?.cells.map((name) => name.trim().toLowerCase()) ?? [];
  const wrong = headerFault(named);
  if (wrong !== undefined) return onlyFault(at(header?.line ?? 1), '', wrong);
  const reader = new LineReader(named, listings);
  for (const { line, cells } of rest) reader.read(at(line), cells);
  return reader;
}

function onlyFault(line: number, column: string, text: string): ReadAccounts {
  return { lines: [], faults: [{ line, column, text }] };
}

function headerFault(named: readonly string[]): string | undefined {
  const columns = CSV_COLUMNS.join(', ');
  const [first = ''] = named;
  const separator = named.length === 1 ? SEPARATORS.find((one) => first.includes(one)) : undefined;
  if (separator !== undefined) {
    const shown = separator === '\t' ? 'tabs' : separator;
    return `cells are separated by ${shown}: save the file with commas between them (CSV UTF-8)`;
  }
  const isKnown = named.every((name) => CSV_COLUMNS.some((column) => column === name));
  if (!isKnown || new Set(named).size !== named.length) {
    return `the first line names columns, each once, among ${columns}`;
  }
  return named.includes('account') ? undefined : 'the column account is needed';
}

/** Reads line by line and keeps what must not come twice. */
class LineReader implements ReadAccounts {
  readonly lines: AccountLine[] = [];
  readonly faults: LineFault[] = [];
  readonly #named: readonly string[];
  readonly #listings: Listings;
  /** Where a person was given an account, and a coin a balance. */
  readonly #seen = new Map<string, number>();

  constructor(named: readonly string[], listings: Listings) {
    this.#named = named;
    this.#listings = listings;
  }

  read(line: number, cells: readonly string[]): void {
    if (cells.length !== this.#named.length) {
      const text = `has ${cells.length} cells, the first line has ${this.#named.length}`;
      this.faults.push({ line, column: '', text });
      return;
    }
    const before = this.faults.length;
    const cellOf = (column: ColumnName): string => {
      const found = cells[this.#named.indexOf(column)] ?? '';
      return unguardedCell(found).trim();
    };
    const person = this.#person(line, cellOf);
    const account = this.#account(line, cellOf('account'), person.email);
    const balances = this.#balances(line, account, cellOf('balances'));
    if (this.faults.length === before) this.lines.push({ line, account, ...person, balances });
  }

  #fault(line: number, column: ColumnName, text: string): void {
    this.faults.push({ line, column, text });
  }

  #account(line: number, account: string, email: string): string {
    if (account.length > LIMITS.nameLengthMax || !ACCOUNT_NAME.test(account)) {
      const max = LIMITS.nameLengthMax;
      this.#fault(line, 'account', `takes 1 to ${max} letters, digits, dots, dashes, underscores`);
    }
    if (looksLikePayments(account)) this.#fault(line, 'account', 'is kept for payments by request');
    this.#once(line, 'account', `${account} ${email}`, `${account} has this person already`);
    return account;
  }

  #person(line: number, cellOf: (column: ColumnName) => string) {
    const email = cellOf('email').toLowerCase();
    if (email !== '' && (email.length > EMAIL_LENGTH_MAX || !EMAIL.test(email))) {
      this.#fault(line, 'email', 'takes an e-mail address, or nothing');
    }
    const text = (column: 'name' | 'label'): string => {
      const found = cellOf(column);
      if (found.length > LIMITS.nameLengthMax || INVISIBLE.test(found)) {
        this.#fault(line, column, `takes up to ${LIMITS.nameLengthMax} visible characters`);
      }
      if (found !== '' && email === '') this.#fault(line, column, 'is of a person: email is empty');
      return found;
    };
    const [name, label] = [text('name'), text('label')];
    return { email, name, label, rights: this.#rights(line, cellOf('permissions'), email) };
  }

  #rights(line: number, text: string, email: string): readonly AccessRight[] {
    if (text === '') return email === '' ? [] : ACCESS_RIGHTS;
    const words = text.split(/ +/);
    const found = ACCESS_RIGHTS.filter((right) => words.includes(right));
    if (found.length !== words.length || !found.includes('read')) {
      const allowed = ACCESS_RIGHTS.join(', ');
      this.#fault(line, 'permissions', `takes ${allowed}, with spaces between; read is needed`);
    }
    if (email === '') this.#fault(line, 'permissions', 'is of a person: email is empty');
    return found;
  }

  #balances(line: number, account: string, text: string): readonly Balance[] {
    if (text === '') return [];
    return text.split(/[ ;]+/).flatMap((part) => {
      const [code = '', amountText = '', ...more] = part.split('=');
      const coin = this.#listings.assetByCode(code.toUpperCase());
      const amount = coin === undefined ? 'malformed' : parseDecimal(amountText, coin.scale);
      if (coin === undefined || typeof amount !== 'bigint' || amount <= 0n || more.length > 0) {
        const places = coin === undefined ? 'a listed coin' : `up to ${coin.scale} decimal places`;
        this.#fault(line, 'balances', `takes amounts above zero, as in USDT=1000.5: ${places}`);
        return [];
      }
      const twice = `${account} has ${coin.code} already`;
      this.#once(line, 'balances', `${account} =${coin.code}`, twice);
      return [{ assetId: coin.assetId, amount }];
    });
  }

  #once(line: number, column: ColumnName, key: string, text: string): void {
    const first = this.#seen.get(key);
    if (first === undefined) this.#seen.set(key, line);
    else this.#fault(line, column, `${text}, in line ${first}`);
  }
}
