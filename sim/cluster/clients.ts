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
import type { Asked, Auditor } from './auditor.ts';
import type { SimulatedProcess } from './process.ts';
import type { Life, World } from './world.ts';

/** Kinds of the workload of one machine that a cluster takes; none pays in the marked coin. */
const OTHERS: readonly Kind[] = [
  ...(['spot_limit', 'spot_market', 'spot_cancel', 'spot_move', 'agreed_trade', 'open'] as const),
  ...(['close', 'contract_cancel', 'contract_move', 'trigger_fan', 'protect', 'leverage'] as const),
  ...(['index', 'crash', 'tick', 'contract_terms', 'resume', 'settings', 'margin_mode'] as const),
];
/** A client gives a process up that says nothing for so long. */
const PATIENCE_MS = 8_000;
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
    if (this.#onlyReads || what < 3) this.#read(life);
    else if (what < 6) this.pay(life);
    else if (what < 8) this.#trade(life);
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

  #trade(life: Life): void {
    asksCount += 1;
    const draw = this.#draw;
    const clientOrderId = `sim-${asksCount}`;
    const command: Command = {
      kind: 'place_spot_order',
      type: 'limit',
      accountId: this.#account(),
      instrumentId: this.#market.pair,
      side: draw.of(['buy', 'sell']),
      force: draw.of(['gtc', 'gtc', 'ioc', 'post_only']),
      priceTicks: ticks(300_000 + draw.between(-30, 30) * 10),
      sizeLots: lots(1 + draw.below(40)),
      clientOrderId,
    };
    this.#submit(life, command, clientOrderId);
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
        (events) => {
          const seq = this.#auditor.answered(asked, events);
          if (seq !== undefined) this.#ownSeq.set(life, Math.max(seq, this.#own(life)));
        },
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
