/** Balances of spot and of every contract account, what changed them, transfers and funding. */
import { Fragment, type ReactNode, useState } from 'react';
import { type Column, directionOf, Figure, Table } from '../../look/mod.ts';
import { compare, sumOf } from '../../model/numbers.ts';
import { type Balance, type Position, type Settings, SHARED } from '../../model/positions.ts';
import { rateOf } from '../../model/valuation.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { useInstrument } from '../context.ts';
import { Segments } from '../market/segments.tsx';
import { account } from './account-state.ts';
import { EquityCurve } from './equity-curve.tsx';
import { moneyOf, shortNumber } from './formats.ts';
import { FundingPayments, Ledger } from './ledger.tsx';
import { MarketLink } from './order-columns.tsx';
import { Pane } from './pane.tsx';
import { CoinChoice, TotalValue, Worth } from './total-value.tsx';
import { TransferButton } from './transfer-dialog.tsx';
import { FundingRates, Transfers } from './transfers.tsx';
import { useMarkets, useValueCoin } from './worth.ts';

const SHOWN = ['balances', 'equityCurve', 'ledger', 'transfers', 'funding', 'payments'] as const;
type Shown = (typeof SHOWN)[number];

export function Balances() {
  const { trade, layout, records } = useTexts();
  const titles = { ...trade, ...records, balances: layout.balances };
  const instrument = useInstrument();
  const [shown, setShown] = useState<Shown>('balances');
  const isContract = instrument?.kind === 'contract';
  const names = SHOWN.filter((name) => isContract || name !== 'funding');
  const choice = (
    <Segments
      label={trade.moneyShown}
      value={shown}
      segments={names.map((name) => ({
        choice: name,
        title: titles[name],
      }))}
      onValue={setShown}
    />
  );
  if (shown === 'equityCurve') return <EquityCurve choice={choice} />;
  if (shown === 'payments') return <FundingPayments choice={choice} />;
  if (shown === 'ledger') return <Ledger choice={choice} />;
  if (shown === 'transfers') return <Transfers choice={choice} />;
  if (shown === 'funding' && isContract) {
    return <FundingRates key={instrument.symbol} symbol={instrument.symbol} choice={choice} />;
  }
  return <AllBalances choice={choice} />;
}

/** One line for each coin of spot that is owned, and for each wallet behind contracts. */
interface BalanceLine {
  readonly name: string;
  /** The contracts that stand on it; none for spot. */
  readonly symbols: readonly string[];
  readonly coin: string;
  readonly equity: string | undefined;
  readonly available: string;
  readonly frozen: string;
  readonly margin: string | undefined;
  readonly unrealised: string | undefined;
  /** All that is owned of it, to be valued. */
  readonly owned: string;
}

function AllBalances({ choice }: { readonly choice: ReactNode }) {
  const { layout, trade } = useTexts();
  const coin = useInstrument()?.quote ?? '';
  const lines = useLines();
  return (
    <Pane controls={choice} aside={<TransferButton coin={coin} to="spot" />}>
      <div className="total-line">
        <TotalValue />
        <CoinChoice />
      </div>
      <Table
        label={layout.balances}
        columns={useColumns()}
        rows={lines}
        keyOf={({ name }) => name}
        empty={trade.noBalances}
      />
    </Pane>
  );
}

function useLines(): readonly BalanceLine[] | undefined {
  const balances = useStore(account.balances);
  const settings = useStore(account.settings);
  const positions = useStore(account.positions);
  if (balances === undefined || settings === undefined || positions === undefined) return undefined;
  const isSpot = ({ wallet }: Balance) => wallet === 'spot';
  const ofContracts = balances.filter((row) => !isSpot(row));
  return [
    ...balances.filter(isSpot).map(spotLine),
    ...ofContracts.map((row) => walletLine(row, settings, positions)),
  ];
}

function spotLine({ coin, balance: owned, available, held: frozen }: Balance): BalanceLine {
  const nothing = { equity: undefined, margin: undefined, unrealised: undefined };
  return { name: `spot.${coin}`, symbols: [], coin, owned, available, frozen, ...nothing };
}

/** A wallet, and what is held on it. */
function walletLine(
  { wallet, coin, balance, available, held: frozen }: Balance,
  settings: readonly Settings[],
  positions: readonly Position[],
): BalanceLine {
  const standing = settings.filter((row) => row.wallet === wallet && row.coin === coin);
  const symbols = standing.map(({ symbol }) => symbol);
  const held = positions.filter(({ symbol }) => symbols.includes(symbol));
  const unrealised = sumOf(held.map(({ unrealizedPnl }) => unrealizedPnl));
  const equity = sumOf([balance, unrealised]);
  return {
    name: wallet === SHARED ? `${SHARED}.${coin}` : wallet,
    ...{ symbols, coin, equity, owned: equity, available, frozen, unrealised },
    margin: sumOf(held.map(({ margin }) => margin)),
  };
}

function useColumns(): readonly Column<BalanceLine>[] {
  const { trade, records } = useTexts();
  const target = useValueCoin();
  const markets = useMarkets();
  const money = (name: 'equity' | 'available' | 'frozen' | 'margin'): Column<BalanceLine> => ({
    name,
    title: trade[name],
    isNumber: true,
    cell: (line) => <Money amount={line[name]} coin={line.coin} />,
  });
  return [
    {
      name: 'account',
      title: trade.accountName,
      cell: ({ name, symbols, coin }) => (
        <>
          {symbols.length === 0 ? trade.spot : null}
          {name.startsWith(`${SHARED}.`) ? `${trade.coinWallet(coin)}: ` : null}
          {symbols.map((symbol) => (
            <Fragment key={symbol}>
              <MarketLink symbol={symbol} trade={trade} />{' '}
            </Fragment>
          ))}
        </>
      ),
    },
    { name: 'coin', title: trade.coin, cell: ({ coin }) => coin },
    money('available'),
    money('frozen'),
    money('margin'),
    {
      name: 'unrealised',
      title: trade.unrealised,
      isNumber: true,
      cell: ({ unrealised, coin }) => {
        if (unrealised === undefined || compare(unrealised, '0') === 0) return '–';
        const text = moneyOf(unrealised, coin);
        return <Figure text={text} direction={directionOf(text)} />;
      },
    },
    money('equity'),
    {
      name: 'value',
      title: `${records.value} (${target})`,
      isNumber: true,
      cell: ({ owned, coin }) => (
        <Worth amount={owned} rate={rateOf(coin, target, markets)} in={target} />
      ),
    },
    {
      name: 'transfer',
      title: <span className="only-read-out">{trade.transfer}</span>,
      cell: ({ coin, symbols: [first] }) => <TransferButton coin={coin} to={first ?? 'spot'} />,
    },
  ];
}

interface MoneyProps {
  readonly amount: string | undefined;
  readonly coin: string;
}

function Money({ amount, coin }: MoneyProps) {
  if (amount === undefined) return <Figure text={undefined} />;
  return (
    <span title={shortNumber(amount)}>
      <Figure text={moneyOf(amount, coin)} />
    </span>
  );
}
