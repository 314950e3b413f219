/** A code that lets so many people in until a day: to sign up, or to join a competition. */
export interface Invitation {
  readonly invitationId: string;
  readonly label: string;
  readonly uses: number;
  readonly used: number;
  readonly createdMs: number;
  readonly expiresMs: number;
}
