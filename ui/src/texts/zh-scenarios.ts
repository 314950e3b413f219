/** The scenarios of the venue in Chinese, by the names of their files. */

interface Words {
  readonly title: string;
  readonly description: string;
}

const SCENARIOS: Readonly<Record<string, Words>> = {
  'back-to-checkpoint': {
    title: '回到检查点',
    description:
      '演示测试如何只构建一次状态、再从该状态反复运行；仍保留旧数据的客户端需要重新查询。',
  },
  delisting: {
    title: '下线',
    description:
      '演示交易品种暂停和下线后，机器人还能发起哪些请求、资金如何全额退回，以及暂停期间持仓仍可能被强平。',
  },
  'fat-finger': {
    title: '深度不足时的误操作',
    description:
      '演示限价范围和下单数量限制会拒绝哪些委托、过大的市价单以什么价格成交，以及标记价格不会随之变动。',
  },
  'flash-crash': {
    title: '闪崩',
    description:
      '演示深度不足时止损的代价、下跌途中 10 倍杠杆的持仓何时被强平，以及只有未被强平的持仓才能等到价格回升。',
  },
  'funding-at-threshold': {
    title: '强平线上的资金费用',
    description:
      '演示资金费用不会使持仓低于强平线、收取方只分得实际收到的金额，以及处于强平线的持仓会被强平。',
  },
  'funding-spike': {
    title: '资金费率升至上限',
    description:
      '演示盘口溢价如何形成资金费率、上限是多少、由谁向谁支付多少，以及支付后强平价如何变化。',
  },
  'inverse-cascade': {
    title: '连环强平至自动减仓（反向合约）',
    description: '演示以币本位计算保证金时的破产价格、成交、自动减仓与舍入。',
  },
  'liquidation-cascade': {
    title: '连环强平至自动减仓（正向合约）',
    description:
      '演示持仓的强平顺序、深度不足的盘口能承接多少、自动减仓由谁承担及其价格，以及保险基金的剩余金额。',
  },
  'lost-answers': {
    title: '收不到的响应',
    description:
      '演示请求没有响应的三种情况（已执行、执行前断开、延迟到达），以及自定义委托 ID 如何防止重复下单。',
  },
  'outage-during-stop': {
    title: '断线期间触发止损',
    description:
      '演示计划委托无需用户在线即可触发、维护期间客户端收到什么响应，以及恢复后如何查询期间发生的一切。',
  },
  'rate-limited-bot': {
    title: '被限制频率的机器人',
    description: '演示返回 429 或 503 的请求不会被执行、其他请求不受影响，以及交易所何时恢复受理。',
  },
};

/** What a scenario is called and shows; one that the operator has added keeps its own words. */
export function scenarioInChinese(name: string, title: string, description: string): Words {
  return SCENARIOS[name] ?? { title, description };
}
