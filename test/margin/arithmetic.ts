/** Works out the arithmetic that a page prints: numbers, + − × /, a sign and brackets. */
import { assert, present } from '#kernel';

/** The value of an expression as a trader writes it. Fails on anything else. */
export function workOut(text: string): number {
  const tokens = text.match(/\d+(?:\.\d+)?|[-+−×/()]|\S/g) ?? [];
  let at = 0;
  const next = (): string => present(tokens[at++], `the rest of ${text}`);
  const takes = (...signs: readonly string[]): boolean => signs.includes(tokens[at] ?? '');

  function sum(): number {
    let value = product();
    while (takes('+', '-', '−')) value = next() === '+' ? value + product() : value - product();
    return value;
  }
  function product(): number {
    let value = factor();
    while (takes('×', '/')) value = next() === '×' ? value * factor() : value / factor();
    return value;
  }
  function factor(): number {
    const token = next();
    if (token === '-' || token === '−') return -factor();
    if (token !== '(') {
      assert(/^\d/.test(token), `${token} in ${text}`);
      return Number(token);
    }
    const value = sum();
    assert(next() === ')', `a bracket is open in ${text}`);
    return value;
  }

  const value = sum();
  assert(at === tokens.length, `something follows in ${text}`);
  return value;
}
