/** What the contract stream says is all that REST has, with a wallet per contract. */
import { nothingPrivateIsMissing } from './swap-completeness.ts';

nothingPrivateIsMissing('contract');
