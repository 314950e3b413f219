/** What a person is written about a payment: that it was asked for, and how it ended. */
import { formatTrimmed } from '#kernel';
import type { Language } from '../mail/language.ts';
import type { Mail } from '../mail/mail.ts';
import type { PeopleSettings } from '../settings.ts';
import type { Payment, PaymentState } from './port.ts';

type Told = Extract<PaymentState, 'requested' | 'done' | 'refused' | 'failed'>;

interface MailTexts {
  readonly kinds: Readonly<Record<'deposit' | 'withdrawal', string>>;
  readonly subject: (kind: string, amount: string, venue: string) => Readonly<Record<Told, string>>;
  readonly to: (address: string) => string;
  readonly reference: (reference: string) => string;
  readonly reason: (reason: string) => string;
  readonly notYou: string;
  readonly returned: string;
}

const EN: MailTexts = {
  kinds: { deposit: 'Deposit', withdrawal: 'Withdrawal' },
  subject: (kind, amount, venue) => ({
    requested: `${kind} of ${amount} requested at ${venue}`,
    done: `${kind} of ${amount} completed at ${venue}`,
    refused: `${kind} of ${amount} declined at ${venue}`,
    failed: `${kind} of ${amount} failed at ${venue}`,
  }),
  to: (address) => `To: ${address}`,
  reference: (reference) => `Reference: ${reference}`,
  reason: (reason) => `Reason: ${reason}`,
  notYou: 'If this was not you, cancel the request at once and change your password.',
  returned: 'The amount and its fee are available again.',
};

const ZH: MailTexts = {
  kinds: { deposit: '充值', withdrawal: '提现' },
  subject: (kind, amount, venue) => ({
    requested: `${venue}：已申请${kind} ${amount}`,
    done: `${venue}：${kind} ${amount} 已完成`,
    refused: `${venue}：${kind} ${amount} 已被拒绝`,
    failed: `${venue}：${kind} ${amount} 失败`,
  }),
  to: (address) => `地址：${address}`,
  reference: (reference) => `参考号：${reference}`,
  reason: (reason) => `原因：${reason}`,
  notYou: '如非本人操作，请立即撤销申请并修改密码。',
  returned: '提现金额与手续费已退回账户。',
};

const TEXTS: Readonly<Record<Language, MailTexts>> = { en: EN, zh: ZH };

/** Undefined where there is nothing to say. */
export function paymentMail(
  { kind, state, scale, coin, amount, reason, address, reference }: Payment,
  { name, url }: Pick<PeopleSettings, 'name' | 'url'>,
  language: Language,
): Omit<Mail, 'to'> | undefined {
  if (kind === 'transfer' || !isTold(state)) return undefined;
  const isOut = kind === 'withdrawal';
  if (state === 'requested' && !isOut) return undefined;
  const texts = TEXTS[language];
  const shown = `${formatTrimmed(amount, scale)} ${coin}`;
  const isBack = state === 'refused' || state === 'failed';
  const lines = [
    address === '' ? '' : texts.to(address),
    reference === '' ? '' : texts.reference(reference),
    reason === '' ? '' : texts.reason(reason),
    isBack && isOut ? texts.returned : '',
    state === 'requested' ? texts.notYou : '',
    url === undefined ? '' : `${url}/account#money`,
  ];
  return {
    subject: texts.subject(texts.kinds[kind], shown, name)[state],
    text: `${lines.filter((line) => line !== '').join('\n\n')}\n`,
  };
}

function isTold(state: PaymentState): state is Told {
  return state !== 'approved' && state !== 'sent' && state !== 'cancelled';
}
