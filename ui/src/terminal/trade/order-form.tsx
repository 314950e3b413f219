/** The order form of the chosen market; it starts anew when another one is chosen. */
import { Skeleton } from '../../look/mod.ts';
import { useTexts } from '../../texts/texts.ts';
import { useInstrument } from '../context.ts';
import { ContractForm } from './contract-form.tsx';
import { SpotForm } from './spot-form.tsx';
import { useContract, usePair } from './terms.ts';

export function OrderForm() {
  const instrument = useInstrument();
  const { trade } = useTexts();
  const pair = usePair(instrument?.symbol ?? '');
  const contract = useContract(instrument?.symbol ?? '');
  if (instrument?.kind === 'spot' && pair !== undefined) {
    return <SpotForm key={instrument.symbol} instrument={instrument} pair={pair} />;
  }
  if (instrument?.kind === 'contract' && contract !== undefined) {
    return <ContractForm key={instrument.symbol} instrument={instrument} contract={contract} />;
  }
  return (
    <div className="order-form" aria-busy="true" title={trade.noTerms}>
      <Skeleton lines={10} />
    </div>
  );
}
