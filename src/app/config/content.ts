/**
 * What a configuration file means: decimal text becomes ticks, lots and amounts, names are held
 * against each other. Complaints carry the place; nothing here reads files.
 */

import { publicKeyOf } from '#api';
import { isKnownCredential } from '#child';
import {
  type AccountSettings,
  type AssetSpec,
  type ContractSpec,
  contractSymbol,
  contractSymbolMeant,
  type FundBudget,
  LIMITS,
  lots,
  marginCode,
  PERMISSIONS,
  type Permission,
  SPOT_BAND_DEFAULT_PPM,
  type SpotSpec,
  spotSymbol,
  ticks,
  USUAL_FUND_BUDGET,
  WALLETS_DEFAULT,
  type Wallet,
} from '#domain';
import type { FeeLevelSettings } from '#people';
import { ContractReader } from './contracts.ts';
import type { DepositConfig } from './deposits.ts';
import type { ConfigDocument, Path } from './document.ts';
import { feeLevelSettings } from './fee-levels.ts';
import { Figures } from './figures.ts';
import type { AccountContent, AssetContent, FileContent, SpotContent } from './schema.ts';
import { type Market, marketKey, readSimulation, type Simulation } from './simulation.ts';

/** What a key signs with is in the open: the secrets of the demo, or a public key. */
export interface KeyConfig {
  readonly key: string;
  /** Empty with a public key. */
  readonly secret: string;
  /** Of Ed25519, 32 bytes in base64. */
  readonly publicKey?: string;
  readonly passphrase: string;
  /** From the first start on; absent where it stays. */
  readonly expiresDays?: number;
  readonly permissions: readonly Permission[];
  readonly strictReplay: boolean;
}

export interface AccountConfig {
  readonly settings: AccountSettings;
  readonly keys: readonly KeyConfig[];
  readonly deposits: readonly DepositConfig[];
}

/** What the venue should have, whatever it has now. */
export interface VenueContent extends Simulation {
  readonly assets: readonly AssetSpec[];
  readonly spot: readonly SpotSpec[];
  readonly contracts: readonly ContractSpec[];
  readonly accounts: readonly AccountConfig[];
  /** What the first account of each person is given; with sign-up as in a demo alone. */
  readonly signUpDeposits: readonly DepositConfig[];
  /** Undefined where volumes make no difference. */
  readonly feeLevels: FeeLevelSettings | undefined;
}

type Funded = Pick<AccountContent, 'wallets' | 'deposits'>;

export function readContent(document: ConfigDocument, file: FileContent): VenueContent {
  return new ContentReader(document, file).read();
}

class ContentReader {
  readonly #document: ConfigDocument;
  readonly #figures: Figures;
  readonly #file: FileContent;
  readonly #scaleByCoin = new Map<string, number>();
  /** By what each is called here, without separators. */
  readonly #marginWallets = new Map<string, { readonly wallet: Wallet; readonly margin: string }>();
  /** Coins that linear contracts have their margin in. */
  readonly #linearMargins = new Set<string>();
  readonly #markets = new Map<string, Market>();

  constructor(document: ConfigDocument, file: FileContent) {
    this.#document = document;
    this.#figures = new Figures(document);
    this.#file = file;
    for (const asset of file.assets ?? []) this.#scaleByCoin.set(asset.code, asset.scale);
    for (const contract of file.contracts ?? []) {
      const { symbol, kind, base, quote, quantityScale } = contract;
      const margin = marginCode({ kind, baseCode: base, quoteCode: quote });
      const named = contractSymbolMeant(symbol, base, quote) ?? contractSymbol(base, quote);
      this.#marginWallets.set(marketKey(symbol), { wallet: named, margin });
      if (kind === 'linear') this.#linearMargins.add(margin);
      const scale = quantityScale ?? 0;
      this.#markets.set(marketKey(symbol), { symbol: named, quantityScale: scale });
    }
    for (const { symbol, base, quote, quantityScale } of file.spot ?? []) {
      this.#markets.set(marketKey(symbol), { symbol: spotSymbol(base, quote), quantityScale });
    }
  }

