/** The operator's handlers for contracts: terms, index prices, insurance funds, liquidations. */
import type { Services } from '#api';
import {
  type Contract,
  type ContractPrices,
  isRefused,
  type Refused,
  type StateReader,
  type VenuePort,
} from '#domain';
import { present } from '#kernel';

import { carryOut, submit } from '../carry-out.ts';
import type { OperatorCall, OperatorHandler } from '../handlers.ts';
import { assetOf } from './money.ts';
import {
  findContract,
  readContract,
  readContractChanges,
  readIndexReport,
  readLiquidations,
} from './read-contract.ts';
import { readInsurance } from './read-money.ts';
import {
  contractData,
  contractStateData,
  indexReportData,
  insuranceFundedData,
  insuranceFundsData,
  liquidationData,
} from './write-contract.ts';

type ContractOptions = Pick<Services, 'venue' | 'history' | 'historyReady'>;

export function contractHandlers(options: ContractOptions) {
  const { venue } = options;
  return {
    listContract: (call) => listContract(venue, call),
    contract: (call) => showContract(venue, call),
    updateContract: (call) => updateContract(venue, call),
    reportIndex: (call) => reportIndex(venue, call),
    insurance: () => venue.read(insuranceFundsData),
    fundInsurance: (call) => fundInsurance(venue, call),
    liquidations: (call) => liquidations(options, call),
  } as const satisfies Record<string, OperatorHandler>;
}

async function listContract(venue: VenuePort, { input }: OperatorCall): Promise<object | Refused> {
  const spec = readContract(input);
  if (isRefused(spec)) return spec;
  const event = await submit(venue, 'contract_listed', { kind: 'list_contract', spec });
  return isRefused(event) ? event : contractData(event.contract);
}

function showContract(venue: VenuePort, { path }: OperatorCall): Promise<object | Refused> {
  return venue.read((state) => {
    const contract = findContract(state.listings, path.symbol ?? '');
    if (isRefused(contract)) return contract;
    return contractStateData(contract, pricesNow(state, contract));
  });
}

/** With the fund as it is: the prices have it as of the last tick. */
function pricesNow(state: StateReader, contract: Contract): ContractPrices | undefined {
  const prices = state.contractPrices(contract.instrumentId);
  return prices && { ...prices, insuranceFund: state.insuranceFund(contract.margin.assetId) };
}

async function updateContract(venue: VenuePort, call: OperatorCall): Promise<object | Refused> {
  const event = await carryOut(venue, 'contract_updated', ({ listings }) => {
    const contract = findContract(listings, call.path.symbol ?? '');
    if (isRefused(contract)) return contract;
    const changes = readContractChanges(call.input, contract);
    if (isRefused(changes)) return changes;
    return { kind: 'update_contract', instrumentId: contract.instrumentId, changes };
  });
  return isRefused(event) ? event : contractData(event.contract);
}

async function reportIndex(
  venue: VenuePort,
  { path, input }: OperatorCall,
): Promise<object | Refused> {
  const event = await carryOut(venue, 'index_reported', ({ listings }) =>
    readIndexReport(input, path.symbol ?? '', listings),
  );
  if (isRefused(event)) return event;
  const { instrumentId } = event;
  return venue.read((state) => {
    const contract = present(state.listings.contractById(instrumentId), `contract ${instrumentId}`);
    return indexReportData(event, contract, pricesNow(state, contract));
  });
}

async function fundInsurance(venue: VenuePort, { input }: OperatorCall): Promise<object | Refused> {
  const event = await carryOut(venue, 'insurance_funded', ({ listings }) =>
    readInsurance(input, listings),
  );
  return isRefused(event) ? event : insuranceFundedData(event, await assetOf(venue, event.assetId));
}

async function liquidations(
  { venue, history, historyReady }: ContractOptions,
  { input }: OperatorCall,
): Promise<object | Refused> {
  const page = await venue.read(({ listings }) => readLiquidations(input, listings));
  if (isRefused(page)) return page;
  await historyReady();
  const rows = await history.liquidations(page);
  return venue.read(({ listings }) => rows.map((row) => liquidationData(row, listings)));
}
