/** Invitations, and other codes that work for so many. */

/** Which operator has made something; empty where none did. */
export interface MadeBy {
  readonly id: string;
  /** As it is shown: the address of the person, or `admin token`. */
  readonly name: string;
}

export const NO_MAKER: MadeBy = { id: '', name: '' };

/** A code that lets so many people in until a day: to sign up, or into what it belongs to. */
export interface Invitation {
  readonly invitationId: string;
  readonly label: string;
  readonly uses: number;
  readonly used: number;
  /** It is good as long as this operator may run the venue. */
  readonly madeBy: MadeBy;
  readonly createdMs: number;
  readonly expiresMs: number;
}

/** Codes that belong to something, such as a competition, by its id; nobody signs up with one. */
export interface CodesStore {
  addCode(belongsTo: string, code: Invitation, codeHash: string): Promise<void>;
  /** Newest first. */
  codesOf(belongsTo: string): Promise<readonly Invitation[]>;
  dropCode(belongsTo: string, invitationId: string): Promise<boolean>;
  /** What a code belongs to, used up or not; undefined when it is unknown or has expired. */
  ownerOfCode(codeHash: string, nowMs: number): Promise<string | undefined>;
  /** Uses a code once; false when it is unknown, used up or expired. */
  takeCode(codeHash: string, nowMs: number): Promise<boolean>;
  giveCodeBack(codeHash: string): Promise<void>;
}
