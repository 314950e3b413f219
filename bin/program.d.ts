/** What tools/build.ts uses of bin/program.js. */
export function isBundleCurrent(): boolean;
export function sourcesNow(): string;
