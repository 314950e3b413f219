/** The fields of requests about competitions. */
import { COMPETITION_LIMITS, JOIN_MODES, RANKINGS, type StartingMoney } from '#competition';
import { flag, optional, rows, word } from '../admin/fields.ts';
import { type Field, optionalText, requiredText, wholeNumber } from '../kit/request.ts';

/** It begins with a letter or digit: a table program takes no such text for a formula. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._#'-]*$/u;

/** Control and formatting characters, but for the end of a line. */
const UNSEEN = /[^\P{C}\n]/u;

/** A name that spectators see. */
export function displayName(description: string, isRequired = false): Field<string> {
  const max = COMPETITION_LIMITS.nameLengthMax;
  return {
    ...(isRequired ? requiredText(description) : optionalText(description)),
    read: (fields, name) => {
      const given = (isRequired ? fields.requiredText(name) : fields.text(name)).trim();
      if (given !== '' && (given.length > max || !NAME.test(given))) {
        fields.refuse(
          'parameter_invalid',
          `${name}: a letter or digit first, ${max} letters, digits, spaces or . _ # ' - at most`,
        );
      }
      return given;
    },
  };
}

/** As displayName; undefined when left out, empty to take it away. */
export function changedName(description: string): Field<string | undefined> {
  const { schema, read } = displayName(description);
  return { schema, read: (fields, name) => (fields.has(name) ? read(fields, name) : undefined) };
}

const MONEY = {
  coin: requiredText('Coin, as in USDT'),
  amount: requiredText('Decimal amount'),
  wallet: optionalText('spot (default) or margin'),
};

const MONEY_FIELD: Field<readonly StartingMoney[] | undefined> = rows(
  'What every account has when a round starts',
  COMPETITION_LIMITS.moneyMax,
  MONEY,
  ({ coin, amount, wallet }, fields): StartingMoney => {
    const named = wallet === '' ? 'spot' : wallet.toLowerCase();
    if (named !== 'spot' && named !== 'margin') {
      fields.refuse('parameter_invalid', 'wallet is spot or margin');
    }
    return { coin: coin.toUpperCase(), amount, wallet: named };
  },
);

/** What a competition is about: text of several lines. */
const DESCRIPTION: Field<string | undefined> = {
  ...optionalText('What it is about; shown to spectators and to those who may join'),
  read: (fields, name) => {
    if (!fields.has(name)) return undefined;
    const given = fields.text(name).trim();
    const max = COMPETITION_LIMITS.descriptionLengthMax;
    if (given.length > max || UNSEEN.test(given)) {
      fields.refuse('parameter_invalid', `${name} takes up to ${max} visible characters`);
    }
    return given;
  },
};

export const TERMS = {
  description: DESCRIPTION,
  joinBy: optional(
    word(JOIN_MODES, 'code'),
    'open: anybody with an account, code (default): who has one, operator: whom you add',
  ),
  coin: optionalText('The coin that equities are in (that of the first money)'),
  money: MONEY_FIELD,
  sampleMs: wholeNumber('Milliseconds between two samples of the equities (10000)'),
  rankBy: optional(word(RANKINGS, 'return'), 'return (default) or sharpe'),
  holdsAccounts: flag('Accounts are frozen from the end of a round until it is closed (true)'),
  isPublic: flag('Spectators see it without signing in (true)'),
};
