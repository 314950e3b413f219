/** Changes the terms of a pair: fees, bounds, price band, reference price. Sends only changes. */

import { useState } from 'react';
import { admin } from '#client';
import { Field, FieldRow } from '../../look/mod.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { changeLines } from './listing-draft.ts';

type PairTerms = admin.InstrumentsAnswer['spot'][number];

const ROWS = [
  ['takerFee', 'makerFee'],
  ['minQuantity', 'maxQuantity'],
  ['minNotional', 'referencePrice'],
  ['priceBand'],
] as const;
type Name = (typeof ROWS)[number][number];

interface PairDialogProps {
  readonly pair: PairTerms;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function PairDialog({ pair, onDone, onClose }: PairDialogProps) {
  const { instruments } = useOpsTexts();
  const { listings } = useDeskTexts();
  const [draft, setDraft] = useState<Pick<PairTerms, Name>>(pair);
  const unitOf = (name: Name): string => {
    if (name.endsWith('Fee') || name === 'priceBand') return '×';
    return name === 'minNotional' || name === 'referencePrice' ? pair.quote : pair.base;
  };
  const changed = ROWS.flat().filter((name) => draft[name].trim() !== pair[name]);
  const changes = Object.fromEntries(changed.map((name) => [name, draft[name].trim()]));
  const terms: Readonly<Record<string, string>> = instruments.terms;
  const lines = changeLines(pair, changes, (term) => terms[term] ?? term);
  const run = async (): Promise<string> => {
    await operator.call(admin.updateSpot, { symbol: pair.symbol, ...changes });
    onDone();
    return instruments.changed(pair.symbol);
  };
  return (
    <ActionDialog
      title={instruments.termsOf(pair.symbol)}
      action={instruments.change}
      question={[listings.preview, ...lines].join('\n')}
      isMild
      {...{ run, onClose }}
    >
      {ROWS.map((names) => (
        <FieldRow key={names[0]}>
          {names.map((name) => (
            <Field
              key={name}
              label={instruments.terms[name]}
              value={draft[name]}
              onValue={(value) => setDraft({ ...draft, [name]: value })}
              unit={unitOf(name)}
              isNumber
              required
            />
          ))}
        </FieldRow>
      ))}
      <p className="remark">{instruments.fractions}</p>
    </ActionDialog>
  );
}
