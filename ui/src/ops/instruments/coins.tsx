/** Coins of the venue. Their networks change; code, number and decimal places never do. */

import { useState } from 'react';
import { type Column, Section, Table } from '../../look/mod.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { useOpsTexts } from '../../texts/ops.ts';
import { Act } from '../act.tsx';
import { useMay } from '../operator.ts';
import { CoinDialog } from './coin-dialog.tsx';
import type { Coin } from './coin-draft.ts';
import { ListButton } from './listing-dialog.tsx';

interface CoinsProps {
  readonly coins: readonly Coin[] | undefined;
  readonly onDone: () => void;
}

export function Coins({ coins, onDone }: CoinsProps) {
  const { listings } = useDeskTexts();
  const { instruments, actions } = useOpsTexts();
  const mayRun = useMay('run');
  const [edited, setEdited] = useState<Coin>();
  const columns: readonly Column<Coin>[] = [
    { name: 'code', title: listings.fields.code, cell: ({ code }) => <strong>{code}</strong> },
    {
      name: 'id',
      title: listings.fields.coinId,
      cell: ({ coinId }) => String(coinId),
      isNumber: true,
    },
    {
      name: 'scale',
      title: listings.fields.scale,
      cell: ({ scale }) => String(scale),
      isNumber: true,
    },
    {
      name: 'networks',
      title: listings.networks,
      cell: ({ chains }) => chains.map(({ chain }) => chain).join(', ') || '–',
    },
    {
      name: 'actions',
      title: <span className="only-read-out">{actions}</span>,
      cell: (coin) =>
        mayRun ? (
          <span className="actions">
            <Act aria-label={`${instruments.edit}: ${coin.code}`} onClick={() => setEdited(coin)}>
              {instruments.edit}
            </Act>
          </span>
        ) : null,
    },
  ];
  return (
    <Section title={listings.coins} actions={<ListButton listing="coin" onDone={onDone} />}>
      <Table
        label={listings.coins}
        columns={columns}
        rows={coins}
        keyOf={({ code }) => code}
        empty={listings.noCoins}
      />
      {edited === undefined ? null : (
        <CoinDialog coin={edited} onDone={onDone} onClose={() => setEdited(undefined)} />
      )}
    </Section>
  );
}
