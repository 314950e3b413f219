/** What the banner of the terminal says, in English and in Chinese. */
const en = {
  label: 'Announcements',
  until: (time: string) => `until ${time}`,
  planned: (from: string, until: string) => `Maintenance from ${from} to ${until}`,
  begun: (until: string) =>
    `Maintenance until ${until}: trading is halted, orders can be cancelled`,
  markets: (names: string) => `Markets: ${names}`,
  hide: 'Hide',
};

export type BannerTexts = typeof en;

const zh: BannerTexts = {
  label: '公告',
  until: (time) => `有效期至 ${time}`,
  planned: (from, until) => `系统维护：${from} 至 ${until}`,
  begun: (until) => `系统维护中，预计 ${until} 结束：交易暂停，可以撤单`,
  markets: (names) => `市场：${names}`,
  hide: '隐藏',
};

export const BANNER_TEXTS = { en, zh };
