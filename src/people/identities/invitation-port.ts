/** Which operator has made something; empty where none did. */
export interface MadeBy {
  readonly id: string;
  /** As it is shown: the address of the person, or `admin token`. */
  readonly name: string;
}

export const NO_MAKER: MadeBy = { id: '', name: '' };

/** A code that lets so many people in until a day: to sign up, or to join a competition. */
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
