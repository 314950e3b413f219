/**
 * Cycles between files that are still to be opened, each by its files. The list only shrinks: a
 * file that is in no cycle any more has to leave it.
 */
export const KNOWN_CYCLES: readonly (readonly string[])[] = [
  ['src/history/contract-schema.ts', 'src/history/schema.ts'],
  [
    'src/api/faults/calls.ts',
    'src/api/options.ts',
    'src/api/plugins/errors.ts',
    'src/api/plugins/metrics.ts',
    'src/api/routes/swap-orders.ts',
    'src/api/routes/swap-plans.ts',
    'src/api/routes/ui.ts',
    'src/api/serve.ts',
    'src/api/spot-streams/dialect.ts',
    'src/api/swap-streams/account-fold.ts',
    'src/api/swap-streams/dialect.ts',
  ],
  ['src/api/routes/admin-contracts.ts', 'src/api/routes/admin.ts'],
  ['src/scenario/action.ts', 'src/scenario/stage.ts'],
  ['src/scenario/file.ts', 'src/scenario/names.ts'],
  ['test/crash/contract-load.ts', 'test/crash/load.ts'],
  ['ui/src/texts/texts.ts', 'ui/src/texts/zh.ts'],
  ['ui/src/terminal/market/book-ladder.tsx', 'ui/src/terminal/market/book.tsx'],
  ['ui/src/terminal/market/candle-chart.tsx', 'ui/src/terminal/market/candle-legend.tsx'],
  [
    'ui/src/terminal/trade/close-dialog.tsx',
    'ui/src/terminal/trade/margin-dialog.tsx',
    'ui/src/terminal/trade/positions.tsx',
  ],
];
