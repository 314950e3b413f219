/**
 * `npm run client:freqtrade`: freqtrade trades on a venue of its own, for real and not dry: it buys
 * a pair, sees the fill, sells, and what it reports as its profit is compared with its fills on the
 * venue. Installs freqtrade with pip into a virtual environment of its own, which takes a
 * minute or two the first time and 1 GB; needs python3 3.11 or newer.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { type Credential, startVenue } from '#testing';

const VERSION = '2026.9';
const PAIR = 'BTC/USDT';
const TRADES_WANTED = 2;
const GIVE_UP_AFTER_MS = 300_000;
const LOOK_EVERY_MS = 500;
/** It multiplies by rates what the venue books in whole units. */
const PROFIT_TOLERANCE = 1e-4;
const STRATEGY = 'BuyAndSell';

/** Buys whenever it holds nothing, sells at market after five seconds. */
const STRATEGY_SOURCE = `from datetime import datetime

from freqtrade.strategy import IStrategy


class ${STRATEGY}(IStrategy):
    INTERFACE_VERSION = 3
    timeframe = "1m"
    startup_candle_count = 1
    stoploss = -0.99
    minimal_roi = {"0": 100}
    process_only_new_candles = False
    order_types = {
        "entry": "limit",
        "exit": "market",
        "stoploss": "market",
        "stoploss_on_exchange": False,
    }

    def populate_indicators(self, dataframe, metadata):
        return dataframe

    def populate_entry_trend(self, dataframe, metadata):
        dataframe["enter_long"] = 1
        return dataframe

    def populate_exit_trend(self, dataframe, metadata):
        return dataframe

    def custom_exit(self, pair, trade, current_time, current_rate, current_profit, **kwargs):
        held = (current_time - trade.open_date_utc).total_seconds()
        return "five seconds" if held > 5 else None
`;

const { values } = parseArgs({
  options: { environment: { type: 'string', default: join(tmpdir(), `freqtrade-${VERSION}`) } },
});
const environment = resolve(values.environment);
const freqtrade = join(environment, 'bin', 'freqtrade');
if (!existsSync(freqtrade)) install();

const directory = mkdtempSync(join(tmpdir(), 'outcry-freqtrade-'));
await using venue = await startVenue();
try {
  await play();
  const trades = closedTrades();
  console.table(trades);
  const reported = trades.reduce((sum, { profit }) => sum + profit, 0);
  const seen = await profitOfFills();
  console.log(`profit: ${reported.toFixed(6)} USDT by freqtrade, ${seen.toFixed(6)} by the fills`);
  assert.ok(Math.abs(reported - seen) < PROFIT_TOLERANCE, 'the profit is that of the fills');
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function install(): void {
  console.log(`installing freqtrade ${VERSION} into ${environment}`);
  const quiet = { stdio: 'inherit' } as const;
  execFileSync('python3', ['-m', 'venv', environment], quiet);
  const pip = join(environment, 'bin', 'pip');
  execFileSync(pip, ['install', '--quiet', `freqtrade==${VERSION}`], quiet);
}

/** Runs it until it has closed as many trades as are wanted and holds none. */
async function play(): Promise<void> {
  mkdirSync(join(directory, 'strategies'));
  writeFileSync(join(directory, 'strategies', `${STRATEGY}.py`), STRATEGY_SOURCE);
  writeFileSync(join(directory, 'config.json'), JSON.stringify(configuration(venue.keys.demo)));
  const child = spawn(
    freqtrade,
    [
      'trade',
      ...['--config', join(directory, 'config.json'), '--strategy', STRATEGY],
      ...['--userdir', directory, '--strategy-path', join(directory, 'strategies')],
      ...['--db-url', `sqlite:///${join(directory, 'trades.sqlite')}`],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const ended = once(child, 'exit');
  try {
    const giveUpMs = Date.now() + GIVE_UP_AFTER_MS;
    while (closedTrades().length < TRADES_WANTED || openTradesCount() > 0) {
      assert.equal(child.exitCode, null, 'freqtrade ended by itself: its log says why');
      assert.ok(Date.now() < giveUpMs, `${TRADES_WANTED} trades within five minutes`);
      await wait(LOOK_EVERY_MS);
    }
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}

function configuration({ key, secret, passphrase }: Credential): object {
  const { url } = venue;
  const urls = {
    api: {
      public: url,
      private: url,
      contract: url,
      contractPrivate: url,
      ws: {
        spot: `${url.replace('http', 'ws')}/spot/v3/ws`,
        contract: `${url.replace('http', 'ws')}/contract/v3/ws`,
      },
    },
  };
  return {
    dry_run: false,
    trading_mode: 'spot',
    max_open_trades: 1,
    stake_currency: 'USDT',
    stake_amount: 500,
    timeframe: '1m',
    unfilledtimeout: { entry: 1, exit: 1, unit: 'minutes' },
    // It asks ccxt for a call that this class does not have before it would read a book.
    entry_pricing: { price_side: 'other', use_order_book: false },
    exit_pricing: { price_side: 'other', use_order_book: false },
    exchange: {
      name: 'weex',
      key,
      secret,
      password: passphrase,
      ccxt_config: { urls },
      ccxt_async_config: { urls },
      pair_whitelist: [PAIR],
      enable_ws: false,
    },
    pairlists: [{ method: 'StaticPairList' }],
    internals: { process_throttle_secs: 1 },
    initial_state: 'running',
    bot_name: 'outcry',
  };
}

interface ClosedTrade {
  readonly pair: string;
  readonly amount: number;
  readonly bought: number;
  readonly sold: number;
  readonly fees: number;
  readonly profit: number;
}

function closedTrades(): readonly ClosedTrade[] {
  return query(
    `select pair, amount, open_rate as bought, close_rate as sold,
       fee_open_cost + fee_close_cost as fees, realized_profit as profit
     from trades where is_open = 0`,
  );
}

function openTradesCount(): number {
  return query<unknown>('select id from trades where is_open = 1').length;
}

function query<Row>(sql: string): Row[] {
  const file = join(directory, 'trades.sqlite');
  if (!existsSync(file)) return [];
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare<[], Row>(sql).all();
  } catch (error) {
    // Its tables come a moment after the file.
    if (error instanceof Error && error.message.startsWith('no such table')) return [];
    throw error;
  } finally {
    db.close();
  }
}

interface Fill {
  readonly price: string;
  readonly quoteQty: string;
  readonly commission: string;
  readonly isBuyer: boolean;
}

/** Bought and sold, in USDT, by the fills of the demo account; the fee of a buy is in base coin. */
async function profitOfFills(): Promise<number> {
  const { key, secret, passphrase } = venue.keys.demo;
  const path = '/api/v3/myTrades?symbol=BTCUSDT';
  const timestamp = String(Date.now());
  const answer = await fetch(`${venue.url}${path}`, {
    headers: {
      'ACCESS-KEY': key,
      'ACCESS-PASSPHRASE': passphrase,
      'ACCESS-TIMESTAMP': timestamp,
      'ACCESS-SIGN': createHmac('sha256', secret).update(`${timestamp}GET${path}`).digest('base64'),
    },
  });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  const fills: Fill[] = JSON.parse(text);
  return fills.reduce((sum, { price, quoteQty, commission, isBuyer }) => {
    const [value, fee] = [Number(quoteQty), Number(commission)];
    return isBuyer ? sum - value - fee * Number(price) : sum + value - fee;
  }, 0);
}
