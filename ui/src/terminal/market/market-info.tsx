/** A dialog with what a contract tells of itself: liquidations, insurance fund, past funding. */
import { type ReactNode, useState } from 'react';
import type { native } from '#client';
import {
  Button,
  type Column,
  Dialog,
  directionOf,
  Fact,
  Figure,
  Skeleton,
  type Tab,
  Table,
  Tabs,
  Time,
} from '../../look/mod.ts';
import { fixed, grouped } from '../../model/numbers.ts';
import { useTexts } from '../../texts/texts.ts';
import type { ContractInstrument } from '../context.ts';
import { type MarketInfo, useMarketInfo } from './market-info-source.ts';
import { useMarketName } from './market-name.ts';
import { changeText, priceText } from './price-text.ts';

interface OfContract {
  readonly instrument: ContractInstrument;
}

export function MarketInfoButton({ instrument }: OfContract) {
  const { records } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button tone="quiet" onClick={() => setOpen(true)}>
        {records.marketInfo}
      </Button>
      {isOpen ? <InfoDialog instrument={instrument} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

type InfoTab = 'liquidations' | 'insurance' | 'funding';

interface InfoDialogProps extends OfContract {
  readonly onClose: () => void;
}

function InfoDialog({ instrument, onClose }: InfoDialogProps) {
  const { records } = useTexts();
  const [chosen, setChosen] = useState<InfoTab>('liquidations');
  const { info, fault } = useMarketInfo(instrument);
  const title = records.marketInfoOf(useMarketName(instrument));
  const tabs: readonly Tab<InfoTab>[] = [
    {
      name: 'liquidations',
      title: records.liquidations,
      panel: () => <Shown info={info} of={Liquidations} instrument={instrument} />,
    },
    {
      name: 'insurance',
      title: records.insurance,
      panel: () => <Shown info={info} of={Insurance} instrument={instrument} />,
    },
    {
      name: 'funding',
      title: records.fundingHistory,
      panel: () => <Shown info={info} of={Funding} instrument={instrument} />,
    },
  ];
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="market-info">
        {fault === undefined ? null : (
          <p className="fault" role="alert">
            {fault}
          </p>
        )}
        <Tabs label={title} tabs={tabs} chosen={chosen} onChoose={setChosen} />
      </div>
    </Dialog>
  );
}

interface InfoProps extends OfContract {
  readonly info: MarketInfo;
}

interface ShownProps extends OfContract {
  readonly info: MarketInfo | undefined;
  readonly of: (props: InfoProps) => ReactNode;
}

function Shown({ info, of: Part, instrument }: ShownProps) {
  return info === undefined ? <Skeleton lines={6} /> : <Part info={info} instrument={instrument} />;
}

function Liquidations({ info, instrument }: InfoProps) {
  const { records, market, trade } = useTexts();
  const { priceScale } = instrument;
  const columns: readonly Column<native.LiquidationsRow>[] = [
    { name: 'time', title: market.time, cell: ({ time }) => <Time at={time} /> },
    {
      name: 'side',
      title: trade.side,
      cell: ({ side }) => (
        <span className={`direction-${side === 'long' ? 'up' : 'down'}`}>{trade[side]}</span>
      ),
    },
    {
      name: 'size',
      title: `${market.size} (${market.contracts})`,
      isNumber: true,
      cell: ({ size }) => grouped(size),
    },
    {
      name: 'bankruptcy',
      title: records.bankruptcyPrice,
      isNumber: true,
      cell: (row) => <Figure text={priceText(row.bankruptcy, priceScale)} />,
    },
    {
      name: 'mark',
      title: records.markPrice,
      isNumber: true,
      cell: (row) => <Figure text={priceText(row.mark, priceScale)} />,
    },
    {
      name: 'deleveraged',
      title: records.deleveraged,
      isNumber: true,
      cell: ({ deleveraged }) => grouped(deleveraged),
    },
  ];
  return (
    <Table
      label={records.liquidations}
      columns={columns}
      rows={info.liquidations}
      keyOf={({ id }) => id}
      empty={records.noLiquidations}
    />
  );
}

const FUND_DECIMALS = 4;

function Insurance({ info, instrument }: InfoProps) {
  const { records, market } = useTexts();
  const { marginCoin } = instrument;
  const money = (fund: string | undefined) => fund && grouped(fixed(fund, FUND_DECIMALS));
  const columns: readonly Column<native.InsuranceDaysRow>[] = [
    { name: 'time', title: market.time, cell: ({ time }) => <Time at={time} /> },
    {
      name: 'fund',
      title: records.insurancePast,
      isNumber: true,
      cell: ({ fund }) => <Figure text={money(fund)} unit={marginCoin} />,
    },
  ];
  return (
    <>
      <Fact label={records.insuranceNow} text={money(info.fund?.fund)} unit={marginCoin} />
      <Table
        label={records.insurance}
        columns={columns}
        rows={info.fundPast}
        keyOf={({ time }) => String(time)}
        empty={records.noInsurancePast}
      />
    </>
  );
}

function Funding({ info }: InfoProps) {
  const { records, market, trade } = useTexts();
  const columns: readonly Column<native.FundingRow>[] = [
    { name: 'time', title: market.time, cell: ({ time }) => <Time at={time} /> },
    {
      name: 'rate',
      title: trade.fundingRate,
      isNumber: true,
      cell: ({ rate }) => <Figure text={changeText(rate, 4)} direction={directionOf(rate)} />,
    },
  ];
  return (
    <Table
      label={records.fundingHistory}
      columns={columns}
      rows={info.rates}
      keyOf={({ time }) => String(time)}
      empty={records.noFunding}
    />
  );
}
