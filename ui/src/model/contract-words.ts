/** Words of contracts that the pages go by. */
export type MarginMode = 'isolated' | 'cross';
