/** Texts in English: a person's address, mails and data on the account page. */
export const personal = {
  address: {
    title: 'E-mail address',
    current: 'Current address',
    newEmail: 'New e-mail address',
    means: 'You get a link at the new address. Nothing changes until you open it.',
    submit: 'Change address',
    next: {
      mail: 'Open the link in the mail sent to the new address.',
      terminal: 'Open the link in the terminal where the venue runs.',
      operator: 'The operator has the link for you.',
    },
  },
  mailLanguage: 'Write to me in',
  data: {
    title: 'Your data',
    exportMeans: 'Download what is kept about you: profile, sessions, API keys and security log.',
    export: 'Download my data',
    deleteMeans:
      'Deleting removes your profile and your access for good. Trading records stay without ' +
      'your name. Accounts that only you manage must be empty; they are frozen.',
    delete: 'Delete my profile',
    deleteQuestion: (email: string) =>
      `Delete ${email} for good? You are signed out everywhere and cannot undo this.`,
    deleted: 'Your profile was deleted',
  },
  link: {
    email: 'Confirm your new e-mail address',
    emailMeans: 'From now on you sign in with this address.',
    emailSubmit: 'Use this address',
    email_undo: 'Take the change back',
    email_undoMeans:
      'Your account gets this address back. All sessions are signed out, ' +
      'and you set a new password.',
    email_undoSubmit: 'Take it back',
  },
  news: {
    emailChanged: 'Your new e-mail address is confirmed. You can sign in with it now.',
    emailUndone: 'The change was taken back. Use the link we sent you to set a new password.',
  },
};

export type PersonalTexts = typeof personal;
