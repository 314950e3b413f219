/** What the API has to know of people: that they may not be there to be asked. */

/** Who may sign in, and what they may do, cannot be read now; the market itself goes on. */
export class PeopleUnavailable extends Error {
  override readonly name = 'PeopleUnavailable';
}
