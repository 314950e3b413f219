/** Which of a person's accounts the pages are about; the first until another one is chosen. */
import { createKeptValue } from '../store/kept.ts';

const ACCOUNT_ID = /^[1-9][0-9]{0,14}$/;

export const chosenAccount = createKeptValue<string>('outcry.account', parse);

function parse(kept: string): string {
  const text = kept.replaceAll('"', '');
  return ACCOUNT_ID.test(text) ? text : '';
}
