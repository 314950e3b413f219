/**
 * The commands on a cluster as a whole. They ask the shared log itself, and so need no member that
 * runs: which processes it knows, and that one of them will not come back.
 */
import { type ClusterConfig, type Environment, readCluster, sharedLogPlaceOf } from '#config';
import type { MemberReport, SharedLog, SharedLogPlace } from '#log';
import { type Output, tableLines } from './output.ts';

const REFUSED = 1;

export interface ClusterParts {
  /** Opens the log of a cluster. */
  readonly openSharedLog: (place: SharedLogPlace) => SharedLog | Promise<SharedLog>;
}

export class ClusterCommands {
  readonly #parts: ClusterParts;
  readonly #output: Output;
  readonly #env: Environment;

  constructor(parts: ClusterParts, output: Output, env: Environment) {
    this.#parts = parts;
    this.#output = output;
    this.#env = env;
  }

  /** Every process that is there, or has said something that still counts. */
  members(file: string): Promise<number> {
    return this.#onLog(file, async (log) => {
      const [members, reports, claim, agreed] = await Promise.all([
        log.members(),
        log.reports(),
        log.current(),
        log.agreed(),
      ]);
      const present = new Map(members.map((one) => [one.name, one]));
      const said = new Map(reports.map((one) => [one.member, one]));
      const names = [...new Set([...present.keys(), ...said.keys()])].toSorted();
      const rows = names.map((name) => {
        const [member, report] = [present.get(name), said.get(name)];
        const kind = member?.kind ?? report?.process.kind ?? 'member';
        const role = member === undefined ? 'gone' : name === claim?.holder ? 'leader' : kind;
        return { name, role, ...columnsOf(report) };
      });
      for (const line of tableLines(rows)) this.#output.result(line);
      if (agreed === undefined) this.#output.result('nothing was written yet');
      else this.#output.result(`written: format ${agreed.format}, rules ${agreed.rules}`);
      return 0;
    });
  }

  /** What a process has said counts no more. One that is there would say it again. */
  withdraw(name: string, file: string): Promise<number> {
    return this.#onLog(file, async (log) => {
      const [members, reports] = await Promise.all([log.members(), log.reports()]);
      if (members.some((member) => member.name === name)) {
        this.#output.notice(`${name} is there: stop it first, and wait for five seconds`);
        return REFUSED;
      }
      if (!reports.some(({ member }) => member === name)) {
        const known = reports.map(({ member }) => member).join(', ');
        this.#output.notice(`nothing is known of ${name}; there are ${known || 'none'}`);
        return REFUSED;
      }
      await log.withdrawReport(name);
      this.#output.result(`withdrawn: ${name} holds back neither an upgrade nor the trimming`);
      return 0;
    });
  }

  async #onLog(file: string, act: (log: SharedLog) => Promise<number>): Promise<number> {
    // Which kind of process the file is for makes no difference here.
    const config: ClusterConfig = readCluster(file, 'member', this.#env);
    const log = await this.#parts.openSharedLog(sharedLogPlaceOf(config));
    try {
      return await act(log);
    } finally {
      await log.close();
    }
  }
}

function columnsOf(report: MemberReport | undefined): Readonly<Record<string, string>> {
  const { heldSeq = 0, process } = report ?? {};
  const { formatMax, rulesMin, rulesMax } = process?.knows ?? {};
  return {
    seq: String(process?.seq ?? ''),
    held: heldSeq === 0 ? '' : String(heldSeq),
    release: process?.release ?? '',
    formats: formatMax === undefined ? '' : `1-${formatMax}`,
    rules: rulesMin === undefined ? '' : `${rulesMin}-${rulesMax}`,
    'last heard': process === undefined ? '' : new Date(process.timeMs).toISOString(),
  };
}
