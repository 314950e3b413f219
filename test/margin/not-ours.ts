/** Examples of rules that this venue does not have, and why none of its formulas applies. */
export const NOT_OURS: ReadonlyMap<string, string> = new Map([
  ['mr-bingx', 'its ratio is equity over used margin less an adjustment; ours is over the value'],
  [
    'snap-huobi-lin-cross-risk',
    'its risk is equity over used margin times an adjustment; ours is over the value',
  ],
  ['tier-huobi-net', 'its tier follows from the net position; ours from long and short together'],
  ['tier-okx-futures', 'one account holds several contracts; ours are separate for each contract'],
  [
    'liq-bybit-inv-cross',
    'its printed 5739.50 does not follow from its printed formula, which gives 5739.08',
  ],
  ['twap-vega-ext', 'weighs premiums by time; ours are one sample a minute with equal weights'],
  ['shortfall-vega', 'the fund pays missing funding; here receivers share what was collected'],
  ['fund-dydx-round-pos', 'funding is an index per unit, cut; ours is rounded for each position'],
  ['fund-dydx-round-neg', 'funding is an index per unit, cut; ours is rounded for each position'],
  ['fund-okx-window-1610', 'a rolling window of eight hours; ours begins at the last settlement'],
  ['fund-okx-window-1700', 'a rolling window of eight hours; ours begins at the last settlement'],
  ['fund-okx-window-2359', 'a rolling window of eight hours; ours begins at the last settlement'],
  ['fund-okx-window-0100', 'a rolling window of eight hours; ours begins at the last settlement'],
]);
