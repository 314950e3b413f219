/** Threads that speak HTTP for the venues of tests: none, so that a start takes no longer. */
export const GATEWAYS = Number(process.env.OUTCRY_TEST_GATEWAYS ?? 0);
