/** Reports an index price: of a feed, or the operator's own, which outranks every source. */

import { useState } from 'react';
import { admin } from '#client';
import { Field, Select } from '../../look/mod.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';

type ContractTerms = admin.InstrumentsAnswer['contracts'][number];

const OPERATOR = 'operator';

interface IndexDialogProps {
  readonly contract: ContractTerms;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function IndexDialog({ contract, onDone, onClose }: IndexDialogProps) {
  const { instruments } = useOpsTexts();
  const [source, setSource] = useState(OPERATOR);
  const [price, setPrice] = useState('');
  const feeds = contract.index.sources.flatMap(({ feed }) => (feed === undefined ? [] : [feed]));
  const choices = [
    [OPERATOR, instruments.ownPrice] as const,
    ...feeds.map((feed) => [feed, feed] as const),
  ];
  const run = async (): Promise<string> => {
    await operator.call(admin.reportIndex, { symbol: contract.symbol, source, price });
    onDone();
    return instruments.reported(contract.symbol, price);
  };
  return (
    <ActionDialog
      title={`${instruments.report}: ${contract.symbol}`}
      action={instruments.report}
      question={instruments.reportQuestion(contract.symbol, price)}
      {...{ run, onClose }}
    >
      <Select label={instruments.source} value={source} choices={choices} onValue={setSource} />
      <Field
        label={instruments.prices.index}
        value={price}
        onValue={setPrice}
        unit={contract.quote}
        isNumber
        required
      />
      <p className="remark">{instruments.reportMeaning}</p>
    </ActionDialog>
  );
}
