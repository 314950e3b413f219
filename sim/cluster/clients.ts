/**
 * Clients: each asks one process after the other, waits for the answer or not, pays into accounts,
 * trades, and reads what it has done. What it asks for carries a mark that is in no other command.
 */
import {
  type AccountId,
  type AssetId,
  type Command,
  type InstrumentId,
  lots,
  ticks,
} from '#domain';
import { commandsOf, type Kind } from '../workload/plan.ts';
import { Scene } from '../workload/scene.ts';
import type { Draw } from '../world/draw.ts';
import {
  callApi,
  orderCall,
  PATIENCE_MS,
  type SignedCall,
  type WantedOrder,
} from './api-client.ts';
import type { Asked, Auditor } from './auditor.ts';
import type { SimulatedProcess } from './process.ts';
import type { ApiReply } from './served.ts';
import type { Life, World } from './world.ts';

/** Kinds of the workload of one machine that a cluster takes; none pays in the marked coin. */
const OTHERS: readonly Kind[] = [
  ...(['spot_limit', 'spot_market', 'spot_cancel', 'spot_move', 'agreed_trade', 'open'] as const),
  ...(['close', 'contract_cancel', 'contract_move', 'trigger_fan', 'protect', 'leverage'] as const),
  ...(['open', 'open', 'open', 'close', 'index', 'index'] as const),
  ...(['index', 'crash', 'tick', 'contract_terms', 'resume', 'settings', 'margin_mode'] as const),
];
const FIRST_AMOUNT = 70_000_000_000n;

export interface Market {
  readonly accountsCount: number;
  readonly markedCoin: AssetId;
  readonly pair: InstrumentId;
  readonly startMs: number;
}

let asksCount = 0;

/** Each run begins with the first mark. */
export function beginMarks(): void {
  asksCount = 0;
}

export class Client {
  readonly #name: string;
  readonly #world: World;
  readonly #auditor: Auditor;
  readonly #draw: Draw;
  readonly #market: Market;
  readonly #processes: readonly SimulatedProcess[];
  readonly #pauseMs: number;
  /** What each life of a process has answered this client. */
  readonly #ownSeq = new Map<Life, number>();
  readonly #onlyReads: boolean;
  #at: SimulatedProcess;
  isOver = false;

  constructor(
    parts: { readonly world: World; readonly auditor: Auditor; readonly market: Market },
    name: string,
    processes: readonly [SimulatedProcess, ...SimulatedProcess[]],
    onlyReads = false,
  ) {
    this.#name = name;
    this.#onlyReads = onlyReads;
    this.#world = parts.world;
    this.#auditor = parts.auditor;
    this.#market = parts.market;
    this.#draw = parts.world.draw(name);
    this.#processes = processes;
    this.#pauseMs = onlyReads ? 30 : this.#draw.of([40, 120, 120, 300]);
    this.#at = this.#draw.of(processes) ?? processes[0];
  }

  begin(): void {
    this.#next();
  }

