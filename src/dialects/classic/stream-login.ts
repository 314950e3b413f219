/** What the login message of either stream signs: as if a call to /user/verify were made. */
export const STREAM_LOGIN = { method: 'GET', target: '/user/verify', unit: 'seconds' } as const;
