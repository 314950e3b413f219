/** Texts of operators, approvals and the log of actions in Chinese. */
import type { OperatorTexts } from './en-operators.ts';

const ROLES: Readonly<Record<string, string>> = {
  owner: '所有者',
  operator: '运营',
  support: '客服',
  auditor: '审计',
};

const ROLE_MEANINGS: Readonly<Record<string, string>> = {
  owner: '全部权限，包括任命运营人员',
  operator: '管理市场、资金和账户',
  support: '可查看，并协助用户登录',
  auditor: '仅可查看',
};

const APPROVAL_KINDS: Readonly<Record<string, string>> = {
  deposit: '充值',
  withdraw: '提现',
  insurance: '保险基金',
};

const APPROVAL_STATES: Readonly<Record<string, string>> = {
  pending: '待审批',
  approved: '执行中',
  done: '已完成',
  failed: '失败',
  refused: '已拒绝',
  expired: '已过期',
};

const OUTCOMES: Readonly<Record<string, string>> = {
  done: '已完成',
  refused: '已拒绝',
  failed: '失败',
  unknown: '未知',
};

export const operators: OperatorTexts = {
  roles: ROLES,
  roleMeanings: ROLE_MEANINGS,
  approvalKinds: APPROVAL_KINDS,
  approvalStates: APPROVAL_STATES,
  outcomes: OUTCOMES,

  bySession: '邮箱登录',
  orByToken: '或使用管理员令牌',
  notOperator: '您不是本交易所的运营人员，请联系所有者任命。',
  factorNeeded: '运营人员必须启用两步验证。请先在账户页面设置，再返回此页。',
  toAccount: '账户页面',
  you: (name, role) => `${name} · ${role}`,
  mayNot: (role) => `您的角色（${role}）无权执行此操作。`,
  note: '操作原因（记入日志）',

  title: '运营人员',
  person: '邮箱',
  role: '角色',
  factor: '两步验证',
  factorOn: '已启用',
  factorOff: '未启用',
  since: '任命时间',
  suspended: '已停用',
  none: '暂无运营人员：交易所由管理员令牌管理',
  appoint: '任命运营人员',
  appointed: (email, role) => `已任命 ${email} 为${role}`,
  noPerson: '没有使用该邮箱的用户',
  change: '更改角色',
  changeOf: (email) => `更改 ${email} 的角色`,
  remove: '移除',
  removeOf: (email) => `移除 ${email}`,
  removeQuestion: (email) => `${email} 将立即不再是运营人员。`,
  removed: (email) => `${email} 已不再是运营人员`,

  approvals: '审批',
  noApprovals: '没有待审批的申请',
  what: '申请',
  amount: '金额',
  account: '账户',
  askedBy: '申请人',
  reason: '原因',
  state: '状态',
  decidedBy: '审批人',
  until: '过期时间',
  approve: '批准',
  approveOf: (what) => `批准${what}`,
  approveQuestion: (what) => `${what}将立即执行。`,
  approvedNow: (what) => `${what}已批准`,
  refuse: '拒绝',
  refuseOf: (what) => `拒绝${what}`,
  refuseQuestion: (what) => `${what}将不会执行。`,
  refusedNow: (what) => `${what}已拒绝`,
  settle: '核实',
  settleOf: (what) => `核实${what}`,
  settleMeans:
    '该申请执行期间交易所停止了运行。请在账户流水中查看资金是否已变动，并在此记录。不会执行任何操作。',
  moved: '资金已变动',
  seen: '核实依据，例如流水编号',
  settled: '已记录',

  log: '操作日志',
  noActions: '暂无操作',
  time: '时间',
  who: '运营人员',
  action: '操作',
  asked: '详情',
  outcome: '结果',
  from: '地址',
  request: '请求编号',
  search: '搜索',
  find: '搜索',
  anyText: '文本',
  fromDay: '起始日期',
  untilDay: '截止日期',
  older: '更早',
  newest: '最新',
  csv: '导出 CSV',
  verify: '校验日志',
  intact: (entries, hash) => `共 ${entries} 条记录，均完好。最新哈希：${hash}`,
  broken: (entry) => `记录 ${entry} 已被更改或删除`,
};
