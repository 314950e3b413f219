/** Texts of operators, approvals and the log of actions in English. */

/** The role of an operator, by its name. */
const ROLES: Readonly<Record<string, string>> = {
  owner: 'Owner',
  operator: 'Operator',
  support: 'Support',
  auditor: 'Auditor',
};

/** What each role may do. */
const ROLE_MEANINGS: Readonly<Record<string, string>> = {
  owner: 'Everything, including appointing operators',
  operator: 'Runs markets, money and accounts',
  support: 'Reads, and helps people to sign in',
  auditor: 'Reads only',
};

const APPROVAL_KINDS: Readonly<Record<string, string>> = {
  deposit: 'Deposit',
  withdraw: 'Withdrawal',
  insurance: 'Insurance fund',
  limit: 'Limit',
  grant: 'Account or key given',
  competition: 'Competition round',
};

const APPROVAL_STATES: Readonly<Record<string, string>> = {
  pending: 'Pending',
  approved: 'In progress',
  done: 'Done',
  failed: 'Failed',
  refused: 'Rejected',
  expired: 'Expired',
};

const OUTCOMES: Readonly<Record<string, string>> = {
  done: 'Done',
  refused: 'Rejected',
  failed: 'Failed',
  unknown: 'Unknown',
};

export const operators = {
  roles: ROLES,
  roleMeanings: ROLE_MEANINGS,
  limits: 'Two-person limits',
  limitsMean:
    'What one operator may move alone: at a time, and within 24 hours by operator and by account.',
  noLimits: 'No limits: one operator may move any amount',
  noLimit: 'No limit',
  limit: 'Limit',
  coin: 'Coin',
  configured: 'In the configuration',
  changedBy: 'Changed by',
  setLimit: 'Set limit',
  limitRemark:
    'A lower limit takes effect immediately. Another owner approves a higher one, or none.',
  limitSet: (coin: string) => `Limit of ${coin} set`,
  limitQuestion: (coin: string, amount: string) =>
    amount === '' ? `Remove the limit of ${coin}?` : `Set the limit of ${coin} to ${amount}?`,
  approvalKinds: APPROVAL_KINDS,
  approvalStates: APPROVAL_STATES,
  outcomes: OUTCOMES,

  bySession: 'Sign in by e-mail',
  demoLink:
    'This is the demo: the terminal in which it was started (npm start) shows a link that opens ' +
    'this console once. Start it again for a new one.',
  linkOver: 'This link was used, or is older than ten minutes',
  orByToken: 'or with the admin token',
  notOperator: 'You are not an operator of this venue. Ask an owner to appoint you.',
  factorNeeded: 'An operator needs a second factor. Set it up on the account page, then come back.',
  toAccount: 'Account page',
  you: (name: string, role: string) => `${name} · ${role}`,
  mayNot: (role: string) => `Your role (${role}) does not allow this.`,
  note: 'Reason for the log',

  title: 'Operators',
  person: 'E-mail',
  role: 'Role',
  factor: 'Second factor',
  factorOn: 'On',
  factorOff: 'Missing',
  since: 'Since',
  suspended: 'Suspended',
  none: 'No operators: the admin token runs the venue',
  appoint: 'Appoint operator',
  appointed: (email: string, role: string) => `${email} is now ${role}`,
  noPerson: 'No person has this e-mail address',
  change: 'Change role',
  changeOf: (email: string) => `Change role of ${email}`,
  remove: 'Remove',
  removeOf: (email: string) => `Remove ${email}`,
  removeQuestion: (email: string) => `${email} will no longer be an operator, at once.`,
  removed: (email: string) => `${email} is no longer an operator`,

  approvals: 'Approvals',
  noApprovals: 'Nothing is waiting for approval',
  what: 'Request',
  amount: 'Amount',
  account: 'Account',
  askedBy: 'Requested by',
  reason: 'Reason',
  state: 'Status',
  decidedBy: 'Decided by',
  until: 'Expires',
  approve: 'Approve',
  approveOf: (what: string) => `Approve ${what}`,
  approveQuestion: (what: string) => `${what} will be carried out now.`,
  approvedNow: (what: string) => `${what} approved`,
  refuse: 'Reject',
  refuseOf: (what: string) => `Reject ${what}`,
  refuseQuestion: (what: string) => `${what} will not be carried out.`,
  refusedNow: (what: string) => `${what} rejected`,
  settle: 'Settle',
  settleOf: (what: string) => `Settle ${what}`,
  settleMeans:
    'The venue stopped while this was in progress. Look in the account history whether the money ' +
    'moved, and record it here. Nothing is carried out.',
  moved: 'The money moved',
  seen: 'What you saw, for example the id in the history',
  settled: 'Recorded',

  log: 'Log of actions',
  noActions: 'No actions',
  time: 'Time',
  who: 'Operator',
  action: 'Action',
  asked: 'Details',
  outcome: 'Outcome',
  from: 'Address',
  request: 'Request id',
  search: 'Search',
  find: 'Search',
  anyText: 'Text',
  fromDay: 'From',
  untilDay: 'Until',
  older: 'Older',
  newest: 'Newest',
  csv: 'Export CSV',
  verify: 'Verify log',
  intact: (entries: string, hash: string) => `${entries} entries, all intact. Last hash: ${hash}`,
  broken: (entry: string) => `Entry ${entry} was changed or removed`,
};

export type OperatorTexts = typeof operators;
