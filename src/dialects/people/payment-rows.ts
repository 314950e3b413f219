/** Payments as they are answered, and the fields that ask for them. */
import { type Amount, LIMITS } from '#domain';
import { formatDecimal } from '#kernel';
import { PAYMENT_KINDS, PAYMENT_STATES, type Payment } from '#people';
import { TIME_MS } from '../kit/examples.ts';
import { type Field, optionalText, requiredText } from '../kit/request.ts';
import { type Column, decimal, oneOf, row, text, timeMs, truth, whole } from '../kit/row.ts';
import { shownName } from './fields.ts';
import { PERSON_ID } from './rows.ts';

export const PAYMENT_ID = '019a1b2c3d4e7a7b7c7d7e7f';
const TEXT_LENGTH_MAX = 256;
const INVISIBLE = /\p{C}/u;
const CLIENT_ID = /^[A-Za-z0-9_.-]{0,40}$/;

function amount<V>(
  description: string,
  example: string,
  of: (value: V) => { readonly units: Amount; readonly scale: number },
): Column<V, string> {
  return decimal(description, example, (value) => {
    const { units, scale } = of(value);
    return formatDecimal(units, scale);
  });
}

export const PAYMENT = row<Payment>()({
  paymentId: text('Request id; later ones sort behind it', PAYMENT_ID, (one) => one.paymentId),
  kind: oneOf(PAYMENT_KINDS, 'What was asked for', 'withdrawal', ({ kind }) => kind),
  state: oneOf(PAYMENT_STATES, 'How far it is', 'requested', ({ state }) => state),
  settled: truth(
    'Whether the money that this state moves has moved',
    true,
    ({ isSettled }) => isSettled,
  ),
  personId: text('Who asked', PERSON_ID, ({ personId }) => personId),
  accountId: text('Account id', '1', ({ accountId }) => String(accountId)),
  toAccountId: text('Of a transfer; empty otherwise', '', ({ toAccountId }) =>
    toAccountId === undefined ? '' : String(toAccountId),
  ),
  coin: text('Coin', 'USDT', ({ coin }) => coin),
  chain: text('Network; may be empty', 'TRC20', ({ chain }) => chain),
  amount: amount<Payment>('What arrives', '250.00000000', (one) => {
    return { units: one.amount, scale: one.scale };
  }),
  fee: amount<Payment>('What is taken besides', '1.00000000', ({ fee, scale }) => {
    return { units: fee, scale };
  }),
  address: text('Where it goes; empty for a deposit', 'TQ5...', ({ address }) => address),
  tag: text('Of the address; may be empty', '', ({ tag }) => tag),
  reference: text('Of the payment outside; may be empty', '', ({ reference }) => reference),
  clientId: text('The id that the person gave', 'cash-out-1', ({ clientId }) => clientId),
  reason: text('Why it ended undone; may be empty', '', ({ reason }) => reason),
  approvalsNeeded: whole('Operators who have to approve it', 1, (one) => one.approvalsNeeded),
  cTime: timeMs('When it was asked for', TIME_MS, ({ createdMs }) => createdMs),
  uTime: timeMs('When it changed last', TIME_MS, ({ changedMs }) => changedMs),
});

function bounded(field: Field<string>): Field<string> {
  return {
    ...field,
    read: (fields, name) => {
      const given = field.read(fields, name).trim();
      if (given.length > TEXT_LENGTH_MAX || INVISIBLE.test(given)) {
        const what = `${name} takes up to ${TEXT_LENGTH_MAX} visible characters`;
        fields.refuse('parameter_invalid', what);
      }
      return given;
    },
  };
}

export function longText(description: string): Field<string> {
  return bounded(requiredText(description));
}

export function optionalLongText(description: string): Field<string> {
  return bounded(optionalText(description));
}

export const CHAIN_FIELD = shownName('Network; may be left out where the coin has one');

export const CLIENT_ID_FIELD: Field<string> = {
  ...optionalText(`Your own id, at most ${LIMITS.clientIdLengthMax} characters; each works once`),
  read: (fields, name) => {
    const given = fields.text(name);
    if (!CLIENT_ID.test(given)) {
      fields.refuse('client_id_invalid', 'letters, digits, and . _ -');
    }
    return given;
  },
};

/** One of these words; undefined when left out. */
export function wordOf<const W extends string>(
  description: string,
  words: readonly W[],
): Field<W | undefined> {
  return {
    ...optionalText(`${description}: ${words.join(', ')}`),
    read: (fields, name) => {
      const given = fields.text(name);
      const found = words.find((one) => one === given);
      if (given !== '' && found === undefined) {
        fields.refuse('parameter_invalid', `${name} must be one of ${words.join(', ')}`);
      }
      return found;
    },
  };
}
