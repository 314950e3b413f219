/**
 * Refusals of the venue in Chinese. They come in English: a meaning and, after a colon, what it is
 * about. What has no words here is shown as it came.
 */
import { REJECTS, type RejectKind } from '#domain';
import { DETAILS, FIGURES } from './zh-refusal-details.ts';

const MEANINGS: Readonly<Record<RejectKind, string>> = {
  path_unknown: '路径不存在',
  method_not_allowed: '该路径不支持此请求方法',
  body_too_large: '请求体过大',
  body_not_json: '请求体必须为 JSON (application/json)',
  rate_exceeded: '请求过于频繁',
  venue_busy: '交易所繁忙，请稍后重试',
  venue_halted: '交易所已停机，操作未执行',
  internal_fault: '内部错误',
  history_unavailable: '暂时无法读取历史记录',
  key_missing: '缺少 API Key',
  signature_missing: '缺少签名',
  timestamp_missing: '缺少时间戳',
  passphrase_missing: '缺少口令',
  timestamp_malformed: '时间戳不是有效数字',
  timestamp_expired: '请求时间戳早于当前时间 30 秒以上，或超前 5 秒以上',
  permission_missing: '该 API Key 没有此操作的权限',
  address_not_allowed: '当前 IP 不在该 API Key 的白名单中',
  admin_token_wrong: '管理员令牌无效',
  account_frozen: '账户已冻结',
  credentials_wrong: 'API Key、口令或签名错误',
  request_repeated: '严格模式的 API Key 要求每个请求重新签名',
  key_unknown: 'API Key 不存在',
  passphrase_wrong: '口令错误',
  signature_wrong: '签名错误',
  command_withheld: '此请求曾两次导致交易所进程退出，不再执行',
  host_unknown: '交易所不使用此域名',
  content_type_wrong: '内容类型必须为 application/json',
  outcome_unknown: '结果未知：请求可能已经执行',
  parameter_invalid: '参数校验失败',
  client_id_invalid: '客户端 ID 过长或包含不允许的字符',
  batch_too_large: '单次批量条目过多',
  order_id_missing: '未提供委托 ID 或客户端委托 ID',
  parameter_missing: '缺少必填参数',
  parameter_out_of_range: '参数超出范围',
  parameters_conflict: '参数之间相互冲突',
  side_invalid: '买卖方向无效',
  order_type_invalid: '委托类型无效',
  time_in_force_invalid: '有效方式无效',
  symbol_unknown: '交易对不存在',
  market_halted: '交易对暂不可交易',
  coin_unknown: '币种不存在',
  contract_unknown: '合约不存在',
  market_suspended: '交易对因故障停牌',
  price_invalid: '价格无效',
  quantity_invalid: '数量无效',
  quantity_below_minimum: '数量低于最小值',
  quantity_above_maximum: '数量高于最大值',
  notional_below_minimum: '委托金额低于最小值',
  client_order_id_in_use: '客户端委托 ID 已被使用',
  open_orders_exceeded: '当前委托过多',
  order_unknown: '委托不存在',
  order_already_closed: '委托已结束',
  price_above_ceiling: '价格高于该交易对的上限',
  price_below_floor: '价格低于该交易对的下限',
  precision_exceeded: '小数位数超出限制',
  balance_insufficient: '余额不足',
  amount_invalid: '金额无效',
  transfer_route_invalid: '这两个钱包之间不能划转',
  transfer_not_allowed: '该币种不能划转',
  account_unknown: '账户不存在',
  account_name_in_use: '账户名称已被使用',
  accounts_exceeded: '账户过多',
  key_in_use: 'API Key 已被使用',
  keys_exceeded: '单个账户的 API Key 过多',
  key_not_found: 'API Key 不存在',
  listing_exists: '已经上线',
  listing_invalid: '上线参数无效',
  settings_invalid: '设置无效',
  listings_exceeded: '上线数量过多',
  checkpoint_unknown: '检查点不存在',
  checkpoints_exceeded: '检查点过多，或交易所数据过大',
  faults_exceeded: '故障规则过多',
  fault_unknown: '故障规则不存在',
  clock_invalid: '时钟不能这样设置',
  maintenance: '交易所维护中',
  scenario_unknown: '场景不存在',
  contract_halted: '合约暂不可交易',
  contract_batch_too_large: '单次批量委托过多',
  page_window_exceeded: '不支持查询这么靠后的分页',
  days_exceeded: '超出历史记录的保留天数',
  time_range_reversed: '开始时间晚于结束时间',
  trigger_direction_mismatch: '计划委托的触发方向相互矛盾，或价格已到达触发价',
  contract_delisted: '合约已下架',
  contract_suspended: '合约因故障停牌',
  price_above_band: '价格高于允许的最高价',
  price_below_band: '价格低于允许的最低价',
  contract_client_id_in_use: '该合约中此客户端委托 ID 已被使用',
  contract_orders_exceeded: '该合约的当前委托过多',
  trigger_orders_exceeded: '该合约的计划委托过多',
  tp_sl_exceeded: '止盈止损委托过多',
  close_exceeds_position: '平仓数量超过可平数量',
  close_long_beyond_liquidation: '平多价格低于强平价',
  close_short_beyond_liquidation: '平空价格高于强平价',
  openable_exceeded: '超过当前杠杆可开数量',
  margin_insufficient: '合约账户余额不足',
  opens_into_liquidation: '开仓后将立即被强平',
  no_opposite_depth: '对手盘没有可成交的委托',
  take_profit_below_order: '多单止盈价必须高于委托价',
  take_profit_below_price: '多单止盈价必须高于当前价',
  stop_loss_above_order: '多单止损价必须低于委托价',
  stop_loss_above_price: '多单止损价必须低于当前价',
  take_profit_above_order: '空单止盈价必须低于委托价',
  take_profit_above_price: '空单止盈价必须低于当前价',
  stop_loss_below_order: '空单止损价必须高于委托价',
  stop_loss_below_price: '空单止损价必须高于当前价',
  leverage_locked: '有当前委托或计划委托时不能调整杠杆',
  margin_mode_locked: '有持仓、当前委托或计划委托时不能切换保证金模式',
  auto_margin_in_cross: '全仓模式不支持自动追加保证金',
  adjust_margin_in_cross: '全仓模式不能调整保证金',
  no_position_for_auto_margin: '没有可自动追加保证金的持仓',
  no_position_for_margin: '没有可调整保证金的持仓',
  margin_amount_invalid: '保证金数量无效',
  margin_removal_exceeded: '超过可减少的保证金',
  leverage_out_of_range: '不允许此杠杆',
  order_state_wrong: '委托当前状态不允许此操作',
  index_source_unknown: '该合约没有此指数来源',
  sign_in_needed: '请先登录',
  sign_in_failed: '邮箱、密码或验证码错误',
  second_factor_needed: '请输入两步验证码',
  confirmation_needed: '请先验证密码',
  origin_or_token_wrong: 'CSRF 令牌或来源无效',
  sign_up_closed: '暂不开放注册',
  invitation_wrong: '邀请码无效、已用完或已过期',
  link_wrong: '链接无效、已使用或已过期',
  password_unfit: '该密码不可用',
  people_unavailable: '暂时无法登录，交易不受影响',
  person_unknown: '用户不存在',
  session_unknown: '会话不存在',
  people_exceeded: '数量已达上限',
  second_factor_state_wrong: '两步验证的当前状态不允许此操作',
  code_wrong: '验证码无效、已使用或已过期',
  email_in_use: '该邮箱已被使用',
  competition_unknown: '比赛、轮次或参赛者不存在',
  competition_wrong: '比赛当前不允许此操作',
  payments_closed: '该币种的充值或提现已关闭',
  payment_unknown: '申请不存在',
  payment_state_wrong: '申请的当前状态不允许此操作',
  payment_limit_exceeded: '超过 24 小时提现额度',
  notice_unknown: '公告或维护窗口不存在',
  windows_overlap: '维护窗口的时间不能重叠',
  import_unknown: '导入任务不存在',
  import_differs: '该编号的导入内容不同',
};