  read(): VenueContent {
    const file = this.#file;
    this.#refuseDoubles('assets', 'code', file.assets);
    this.#refuseDoubles('assets', 'coinId', file.assets);
    this.#refuseDoubles('spot', 'symbol', file.spot);
    this.#refuseDoubles('contracts', 'symbol', file.contracts);
    this.#refuseDoubles('accounts', 'name', file.accounts);
    const assets = (file.assets ?? []).map((asset, at) => ({
      ...assetSpec(asset),
      fundBudget: this.#fundBudget(['assets', at], asset),
    }));
    const spot = (file.spot ?? []).map((pair, at) => this.#spot(pair, ['spot', at]));
    const contracts = this.#contracts();
    const markets = [...spot, ...contracts];
    const content = {
      ...{ assets, spot, contracts },
      feeLevels: feeLevelSettings(file.feeLevels, this.#figures, assets, markets),
      accounts: (file.accounts ?? []).map((account, at) => this.#account(account, at)),
      signUpDeposits: this.#deposits(file.people ?? {}, ['people']),
      ...readSimulation(file, this.#figures, this.#markets),
    };
    this.#document.throwIfFaulty();
    return content;
  }

  #refuseDoubles<Row extends object>(list: string, field: keyof Row & string, rows?: Row[]): void {
    const seen = new Set<unknown>();
    for (const [at, row] of (rows ?? []).entries()) {
      const value = row[field];
      if (seen.has(value)) this.#document.complain([list, at, field], `${value} is there twice`);
      seen.add(value);
    }
  }

  #spot(pair: SpotContent, path: Path): SpotSpec {
    this.#checkPair(pair, path);
    const quoteScale = this.#scaleByCoin.get(pair.quote) ?? 0;
    const minLots = this.#figures.scaled(
      [...path, 'minQuantity'],
      pair.minQuantity,
      pair.quantityScale,
    );
    const maxLots = this.#figures.scaled(
      [...path, 'maxQuantity'],
      pair.maxQuantity,
      pair.quantityScale,
    );
    if (minLots < 1) this.#document.complain([...path, 'minQuantity'], 'must be above zero');
    if (maxLots < minLots) {
      this.#document.complain([...path, 'maxQuantity'], 'is below minQuantity');
    }
    return {
      symbol: spotSymbol(pair.base, pair.quote),
      baseCode: pair.base,
      quoteCode: pair.quote,
      priceScale: pair.priceScale,
      quantityScale: pair.quantityScale,
      minLots: lots(minLots),
      maxLots: lots(maxLots),
      minNotional: this.#figures.amount([...path, 'minNotional'], pair.minNotional, quoteScale),
      takerFeePpm: this.#figures.rate([...path, 'takerFee'], pair.takerFee),
      makerFeePpm: this.#figures.rate([...path, 'makerFee'], pair.makerFee),
      status: pair.status ?? 'online',
      referencePriceTicks: ticks(
        this.#figures.scaled([...path, 'referencePrice'], pair.referencePrice, pair.priceScale),
      ),
      priceBandPpm: this.#figures.rate(
        [...path, 'priceBand'],
        pair.priceBand,
        SPOT_BAND_DEFAULT_PPM,
      ),
    };
  }

  #checkPair(pair: SpotContent, path: Path): void {
    const baseScale = this.#coinScale([...path, 'base'], pair.base);
    const quoteScale = this.#coinScale([...path, 'quote'], pair.quote);
    if (pair.base === pair.quote) this.#document.complain([...path, 'quote'], 'is also the base');
    const symbol = spotSymbol(pair.base, pair.quote);
    if (marketKey(pair.symbol) !== marketKey(symbol)) {
      this.#document.complain([...path, 'symbol'], `must be ${symbol}`);
    }
    if (baseScale !== undefined && pair.quantityScale > baseScale) {
      this.#document.complain([...path, 'quantityScale'], `is above the scale of ${pair.base}`);
    }
    if (quoteScale !== undefined && pair.priceScale + pair.quantityScale > quoteScale) {
      const sum = `priceScale + quantityScale is above ${quoteScale}, the scale of ${pair.quote}`;
      this.#document.complain([...path, 'priceScale'], sum);
    }
  }

  #contracts(): ContractSpec[] {
    const reader = new ContractReader(this.#figures, this.#scaleByCoin, this.#markets);
    return (this.#file.contracts ?? []).map((row, at) => reader.read(row, ['contracts', at]));
  }

  #account(account: AccountContent, at: number): AccountConfig {
    const path = ['accounts', at];
    const { takerFee, makerFee } = account;
    const settings: AccountSettings = {
      name: account.name,
      frozen: account.frozen ?? false,
      selfTradePrevention: account.selfTradePrevention ?? 'cancel_maker',
      openOrdersMax: account.openOrdersMax ?? LIMITS.accountOpenOrdersMax,
      takerFeePpm:
        takerFee === undefined ? null : this.#figures.rate([...path, 'takerFee'], takerFee),
      makerFeePpm:
        makerFee === undefined ? null : this.#figures.rate([...path, 'makerFee'], makerFee),
      wallets: account.wallets ?? WALLETS_DEFAULT,
    };
    return { settings, keys: this.#keys(account, path), deposits: this.#deposits(account, path) };
  }

  #keys(account: AccountContent, path: Path): KeyConfig[] {
    return (account.keys ?? []).map((key, at) => {
      const { secret = '', publicKey: given, permissions = PERMISSIONS, ...others } = key;
      const { strictReplay = false } = key;
      const known = { ...others, secret, permissions, strictReplay };
      const place = [...path, 'keys', at];
      if (given !== undefined) return { ...known, ...this.#publicKey(place, given, secret) };
      if (!isKnownCredential(known)) {
        const advice =
          'a file is no place for secrets: give a publicKey, or make keys with `outcry key create`';
        this.#document.complain([...place, 'secret'], advice);
      }
      return known;
    });
  }

  #publicKey(path: Path, given: string, secret: string): { readonly publicKey?: string } {
    if (secret !== '') this.#document.complain([...path, 'secret'], 'is not for a public key');
    const publicKey = publicKeyOf(given);
    if (publicKey !== undefined) return { publicKey };
    this.#document.complain([...path, 'publicKey'], 'takes an Ed25519 public key: PEM or base64');
    return {};
  }

  #deposits(account: Funded, path: Path): DepositConfig[] {
    return (account.deposits ?? []).map(({ wallet, coin, amount }, at) => {
      const place = [...path, 'deposits', at];
      const scale = this.#coinScale([...place, 'coin'], coin) ?? 0;
      const units = this.#figures.amount([...place, 'amount'], amount, scale);
      if (units === 0n) this.#document.complain([...place, 'amount'], 'must be above zero');
      const named = this.#wallet([...place, 'wallet'], account, wallet, coin);
      return { wallet: named, coin, amount: units };
    });
  }

  #wallet(path: Path, account: Funded, wallet: string, coin: string): Wallet {
    if (wallet === 'spot') return 'spot';
    if (wallet === 'margin') {
      const { wallets = WALLETS_DEFAULT } = account;
      const isThere = wallets === 'coin' && this.#linearMargins.has(coin);
      if (!isThere) this.#document.complain(path, `there is no such wallet of ${coin} here`);
      return 'margin';
    }
    const found = this.#marginWallets.get(marketKey(wallet));
    if (found === undefined) this.#document.complain(path, 'is neither spot nor a contract');
    else if (found.margin !== coin) this.#document.complain(path, `takes ${found.margin} only`);
    return found?.wallet ?? 'spot';
  }

  #fundBudget(path: Path, asset: AssetContent): FundBudget {
    const { hourPpm, dayPpm } = USUAL_FUND_BUDGET;
    const { insuranceBudgetHour: hour, insuranceBudgetDay: day } = asset;
    return {
      hourPpm: this.#figures.rate([...path, 'insuranceBudgetHour'], hour, hourPpm),
      dayPpm: this.#figures.rate([...path, 'insuranceBudgetDay'], day, dayPpm),
    };
  }

  #coinScale(path: Path, code: string): number | undefined {
    const scale = this.#scaleByCoin.get(code);
    if (scale === undefined) this.#document.complain(path, `${code} is not among the assets`);
    return scale;
  }
}

function assetSpec(asset: AssetContent): Omit<AssetSpec, 'fundBudget'> {
  const chains = (asset.chains ?? []).map((chain) => ({
    chain: chain.chain,
    needTag: chain.needTag ?? false,
    withdrawable: chain.withdrawable ?? true,
    rechargeable: chain.rechargeable ?? true,
    withdrawFee: chain.withdrawFee ?? '0',
    depositConfirm: chain.depositConfirm ?? 1,
    withdrawConfirm: chain.withdrawConfirm ?? 1,
    minDepositAmount: chain.minDepositAmount ?? '0',
    minWithdrawAmount: chain.minWithdrawAmount ?? '0',
    browserUrl: chain.browserUrl ?? '',
  }));
  const { code, coinId, scale } = asset;
  return { code, coinId, scale, transferable: asset.transferable ?? true, chains };
}
