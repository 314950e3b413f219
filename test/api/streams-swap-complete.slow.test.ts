/** What the contract stream says is all that REST has, with a wallet per coin. */
import { nothingPrivateIsMissing } from './swap-completeness.ts';

nothingPrivateIsMissing('coin');
