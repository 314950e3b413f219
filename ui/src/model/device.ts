/** What a browser says that it is, in two words. A browser may say anything: it is a hint. */

interface Device {
  readonly browser: string;
  readonly system: string;
}

/** Others say that they are Chrome and Safari, too, and iPads that they are like a Mac. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bWindows\b/, 'Windows'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Undefined when either is unknown. */
export function deviceOf(agent: string): Device | undefined {
  const browser = named(BROWSERS, agent);
  const system = named(SYSTEMS, agent);
  return browser === undefined || system === undefined ? undefined : { browser, system };
}

function named(names: typeof BROWSERS, agent: string): string | undefined {
  return names.find(([pattern]) => pattern.test(agent))?.[1];
}
