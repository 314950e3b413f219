/** What the operator, the index and the clock ask for: done or refused, and why. */
import type { Command, Detail } from '#domain';
import { TAKEN, type Verdict } from './admission.ts';
import { NOTHING, obstacle } from './detail-words.ts';
import type { Model } from './model.ts';
import { refuseOid } from './money.ts';

/** The highest index that can be reported. */
const INDEX_TICKS_MAX = 10 ** 15;

/** What is said of an operator's command; undefined for one that is not judged here. */
interface OperatorVerdict {
  readonly verdict: Verdict;
  readonly detail: Detail | undefined;
}

export function judgeOperator(
  model: Model,
  command: Command,
  timeMs: number,
  checkpoints: ReadonlySet<string>,
): OperatorVerdict | undefined {
  switch (command.kind) {
    case 'report_index':
      return reported(model, command);
    case 'fund_insurance':
      return funded(model, command, timeMs);
    case 'revoke_key':
      return plain(model.keys.has(command.key) ? TAKEN : 'key_not_found');
    case 'cancel_all_contract_orders':
    case 'cancel_all_spot_orders':
      return plain(model.accounts.has(command.accountId) ? TAKEN : 'account_unknown');
    case 'reset_to_checkpoint':
    case 'drop_checkpoint':
      if (checkpoints.has(command.name)) return plain(TAKEN);
      return { verdict: 'checkpoint_unknown', detail: undefined };
    case 'tick':
    case 'settle_funding':
    case 'continue_work':
      return plain(TAKEN);
    default:
      return undefined;
  }
}

function funded(
  model: Model,
  command: Extract<Command, { kind: 'fund_insurance' }>,
  timeMs: number,
): OperatorVerdict {
  const refused = refuseOid(model, command, timeMs);
  if (refused !== undefined) {
    return { verdict: refused, detail: { is: 'id', id: command.operatorOid ?? '' } };
  }
  if (model.assets[command.assetId] === undefined) return plain('coin_unknown');
  return plain(command.amount <= 0n ? 'amount_invalid' : TAKEN);
}

function plain(verdict: Verdict): OperatorVerdict {
  return { verdict, detail: NOTHING };
}

/** Feeds that the terms name may report, and the operator, who alone takes a price back by zero. */
function reported(
  model: Model,
  { instrumentId, source, priceTicks }: Extract<Command, { kind: 'report_index' }>,
): OperatorVerdict {
  const book = model.contracts.get(instrumentId);
  if (book === undefined) return plain('contract_unknown');
  const isOperator = source === 'operator';
  const isKnown = book.terms.indexSources.some((one) => one.kind === 'feed' && one.name === source);
  if (!isOperator && !isKnown) return plain('index_source_unknown');
  if (priceTicks < 0 || (priceTicks === 0 && !isOperator)) {
    return { verdict: 'price_invalid', detail: obstacle('index_not_above_zero') };
  }
  if (priceTicks > INDEX_TICKS_MAX) {
    return { verdict: 'price_invalid', detail: obstacle('index_too_large') };
  }
  return plain(TAKEN);
}
