/**
 * What a coin allows: the rules of the configuration and the networks of its listing together.
 * Amounts are decimal text until the scale of the coin is known.
 */
import { type Amount, type Asset, type Chain, isRefused, type Refused, refuse } from '#domain';
import { formatTrimmed, mulDivCeil, parseDecimal } from '#kernel';
import { refuseSaying } from '../context.ts';

export interface CoinRules {
  readonly coin: string;
  readonly deposits: boolean;
  readonly withdrawals: boolean;
  readonly minDeposit: string;
  readonly minWithdraw: string;
  /** Undefined for that of the network. */
  readonly fee: string | undefined;
  /** Of a person, and of an account, within 24 hours; undefined for none. */
  readonly dailyLimit: string | undefined;
  readonly approvals: number;
  /** What is above needs two approvals; undefined for none. */
  readonly twoApprovalsAbove: string | undefined;
  /** What an address has to be; undefined for any text. */
  readonly addressPattern: RegExp | undefined;
}

export interface WebhookSettings {
  readonly url: string;
  readonly secret: string;
}

export interface PaymentSettings {
  readonly coins: readonly CoinRules[];
  /** Undefined where no system outside is told. */
  readonly webhook: WebhookSettings | undefined;
}

export const NO_PAYMENTS: PaymentSettings = { coins: [], webhook: undefined };

const FINEST_SCALE = 18;

/** Decimal text in units of a coin; what is finer than the coin rounds up. */
export function unitsOf(text: string, scale: number): Amount {
  const finest = parseDecimal(text, FINEST_SCALE);
  if (typeof finest !== 'bigint') return 0n;
  return mulDivCeil(finest, 1n, 10n ** BigInt(FINEST_SCALE - scale));
}

/** What a request of one kind is held against. */
export interface Terms {
  /** Empty for a coin without networks. */
  readonly chain: string;
  readonly needsTag: boolean;
  readonly min: Amount;
  readonly fee: Amount;
  readonly dailyLimit: Amount | undefined;
  readonly addressPattern: RegExp | undefined;
}

export function rulesOf({ coins }: PaymentSettings, code: string): CoinRules | undefined {
  return coins.find(({ coin }) => coin === code);
}

/** The network that is meant: it may be left out where there is one. */
function chainMeant({ chains }: Asset, named: string): Chain | undefined | Refused {
  if (named === '' && chains.length <= 1) return chains[0];
  const found = chains.find(({ chain }) => chain.toLowerCase() === named.toLowerCase());
  if (found !== undefined) return found;
  const names = chains.map(({ chain }) => chain).join(', ');
  const known = names === '' ? 'the coin has no networks' : `chain is one of ${names}`;
  return refuseSaying('parameter_invalid', known);
}

/** What a deposit or withdrawal of the coin by a network has to keep to, or why there is none. */
export function termsOf(
  settings: PaymentSettings,
  kind: 'deposit' | 'withdrawal',
  coin: Asset,
  named: string,
): Terms | Refused {
  const rules = rulesOf(settings, coin.code);
  const isOut = kind === 'withdrawal';
  if (rules === undefined || !(isOut ? rules.withdrawals : rules.deposits)) {
    return refuse('payments_closed');
  }
  const chain = chainMeant(coin, named);
  if (chain !== undefined && 'reject' in chain) return chain;
  if (chain !== undefined && !(isOut ? chain.withdrawable : chain.rechargeable)) {
    return refuse('payments_closed');
  }
  const units = (text: string | undefined) => unitsOf(text ?? '0', coin.scale);
  const ofChain = units(isOut ? chain?.minWithdrawAmount : chain?.minDepositAmount);
  const ofRules = units(isOut ? rules.minWithdraw : rules.minDeposit);
  return {
    chain: chain?.chain ?? '',
    needsTag: isOut && chain?.needTag === true,
    min: ofChain > ofRules ? ofChain : ofRules,
    fee: isOut ? units(rules.fee ?? chain?.withdrawFee) : 0n,
    dailyLimit: isOut && rules.dailyLimit !== undefined ? units(rules.dailyLimit) : undefined,
    addressPattern: isOut ? rules.addressPattern : undefined,
  };
}

/** A coin with its networks, to which what is asked for has to keep. */
export function coinAsHeld(settings: PaymentSettings, coin: Asset): Asset {
  const chains = coin.chains.map((chain): Chain => {
    const incoming = termsOf(settings, 'deposit', coin, chain.chain);
    const outgoing = termsOf(settings, 'withdrawal', coin, chain.chain);
    const text = (units: Amount) => formatTrimmed(units, coin.scale);
    const mayCome = !isRefused(incoming);
    const mayGo = !isRefused(outgoing);
    return {
      ...chain,
      rechargeable: mayCome,
      withdrawable: mayGo,
      minDepositAmount: mayCome ? text(incoming.min) : chain.minDepositAmount,
      minWithdrawAmount: mayGo ? text(outgoing.min) : chain.minWithdrawAmount,
      withdrawFee: mayGo ? text(outgoing.fee) : chain.withdrawFee,
    };
  });
  return { ...coin, chains };
}

/** How many operators have to approve so much. */
export function approvalsFor(rules: CoinRules, amount: Amount, scale: number): number {
  const { approvals, twoApprovalsAbove } = rules;
  if (twoApprovalsAbove !== undefined && amount > unitsOf(twoApprovalsAbove, scale)) return 2;
  return approvals;
}

/** Why an amount is none of these terms. */
export function refuseAmount({ min }: Terms, amount: Amount, coin: Asset): Refused | undefined {
  if (amount <= 0n) return refuse('amount_invalid');
  if (amount >= min) return undefined;
  return refuseSaying('amount_invalid', `at least ${formatTrimmed(min, coin.scale)} ${coin.code}`);
}

export function refuseAddress(
  { needsTag, addressPattern }: Terms,
  { address, tag }: { readonly address: string; readonly tag: string },
): Refused | undefined {
  if (address === '') return refuseSaying('parameter_missing', 'address');
  if (addressPattern !== undefined && !addressPattern.test(address)) {
    return refuseSaying('parameter_invalid', 'address has another form on this network');
  }
  if (needsTag && tag === '') return refuseSaying('parameter_missing', 'tag');
  return undefined;
}
