/** Where the operator's calls about competitions are. */
export const COMPETITIONS = '/admin/v1/competitions';
