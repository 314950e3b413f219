/** Door of the domain: the venue's nouns and the small pure rules that belong to them. */
export * from './account.ts';
export * from './asset.ts';
export * from './codec.ts';
export * from './command.ts';
export * from './event.ts';
export * from './ids.ts';
export * from './instrument.ts';
export * from './limits.ts';
export * from './listings.ts';
export * from './market-data.ts';
export * from './order.ts';
export * from './ports.ts';
export * from './reject.ts';
export * from './units.ts';