  #next(): void {
    if (this.isOver) return;
    this.#world.at(this.#draw.below(2 * this.#pauseMs) + 1, () => {
      this.#act();
      this.#next();
    });
  }

  #act(): void {
    const draw = this.#draw;
    if (draw.percent(this.#onlyReads ? 50 : 3)) this.#at = draw.of(this.#processes) ?? this.#at;
    const { member, life } = this.#at;
    if (member === undefined || life === undefined) {
      this.#world.coverage.count('client: nobody listens');
      this.#at = draw.of(this.#processes) ?? this.#at;
      return;
    }
    const what = draw.below(10);
    if (this.#onlyReads || what < 3) {
      if (draw.percent(30)) void this.#readOverApi(life);
      else this.#read(life);
    } else if (what < 6) this.pay(life);
    else if (what < 8) this.#trade(life, draw.percent(50));
    else this.#other(life);
  }

  pay(life: Life): Asked {
    asksCount += 1;
    const amount = FIRST_AMOUNT + BigInt(asksCount);
    const account = this.#account();
    const command: Command = {
      kind: 'deposit',
      accountId: account,
      wallet: 'spot',
      assetId: this.#market.markedCoin,
      amount,
    };
    return this.#submit(life, command, String(amount), { accountId: account, amount });
  }

  /** As a call in the words of a dialect, or as the command that such a call becomes. */
  #trade(life: Life, isCall: boolean): void {
    asksCount += 1;
    const draw = this.#draw;
    const clientOrderId = `sim-${asksCount}`;
    const accountId = this.#account();
    const side = draw.of(['buy', 'sell']);
    const force = draw.of(['gtc', 'gtc', 'ioc', 'post_only']);
    const price = ticks(300_000 + draw.between(-30, 30) * 10);
    const size = lots(1 + draw.below(40));
    if (isCall) {
      const figures = { price: (price / 10).toFixed(1), quantity: (size / 10_000).toFixed(4) };
      void this.#order(life, accountId, { side, force, ...figures, clientOrderId });
      return;
    }
    const command: Command = {
      kind: 'place_spot_order',
      type: 'limit',
      accountId,
      instrumentId: this.#market.pair,
      side,
      force,
      priceTicks: price,
      sizeLots: size,
      clientOrderId,
    };
    this.#submit(life, command, clientOrderId);
  }

  async #order(life: Life, accountId: AccountId, order: WantedOrder): Promise<void> {
    const process = this.#at;
    const asked = this.#auditor.ask(order.clientOrderId, process.name);
    const words = orderCall(this.#draw, order);
    const reply = await this.#call(process, { accountId, method: 'POST', ...words });
    if (reply === undefined) this.#auditor.lost(asked);
    else this.#acknowledged(life, this.#auditor.answeredCall(asked, reply));
  }

  async #readOverApi(life: Life): Promise<void> {
    const { name } = this.#at;
    const accountId = this.#account();
    const facts = { process: name, accountId, askedMs: this.#world.nowMs, ownSeq: this.#own(life) };
    const target = '/api/spot/v1/account/assets?coin=MARKED';
    const reply = await this.#call(this.#at, { accountId, method: 'GET', target });
    if (reply?.status === 200) this.#auditor.readCall(facts, reply.body);
    else this.#world.coverage.count('read refused');
  }

  #call(to: SimulatedProcess, call: Omit<SignedCall, 'timeMs'>): Promise<ApiReply | undefined> {
    const timeMs = Math.round(this.#market.startMs + this.#world.nowMs);
    return callApi(this.#name, to.name, { ...call, timeMs });
  }

  #acknowledged(life: Life, seq: number | undefined): void {
    if (seq !== undefined) this.#ownSeq.set(life, Math.max(seq, this.#own(life)));
  }

  /** Of the whole venue: their marks are the orders' own. */
  #other(life: Life): void {
    const { engine } = this.#at;
    if (engine === undefined) return;
    const scene = new Scene(this.#draw, 'mixed', engine, this.#market.startMs + this.#world.nowMs);
    const kind = this.#draw.of(OTHERS);
    const commands = kind === undefined ? [] : commandsOf(kind, scene);
    const process = this.#at;
    for (const command of commands) {
      this.#world.at(
        0,
        () => void process.member?.venue.submit(command).catch((error) => this.#world.fail(error)),
        life,
      );
    }
  }

  #account(): AccountId {
    return (1 + this.#draw.below(this.#market.accountsCount)) as AccountId;
  }

  #submit(life: Life, command: Command, tag: string, paid?: Asked['paid']): Asked {
    const process = this.#at;
    const asked = this.#auditor.ask(tag, process.name, paid);
    const lost = (): void => {
      if (asked.outcome === 'open') this.#auditor.lost(asked);
    };
    this.#world.at(PATIENCE_MS, lost);
    const act = (): void => {
      const { member } = process;
      if (member === undefined) {
        lost();
        return;
      }
      member.venue.submit(command).then(
        (events) => this.#acknowledged(life, this.#auditor.answered(asked, events)),
        (error: unknown) => this.#world.fail(error),
      );
    };
    this.#world.at(1, act, life);
    return asked;
  }

  #own(life: Life): number {
    return this.#ownSeq.get(life) ?? 0;
  }

  #read(life: Life): void {
    const process = this.#at;
    const account = this.#account();
    const { markedCoin } = this.#market;
    const act = (): void => {
      const { member } = process;
      if (member === undefined) return;
      const facts = { process: process.name, accountId: account, askedMs: this.#world.nowMs };
      const ownSeq = this.#own(life);
      this.#world.coverage.count(member.contact.isFresh ? 'read at once' : 'read that asks first');
      member.venue
        .read((state) => {
          const paid = state.account(account)?.balance('spot', markedCoin)?.balance ?? 0n;
          return { seq: state.seq, paid };
        })
        .then(
          (seen) => this.#auditor.read({ ...facts, ...seen, ownSeq }),
          () => this.#world.coverage.count('read refused'),
        );
    };
    this.#world.at(1, act, life);
  }
}
