/** Coins of the venue. What a coin is does not change once it is listed. */
import type { Listed } from '#dialects';
import { type Column, Section, Table } from '../../look/mod.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { ListButton } from './listing-dialog.tsx';

type Coin = Listed['assets'][number];

interface CoinsProps {
  readonly coins: readonly Coin[] | undefined;
  readonly onDone: () => void;
}

export function Coins({ coins, onDone }: CoinsProps) {
  const { listings } = useDeskTexts();
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
    </Section>
  );
}
