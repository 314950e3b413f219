/** Views. */
export const VIEWS: readonly string[] = [];
