/** Balances of spot and of every contract account, what changed them, transfers and funding. */
import { type ReactNode, useState } from 'react';
import { type Column, directionOf, Figure, Table } from '../../look/mod.ts';
import { compare } from '../../model/numbers.ts';
import type { ContractAccountRow } from '../../model/positions.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { useInstrument } from '../context.ts';
import { Segments } from '../market/segments.tsx';
import { account } from './account-state.ts';
import { Bills, FundingRates, Transfers } from './bills.tsx';
import { instrumentOf, moneyOf, shortNumber } from './formats.ts';
import { Ledger } from './ledger.tsx';
import { MarketLink } from './order-columns.tsx';
import { Pane } from './pane.tsx';
import { TransferButton } from './transfer-dialog.tsx';
import { useIsShared } from './wallets.ts';

const SHOWN = ['balances', 'bills', 'ledger', 'transfers', 'funding'] as const;
type Shown = (typeof SHOWN)[number];

export function Balances() {
  const { trade, layout } = useTexts();
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
        title: name === 'balances' ? layout.balances : trade[name],
      }))}
      onValue={setShown}
    />
  );
  if (shown === 'bills') return <Bills choice={choice} />;
  if (shown === 'ledger') return <Ledger choice={choice} />;
  if (shown === 'transfers') return <Transfers choice={choice} />;
  if (shown === 'funding' && isContract) {
    return <FundingRates key={instrument.symbol} symbol={instrument.symbol} choice={choice} />;
  }
  return <AllBalances choice={choice} />;
}

/** One line for each coin of spot that is owned, and for each contract account. */
interface BalanceLine {
  readonly name: string;
  /** The symbol of a contract; undefined for spot. */
  readonly symbol: string | undefined;
  readonly coin: string;
  readonly equity: string | undefined;
  readonly available: string;
  readonly frozen: string;
  readonly margin: string | undefined;
  readonly unrealised: string | undefined;
}

function AllBalances({ choice }: { readonly choice: ReactNode }) {
  const { layout, trade } = useTexts();
  const coin = useInstrument()?.quote ?? '';
  const lines = useLines();
  return (
    <Pane controls={choice} aside={<TransferButton coin={coin} to="spot" />}>
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
  const contracts = useStore(account.contracts);
  if (balances === undefined || contracts === undefined) return undefined;
  const spot = balances.map(({ coinName, available, frozen }): BalanceLine => {
    const money = { available, frozen, equity: undefined, margin: undefined };
    const name = `spot.${coinName}`;
    return { name, symbol: undefined, coin: coinName, ...money, unrealised: undefined };
  });
  return [...spot, ...contracts.map(contractLine)];
}

function contractLine(row: ContractAccountRow): BalanceLine {
  const found = instrumentOf(row.symbol);
  return {
    name: row.symbol,
    symbol: row.symbol,
    coin: found?.kind === 'contract' ? found.marginCoin : '',
    equity: row.equity,
    available: row.total_avail_balance,
    frozen: row.margin_frozen,
    margin: row.margin,
    unrealised: row.unrealized_pnl,
  };
}

function useColumns(): readonly Column<BalanceLine>[] {
  const { trade } = useTexts();
  const isShared = useIsShared();
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
      cell: ({ symbol, coin }) =>
        symbol === undefined ? (
          trade.spot
        ) : (
          <>
            <MarketLink symbol={symbol} trade={trade} />{' '}
            {isShared(symbol) ? <span className="unit">{trade.coinWallet(coin)}</span> : null}
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
      name: 'transfer',
      title: <span className="only-read-out">{trade.transfer}</span>,
      cell: ({ coin, symbol }) => <TransferButton coin={coin} to={symbol ?? 'spot'} />,
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
