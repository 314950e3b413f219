/** What the login message of either stream signs: as if a call to /user/verify were made. */
import type { SignedLogin } from '../kit/access-headers.ts';

export const STREAM_LOGIN: SignedLogin = {
  method: 'GET',
  target: '/user/verify',
  unit: 'seconds',
};
