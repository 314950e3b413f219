/** The texts of alerts and of the layout in Chinese. */
import type { alerts as englishAlerts, arrange as englishArrange } from './en-alerts.ts';

export const alerts: typeof englishAlerts = {
  title: '提醒',
  titleWith: (count) => `提醒（${count}）`,
  alertFor: (market) => `${market} 价格提醒`,
  source: '价格类型',
  when: '触发条件',
  directions: { above: '涨至', below: '跌至' },
  eachTime: '每次触及都提醒',
  each: '每次提醒',
  add: '添加提醒',
  full: (most) => `最多可设置 ${most} 个提醒，请先删除一个。`,
  faults: {
    price: '请输入价格',
    above: '当前价格已达到或高于该价',
    below: '当前价格已达到或低于该价',
  },
  none: '暂无价格提醒。在上方设置价格，市场触及后会通知您。',
  list: '价格提醒',
  terms: {
    above: (source, price) => `${source}涨至 ${price}`,
    below: (source, price) => `${source}跌至 ${price}`,
  },
  onChart: { last: '提醒', mark: '标记价格提醒' },
  remove: (alert) => `删除 ${alert}`,
  firedTitle: (market) => `价格提醒：${market}`,
  fired: {
    above: (source, price) => `${source}已涨至 ${price}`,
    below: (source, price) => `${source}已跌至 ${price}`,
  },
  signals: '声音与浏览器通知',
  event: '事件',
  sound: '声音',
  browser: '浏览器通知',
  events: {
    fill: '委托成交',
    cancel: '委托被交易所撤销',
    alert: '价格提醒',
    risk: '强平预警',
  },
  allow: '允许通知',
  permission: {
    default: '尚未获得浏览器的通知权限。',
    granted: '切换到其他标签页或窗口时，会显示浏览器通知。',
    denied: '浏览器通知已被屏蔽，可在网站设置中允许。',
    unavailable: '此浏览器无法在当前页面显示通知，通知需要 HTTPS。',
  },
};

export const arrange: typeof englishArrange = {
  title: '布局',
  presets: '预设布局',
  preset: { standard: '标准', chart: '大图表', bookLeft: '盘口在左' },
  shownPanels: '显示的面板',
  panels: {
    chart: '图表',
    book: '盘口',
    trades: '成交',
    form: '下单',
    account: '持仓与委托',
    watchlist: '自选列表',
  },
  help: '将面板拖到其他面板上，或选择目标位置。拖动面板间隙可调整大小。',
  reset: '恢复默认',
  done: '完成',
  hide: '隐藏',
  move: '移动',
  moveTo: (panel) => `移动 ${panel}`,
  aims: {
    left: (panel) => `${panel}左侧`,
    right: (panel) => `${panel}右侧`,
    above: (panel) => `${panel}上方`,
    below: (panel) => `${panel}下方`,
    swap: (panel) => `与${panel}互换`,
  },
  resize: (one, other) => `调整 ${one} 和 ${other} 的大小`,
};
