/**
 * What the entries of a cluster are written in. Its leader raises it once every registered process
 * reads the newer versions, and nobody ever lowers it; the others learn it from the entries.
 */
import type { Claim, MemberReport, SharedLog, Versions } from '#log';
import { commonVersions, heldBackBy, type ReleaseVersions, requireReadable } from './versions.ts';

export interface AgreementOptions {
  readonly log: Pick<SharedLog, 'place' | 'agreed' | 'agree' | 'reports'>;
  readonly versions: ReleaseVersions;
  /** This process leads, and writes these from its next entry on. */
  readonly onRaised: (versions: Versions) => void;
  readonly onNotice: (text: string) => void;
}

const NOTHING: Versions = { format: 0, rules: 0 };

export class Agreement {
  readonly #options: AgreementOptions;
  #agreed: Versions = NOTHING;
  #claim: Claim | undefined;
  #isRaising = false;

  constructor(options: AgreementOptions) {
    this.#options = options;
  }

  /** As far as it is known here: every release reads the first one. */
  get format(): number {
    return Math.max(1, this.#agreed.format);
  }

  /** How entries are written, as far as it is known here; rules 0 before the first one. */
  get agreed(): Versions {
    return { ...this.#agreed, format: this.format };
  }

  /** Rejects with a VersionFault when this release is not one of the cluster's any more, or yet. */
  async require(): Promise<void> {
    const { log, versions } = this.#options;
    const agreed = await log.agreed();
    if (agreed === undefined) return;
    requireReadable(agreed, versions, `the cluster at ${log.place} writes`);
    this.#agreed = agreed;
  }

  /** An entry of the log is about to be applied. Throws a VersionFault when it cannot be. */
  heed({ format, rules, firstSeq }: Versions & { readonly firstSeq: number }): void {
    const { format: before, rules: earlier } = this.#agreed;
    if (format === before && rules === earlier) return;
    const { log, versions } = this.#options;
    const what = `from command ${firstSeq} on ${log.place} has`;
    requireReadable({ format, rules }, versions, what);
    this.#agreed = { format: Math.max(before, format), rules: Math.max(earlier, rules) };
  }

  /**
   * Under this claim nobody else agrees on anything. Resolves with what is to be written from here
   * on; rejects with a VersionFault when this process must not lead.
   */
  async begin(claim: Claim): Promise<Versions> {
    const { log } = this.#options;
    const [reports] = await Promise.all([log.reports(), this.require()]);
    const isRaised = await this.#raise(claim, reports);
    if (!isRaised) this.#noteWaiting(reports);
    this.#claim = claim;
    return this.#agreed;
  }

  /** Processes have come or gone, or have said something else of themselves. */
  see(reports: readonly MemberReport[]): void {
    const claim = this.#claim;
    if (claim === undefined || this.#isRaising || this.#target(reports) === undefined) return;
    this.#isRaising = true;
    this.#raiseAgain(claim)
      .catch((error: unknown) => this.#options.onNotice(`could not agree: ${String(error)}`))
      .finally(() => {
        this.#isRaising = false;
      });
  }

  /** What was seen may be old: asked again before anything depends on it. */
  async #raiseAgain(claim: Claim): Promise<void> {
    const { log, onRaised } = this.#options;
    if (await this.#raise(claim, await log.reports())) onRaised(this.#agreed);
  }

  async #raise(claim: Claim, reports: readonly MemberReport[]): Promise<boolean> {
    const { log, versions, onNotice } = this.#options;
    const target = this.#target(reports);
    if (target === undefined) return false;
    requireReadable(target, versions, 'all registered processes read');
    await log.agree(claim, target);
    this.#agreed = target;
    onNotice(`writes format ${target.format} and rules ${target.rules} from here on`);
    this.#noteWaiting(reports);
    return true;
  }

  #noteWaiting(reports: readonly MemberReport[]): void {
    const { versions, onNotice } = this.#options;
    const behind = heldBackBy(versions, reports).join(', ');
    if (behind !== '') onNotice(`what this release could write waits for ${behind}`);
  }

  /** What may be written now and is above what was agreed on; undefined when nothing is. */
  #target(reports: readonly MemberReport[]): Versions | undefined {
    const common = commonVersions(this.#options.versions, reports);
    const format = Math.max(this.#agreed.format, common.format);
    const rules = Math.max(this.#agreed.rules, common.rules);
    const isHigher = format > this.#agreed.format || rules > this.#agreed.rules;
    return isHigher ? { format, rules } : undefined;
  }
}
