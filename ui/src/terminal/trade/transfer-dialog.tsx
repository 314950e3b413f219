/** Moves money between spot and the contracts that have their margin in the coin. */
import { type SubmitEvent, useState } from 'react';
import { formatTrimmed } from '#kernel';
import { Button, Dialog, Field, FieldRow, notify, Select } from '../../look/mod.ts';
import { scaled } from '../../model/numbers.ts';
import { SHARED } from '../../model/positions.ts';
import { useAccount, useIsSignedIn } from '../../session/session.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { instruments } from '../context.ts';
import { account } from './account-state.ts';
import { transfer, type Wallet } from './calls.ts';
import { exactMoney, faultText, readField } from './draft.ts';
import { walletName } from './formats.ts';
import { usePermissions } from './permissions.ts';
import { terms } from './terms.ts';
import { useAction } from './use-action.ts';
import { useIsShared } from './use-margin.ts';

interface TransferButtonProps {
  readonly coin: string;
  /** Where money is wanted: spot, or a contract. */
  readonly to: string;
}

export function TransferButton({ coin, to }: TransferButtonProps) {
  const { trade, session } = useTexts();
  const isSignedIn = useIsSignedIn();
  const { mayTransfer } = usePermissions();
  const cannot = useAccount() === undefined ? trade.noTransferPermission : session.noTransfers;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        tone="quiet"
        disabled={!isSignedIn || !mayTransfer}
        title={isSignedIn && !mayTransfer ? cannot : undefined}
        onClick={() => setOpen(true)}
      >
        {trade.transfer}
      </Button>
      {isOpen ? <TransferDialog coin={coin} to={to} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

interface TransferDialogProps extends TransferButtonProps {
  readonly onClose: () => void;
}

function TransferDialog(props: TransferDialogProps) {
  const { trade } = useTexts();
  const { coins } = useRoutes();
  return (
    <Dialog title={trade.transfer} onClose={props.onClose}>
      {coins.length === 0 ? (
        <p className="remark">{trade.noTransferRoute}</p>
      ) : (
        <TransferForm {...props} />
      )}
    </Dialog>
  );
}

function TransferForm({ coin: firstCoin, to: firstTo, onClose }: TransferDialogProps) {
  const { trade } = useTexts();
  const { isBusy, run } = useAction();
  const route = useRoute(firstCoin, firstTo);
  const { coin, from, to } = route;
  const [amount, setAmount] = useState('');
  const [isTried, setTried] = useState(false);
  const available = useAvailable(from, coin);
  const scale = useStore(terms, (now) => now.coins[coin]) ?? 0;
  const read = readField(amount, scale, 'amount_invalid');
  const isShort = available !== undefined && read.value > available;
  const fault = read.fault ?? (isTried && read.isEmpty ? NO_AMOUNT : undefined);
  const shortWords = isShort ? trade.faults.balance_insufficient : undefined;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    if (read.value === 0n) return;
    const text = formatTrimmed(read.value, scale);
    const isDone = await run(() => transfer(coin, text, from, to));
    if (!isDone) return;
    notify('good', trade.transferred, `${text} ${coin}`);
    onClose();
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <RouteFields route={route} />
      <Field
        label={trade.amount}
        value={amount}
        unit={coin}
        isNumber
        fault={fault === undefined ? shortWords : faultText(fault, trade)}
        onValue={setAmount}
      />
      <div className="available-line">
        <span className="field-label">{trade.available}</span>
        <span className="figure">
          {available === undefined ? '–' : exactMoney(available, scale, coin)}
        </span>
        <Button
          tone="quiet"
          disabled={available === undefined || available <= 0n}
          onClick={() => setAmount(formatTrimmed(available ?? 0n, scale))}
        >
          {trade.all}
        </Button>
      </div>
      <Button type="submit" tone="main" isWide isBusy={isBusy}>
        {trade.transfer}
      </Button>
    </form>
  );
}

/** From where to where; the two are never the same. */
interface Route {
  readonly coin: string;
  readonly coins: readonly string[];
  readonly wallets: readonly Wallet[];
  readonly from: Wallet;
  readonly to: Wallet;
  setCoin(coin: string): void;
  setFrom(wallet: Wallet): void;
  setTo(wallet: Wallet): void;
}

function useRoute(firstCoin: string, firstTo: string): Route {
  const { coins, walletsOf, walletOf } = useRoutes();
  const wantedAtFirst = walletOf(firstTo);
  const [coin, setCoin] = useState(coins.includes(firstCoin) ? firstCoin : (coins[0] ?? ''));
  const [chosenFrom, setFrom] = useState<string>(() =>
    otherThan(wantedAtFirst, walletsOf(firstCoin)),
  );
  const [chosenTo, setTo] = useState<string>(wantedAtFirst);
  const wallets = walletsOf(coin);
  const from = wallets.find((wallet) => wallet === chosenFrom) ?? 'spot';
  const wanted = wallets.find((wallet) => wallet === chosenTo && wallet !== from);
  const to = wanted ?? otherThan(from, wallets);
  const swapOr = (wallet: Wallet): void => {
    setFrom(wallet);
    if (wallet === to) setTo(from);
  };
  return { coin, coins, wallets, from, to, setCoin, setFrom: swapOr, setTo };
}

function RouteFields({ route }: { readonly route: Route }) {
  const { trade } = useTexts();
  const { coin, coins, wallets, from, to } = route;
  const choices = wallets.map((wallet) => [wallet, walletName(wallet, coin, trade)] as const);
  return (
    <>
      <Select
        label={trade.coin}
        value={coin}
        choices={coins.map((code) => [code, code] as const)}
        onValue={route.setCoin}
      />
      <FieldRow>
        <Select label={trade.from} value={from} choices={choices} onValue={route.setFrom} />
        <Select
          label={trade.to}
          value={to}
          choices={choices.filter(([wallet]) => wallet !== from)}
          onValue={route.setTo}
        />
      </FieldRow>
    </>
  );
}

const NO_AMOUNT = { reject: 'amount_invalid' } as const;

function otherThan(wallet: string, wallets: readonly Wallet[]): Wallet {
  return wallets.find((other) => other !== wallet) ?? 'spot';
}

/** The coins that can be moved, and between which wallets. */
function useRoutes() {
  const contracts = useStore(instruments).filter((each) => each.kind === 'contract');
  const coins = [...new Set(contracts.map(({ marginCoin }) => marginCoin))].sort();
  const isShared = useIsShared();
  const walletOf = (symbol: string): Wallet => (isShared(symbol) ? SHARED : symbol);
  const walletsOf = (coin: string): Wallet[] => {
    const ofCoin = contracts.filter(({ marginCoin }) => marginCoin === coin);
    return [...new Set<Wallet>(['spot', ...ofCoin.map(({ symbol }) => walletOf(symbol))])];
  };
  return { coins, walletsOf, walletOf };
}

/** What a wallet can give of a coin. */
function useAvailable(wallet: Wallet, coin: string): bigint | undefined {
  const scale = useStore(terms, (now) => now.coins[coin]);
  const balances = useStore(account.balances);
  if (scale === undefined || balances === undefined) return undefined;
  const found = balances.find((row) => row.wallet === wallet && row.coin === coin);
  return scaled(found?.available ?? '0', scale);
}
