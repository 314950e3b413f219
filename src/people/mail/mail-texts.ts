/** What mails say, in each language: links that were asked for, and what has changed. */

import type { Language } from './language.ts';

/** What links are for that a mail carries. */
export const LINK_KINDS = ['confirm', 'reset', 'welcome', 'email', 'email_undo'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/** Changes that a person hears of by mail, whoever made them. */
export const NOTICES = [
  'password_changed',
  'password_reset',
  'link_handed_out',
  'second_factor_on',
  'second_factor_off',
  'recovery_codes_made',
  'key_made',
  'deleted',
] as const;
/** A sign-in is worth a mail where it is from somewhere new. */
export type NoticeKind = (typeof NOTICES)[number] | 'signed_in';

/** When and from where something was done. */
export interface Occasion {
  readonly venue: string;
  /** In UTC. */
  readonly time: string;
  /** Empty for the operator. */
  readonly address: string;
}

interface MailTexts {
  readonly linkSubject: Readonly<Record<LinkKind, (venue: string) => string>>;
  /** Stands above the link. */
  readonly linkText: Readonly<Record<LinkKind, readonly string[]>>;
  readonly ignore: string;
  readonly knownSubject: (venue: string) => string;
  readonly known: readonly string[];
  readonly noticeSubject: Readonly<Record<NoticeKind | 'email_changed', (venue: string) => string>>;
  readonly happened: Readonly<Record<NoticeKind | 'email_changed', string>>;
  readonly occasion: (occasion: Occasion) => string;
  /** What to do when it was somebody else. */
  readonly notYou: (url: string) => string;
  readonly undo: string;
  readonly noUndo: string;
}

const EN: MailTexts = {
  linkSubject: {
    confirm: (venue) => `Confirm your e-mail address at ${venue}`,
    reset: (venue) => `Choose a new password at ${venue}`,
    welcome: (venue) => `Your access to ${venue}`,
    email: (venue) => `Confirm your new e-mail address at ${venue}`,
    email_undo: (venue) => `Your e-mail address at ${venue} was changed`,
  },
  linkText: {
    confirm: ['Open this link to confirm your address. It works once, for 24 hours.'],
    reset: ['Open this link to choose a new password. It works once, for one hour.'],
    welcome: [
      'An account was opened for you. Open this link to choose a password.',
      'It works once, for seven days.',
    ],
    email: ['Open this link to sign in with this address. It works once, for 24 hours.'],
    email_undo: [],
  },
  ignore: 'If you did not ask for this, ignore this mail: nothing has changed.',
  knownSubject: (venue) => `You already have an account at ${venue}`,
  known: [
    'Somebody tried to sign up with this address, which already has an account.',
    'If it was you, sign in, or ask for a new password there.',
  ],
  noticeSubject: {
    password_changed: (venue) => `Your password at ${venue} was changed`,
    password_reset: (venue) => `Your password at ${venue} was reset`,
    link_handed_out: (venue) => `The operator of ${venue} handed out a link of yours`,
    second_factor_on: (venue) => `Two-factor authentication at ${venue} is on`,
    second_factor_off: (venue) => `Two-factor authentication at ${venue} is off`,
    recovery_codes_made: (venue) => `New recovery codes at ${venue}`,
    key_made: (venue) => `New API key at ${venue}`,
    signed_in: (venue) => `New sign-in at ${venue}`,
    deleted: (venue) => `You were deleted at ${venue}`,
    email_changed: (venue) => `Your e-mail address at ${venue} was changed`,
  },
  happened: {
    password_changed: 'Your password was changed.',
    password_reset: 'A new password was chosen for you by a link. All sessions were signed out.',
    link_handed_out:
      'The operator took a link that acts for you, to give it to you. Earlier ones no longer work.',
    second_factor_on: 'Two-factor authentication was turned on.',
    second_factor_off: 'Two-factor authentication was turned off.',
    recovery_codes_made: 'New recovery codes were made. Earlier ones no longer work.',
    key_made: 'An API key was created.',
    signed_in: 'Your account was signed in to from a new device or location.',
    deleted: 'Your access, your name and your address were deleted. This is the last mail.',
    email_changed: 'Your account now has another e-mail address. This one no longer signs in.',
  },
  occasion: ({ time, address }) =>
    address === '' ? `${time} UTC, by the operator of the venue` : `${time} UTC, from ${address}`,
  notYou: (url) => `If it was not you, reset your password at once: ${url}`,
  undo: 'If it was not you, open this link to take it back. It works once, for seven days.',
  noUndo: 'If it was not you, use the link of the first mail about a changed address.',
};

const ZH: MailTexts = {
  linkSubject: {
    confirm: (venue) => `请验证您在 ${venue} 的邮箱`,
    reset: (venue) => `重置您在 ${venue} 的密码`,
    welcome: (venue) => `您已获准使用 ${venue}`,
    email: (venue) => `请验证您在 ${venue} 的新邮箱`,
    email_undo: (venue) => `您在 ${venue} 的邮箱已更改`,
  },
  linkText: {
    confirm: ['请打开以下链接验证邮箱。链接 24 小时内有效，仅可使用一次。'],
    reset: ['请打开以下链接设置新密码。链接 1 小时内有效，仅可使用一次。'],
    welcome: ['已为您开户。请打开以下链接设置密码。', '链接 7 天内有效，仅可使用一次。'],
    email: ['请打开以下链接，改用此邮箱登录。链接 24 小时内有效，仅可使用一次。'],
    email_undo: [],
  },
  ignore: '如非您本人操作，请忽略本邮件，您的账户不会有任何变化。',
  knownSubject: (venue) => `您在 ${venue} 已有账户`,
  known: ['有人尝试用此邮箱注册，但该邮箱已有账户。', '如果是您本人，请直接登录或重置密码。'],
  noticeSubject: {
    password_changed: (venue) => `您在 ${venue} 的密码已修改`,
    password_reset: (venue) => `您在 ${venue} 的密码已重置`,
    link_handed_out: (venue) => `${venue} 的管理员取出了您的链接`,
    second_factor_on: (venue) => `您在 ${venue} 的两步验证已开启`,
    second_factor_off: (venue) => `您在 ${venue} 的两步验证已关闭`,
    recovery_codes_made: (venue) => `您在 ${venue} 的恢复码已更新`,
    key_made: (venue) => `您在 ${venue} 新建了 API Key`,
    signed_in: (venue) => `您在 ${venue} 的账户有新的登录`,
    deleted: (venue) => `您在 ${venue} 的账户已注销`,
    email_changed: (venue) => `您在 ${venue} 的邮箱已更改`,
  },
  happened: {
    password_changed: '您的密码已修改。',
    password_reset: '您的密码已通过链接重置，所有会话均已退出。',
    link_handed_out: '管理员取出了一个可代表您操作的链接，以便转交给您。此前的链接已失效。',
    second_factor_on: '两步验证已开启。',
    second_factor_off: '两步验证已关闭。',
    recovery_codes_made: '已生成新的恢复码，原有恢复码失效。',
    key_made: '已新建一个 API Key。',
    signed_in: '您的账户在新的设备或地点登录。',
    deleted: '您的登录信息、名称和邮箱已删除。这是最后一封邮件。',
    email_changed: '您的账户已更换邮箱，原邮箱不能再用于登录。',
  },
  occasion: ({ time, address }) =>
    address === '' ? `时间：${time}（UTC），由管理员操作` : `时间：${time}（UTC），IP：${address}`,
  notYou: (url) => `如非您本人操作，请立即重置密码：${url}`,
  undo: '如非您本人操作，请打开以下链接撤销更改。链接 7 天内有效，仅可使用一次。',
  noUndo: '如非您本人操作，请使用首封邮箱更改通知中的链接撤销。',
};

export const MAIL_TEXTS: Readonly<Record<Language, MailTexts>> = { en: EN, zh: ZH };
