/** What the operator's endpoints answer with, as plain data ready for JSON. */
import {
  type AccountView,
  type Asset,
  type AssetSpec,
  type AuditLine,
  type AuditReport,
  type BalanceChanged,
  type BalanceView,
  formatId,
  type KeyRecord,
  type Listings,
  type LockSet,
  type SpotInstrument,
  type Transferred,
  type UncoveredWallet,
  type Wallet,
} from '#domain';
import { formatDecimal, formatTrimmed, present } from '#kernel';
import { formatRate } from '../classic/swap-format.ts';
import { contractData } from './write-contract.ts';

export function accountData(account: AccountView) {
  const { takerFeePpm, makerFeePpm } = account;
  return {
    accountId: String(account.accountId),
    name: account.name,
    frozen: account.frozen,
    selfTradePrevention: account.selfTradePrevention,
    openOrdersMax: account.openOrdersMax,
    takerFee: takerFeePpm === null ? null : formatRate(takerFeePpm),
    makerFee: makerFeePpm === null ? null : formatRate(makerFeePpm),
    openOrders: account.openOrdersCount,
    cTime: String(account.createdTimeMs),
  };
}

/** With every balance the account ever had, the spot wallet first. */
export function accountWithBalancesData(account: AccountView, listings: Listings) {
  const balances = [];
  for (const balance of account.spotBalances()) {
    balances.push(balanceData('spot', balance, listings));
  }
  for (const [wallet, balance] of account.contractBalances()) {
    balances.push(balanceData(wallet, balance, listings));
  }
  return { ...accountData(account), balances };
}

function balanceData(wallet: Wallet, balance: BalanceView, listings: Listings) {
  const { code, scale } = present(listings.asset(balance.assetId), 'asset of a balance');
  return {
    wallet,
    coin: code,
    balance: formatDecimal(balance.balance, scale),
    available: formatDecimal(balance.available, scale),
    frozen: formatDecimal(balance.held, scale),
    lock: formatDecimal(balance.locked, scale),
  };
}

/** Without anything secret: neither the sealed secret nor the hash leaves the venue. */
export function keyData(record: KeyRecord) {
  return {
    key: record.key,
    accountId: String(record.accountId),
    label: record.label,
    permissions: record.permissions,
    ipAllowList: record.ipAllowList,
    strictReplay: record.strictReplay === true,
    cTime: String(record.createdTimeMs),
  };
}

export function movementData(event: BalanceChanged, asset: Asset) {
  return {
    billId: formatId(event.billId),
    accountId: String(event.accountId),
    wallet: event.wallet,
    coin: asset.code,
    amount: formatDecimal(event.delta, asset.scale),
    balance: formatDecimal(event.balanceBefore + event.delta, asset.scale),
  };
}

export function lockData(event: LockSet, asset: Asset) {
  const lock = formatDecimal(event.amount, asset.scale);
  return { accountId: String(event.accountId), coin: asset.code, lock };
}

export function transferredData(event: Transferred, asset: Asset) {
  return {
    transferId: formatId(event.transferId),
    accountId: String(event.accountId),
    coin: asset.code,
    amount: formatDecimal(event.amount, asset.scale),
    from: event.from,
    to: event.to,
    clientOid: event.clientOid,
  };
}

export function assetData(asset: AssetSpec) {
  const { code, coinId, scale, transferable, chains } = asset;
  return { code, coinId, scale, transferable, chains };
}

export function pairData(pair: SpotInstrument) {
  return {
    symbol: pair.symbol,
    base: pair.baseCode,
    quote: pair.quoteCode,
    priceScale: pair.priceScale,
    quantityScale: pair.quantityScale,
    minQuantity: formatTrimmed(pair.minLots, pair.quantityScale),
    maxQuantity: formatTrimmed(pair.maxLots, pair.quantityScale),
    minNotional: formatTrimmed(pair.minNotional, pair.quote.scale),
    takerFee: formatRate(pair.takerFeePpm),
    makerFee: formatRate(pair.makerFeePpm),
    status: pair.status,
    suspendedReason: pair.suspendedReason ?? '',
    referencePrice: formatTrimmed(pair.referencePriceTicks, pair.priceScale),
    priceBand: formatRate(pair.priceBandPpm),
  };
}

export function instrumentsData(listings: Listings) {
  return {
    assets: listings.assets.map(assetData),
    spot: listings.spot.map(pairData),
    contracts: [...listings.contracts.values()].map(contractData),
  };
}

export function auditData(report: AuditReport, assets: readonly Asset[]) {
  return {
    balanced: report.balanced,
    seq: report.seq,
    accounts: report.accountsCount,
    openOrders: report.openOrdersCount,
    mismatchedContracts: report.mismatchedContracts,
    uncoveredWallets: report.uncoveredWallets.map((row) => uncoveredData(row, assets)),
    coins: report.lines.map((line) => auditLineData(line, assets)),
  };
}

function uncoveredData(row: UncoveredWallet, assets: readonly Asset[]) {
  const { code, scale } = present(assets[row.assetId], 'asset of a wallet');
  const { accountId, wallet, missing } = row;
  return {
    accountId: String(accountId),
    wallet,
    coin: code,
    missing: formatDecimal(missing, scale),
  };
}

function auditLineData(line: AuditLine, assets: readonly Asset[]) {
  const { code, scale } = present(assets[line.assetId], 'asset of an audit line');
  return {
    coin: code,
    accounts: formatDecimal(line.accounts, scale),
    frozen: formatDecimal(line.held, scale),
    frozenByOrders: formatDecimal(line.heldByOrders, scale),
    lock: formatDecimal(line.locked, scale),
    fees: formatDecimal(line.fees, scale),
    insuranceFund: formatDecimal(line.insuranceFund, scale),
    clearing: formatDecimal(line.clearing, scale),
    deposited: formatDecimal(line.deposited, scale),
    withdrawn: formatDecimal(line.withdrawn, scale),
    imbalance: formatDecimal(line.imbalance, scale),
  };
}