/** Where the classic interface has words of its own. */
const CLASSIC_WORDS: Readonly<Record<string, RejectKind>> = {
  'Header ACCESS-KEY is missing': 'key_missing',
  'Header ACCESS-SIGN is missing': 'signature_missing',
  'Header ACCESS-TIMESTAMP is missing': 'timestamp_missing',
  'Header ACCESS-PASSPHRASE is missing': 'passphrase_missing',
  'ACCESS-TIMESTAMP is not a valid number': 'timestamp_malformed',
  'Plan order directions contradict each other, or the price is there already':
    'trigger_direction_mismatch',
  'client_oid is already in use': 'contract_client_id_in_use',
  'Too many plan orders in this contract': 'trigger_orders_exceeded',
  'Leverage cannot change while orders or plan orders are open': 'leverage_locked',
  'Mode cannot change while there are positions, orders or plan orders': 'margin_mode_locked',
  'No automatic margin in full-position mode': 'auto_margin_in_cross',
  'No margin adjustment in full-position mode': 'adjust_margin_in_cross',
};

const ENGLISH: ReadonlyMap<string, string> = new Map(
  Object.entries(REJECTS).map(([reject, { meaning }]) => [reject, meaning]),
);
const BY_ENGLISH: ReadonlyMap<string | undefined, string> = new Map([
  ...Object.entries(MEANINGS).map(([reject, chinese]) => [ENGLISH.get(reject), chinese] as const),
  ...Object.entries(CLASSIC_WORDS).map(([english, reject]) => [english, MEANINGS[reject]] as const),
]);

/** The refusal in Chinese; a detail that is not known stays English. */
export function refusalInChinese(english: string): string {
  const whole = BY_ENGLISH.get(english);
  if (whole !== undefined) return whole;
  // A meaning may have a colon of its own, as "The outcome is unknown: ..." has.
  for (let at = english.lastIndexOf(': '); at > 0; at = english.lastIndexOf(': ', at - 1)) {
    const meaning = BY_ENGLISH.get(english.slice(0, at));
    if (meaning !== undefined) return `${meaning}：${detailInChinese(english.slice(at + 2))}`;
  }
  return detailInChinese(english);
}

function detailInChinese(english: string): string {
  const known = DETAILS[english];
  if (known !== undefined) return known;
  for (const [pattern, chinese] of FIGURES) {
    if (pattern.test(english)) return english.replace(pattern, chinese);
  }
  return english;
}
