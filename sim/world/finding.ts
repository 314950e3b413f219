/** Something that must not be: which rule it breaks, and the figures. */

export class Finding extends Error {
  override readonly name = 'Finding';
  readonly rule: string;

  constructor(rule: string, what: string) {
    super(`${rule}: ${what}`);
    this.rule = rule;
  }
}
