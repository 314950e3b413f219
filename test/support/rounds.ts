/** How often the tests that strike at random do so: 1 in CI, more with `--rounds`. */
export const ROUNDS = Number(process.env.OUTCRY_ROUNDS ?? '1');
