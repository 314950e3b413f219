/** Threads that speak HTTP for the venues of tests: none, so that a start takes no longer. */
export const HTTP_THREADS = Number(process.env.OUTCRY_TEST_HTTP_THREADS ?? 0);
