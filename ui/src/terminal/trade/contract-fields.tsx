/** The fields of the contract form: trigger, price, size, take profit and stop loss. */
import { useState } from 'react';
import { fineValue } from '#domain';
import { Check, Field, FieldRow, Select } from '../../look/mod.ts';
import type { TradedContract } from '../../model/contract.ts';
import { exitEstimate } from '../../model/contract-estimate.ts';
import { SIZE_UNITS } from '../../model/size-unit.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import type { ReadContractDraft } from './contract-draft.ts';
import { exitWords, sizeWords, unitWord } from './contract-summary.ts';
import { type ContractDraft, PRICE_SOURCES } from './contract-wish.ts';
import { type Fault, faultText, NO_SIZE } from './draft.ts';
import { SlippageSelect, UnitSelect } from './form-parts.tsx';
import { contractUnit } from './preferences.ts';

interface ContractFieldsProps {
  readonly contract: TradedContract;
  readonly draft: ContractDraft;
  readonly read: ReadContractDraft;
  readonly isTried: boolean;
  readonly onChange: (part: Partial<ContractDraft>) => void;
}

export function ContractFields(props: ContractFieldsProps) {
  const { contract, draft, read, isTried, onChange } = props;
  const { trade } = useTexts();
  const words = (fault: Fault | undefined) => fault && faultText(fault, trade);
  const missing = { reject: 'quantity_invalid' } as const;
  const sizeFault = read.sizeFault ?? (isTried && read.sizeText === '' ? missing : undefined);
  return (
    <>
      <div className="price-and-size">
        <PriceFields {...props} />
        <Field
          label={trade.quantity}
          value={read.sizeText}
          unitChoice={<ContractUnitSelect contract={contract} onChange={onChange} />}
          isNumber
          fault={words(sizeFault ?? read.moneyFault)}
          onValue={(text) => onChange({ size: { kind: 'typed', text } })}
        />
        <SizeRemark contract={contract} draft={draft} read={read} />
      </div>
      {draft.does === 'open' ? (
        <Presets contract={contract} draft={draft} read={read} onChange={onChange} />
      ) : null}
    </>
  );
}

type UnitProps = Pick<ContractFieldsProps, 'contract' | 'onChange'>;

/** A size in another unit is another size: the field is emptied. */
function ContractUnitSelect({ contract, onChange }: UnitProps) {
  const { trade } = useTexts();
  return (
    <UnitSelect
      value={useStore(contractUnit)}
      choices={SIZE_UNITS.map((unit) => [unit, unitWord(contract, unit, trade)] as const)}
      onValue={(unit) => {
        contractUnit.set(unit);
        onChange({ size: NO_SIZE });
      }}
    />
  );
}

/** The size in the units that it was not typed in. */
function SizeRemark({
  contract,
  draft,
  read,
}: Pick<ContractFieldsProps, 'contract' | 'draft' | 'read'>) {
  const { trade } = useTexts();
  const { sizeLots, priceTicks } = read;
  const others = SIZE_UNITS.filter((unit) => unit !== draft.unit);
  const words = others.map((unit) => sizeWords(contract, unit, sizeLots, priceTicks, trade));
  return <p className="remark size-remark">{sizeLots === 0 ? '' : `≈ ${words.join(' ≈ ')}`}</p>;
}

function PriceFields({ contract, draft, read, isTried, onChange }: ContractFieldsProps) {
  const { trade } = useTexts();
  const unit = contract.quoteCode;
  const text = (fault: Fault | undefined, value: string) => {
    const found = fault ?? (isTried && value.trim() === '' ? MISSING_PRICE : undefined);
    return found && faultText(found, trade);
  };
  if (draft.type === 'market') return <SlippageSelect />;
  if (draft.type === 'limit') {
    return (
      <Field
        label={trade.price}
        value={draft.price}
        unit={unit}
        isNumber
        fault={text(read.priceFault, draft.price)}
        onValue={(price) => onChange({ price })}
      />
    );
  }
  const isLimit = draft.executes === 'limit';
  return (
    <>
      <Field
        label={trade.trigger}
        value={draft.trigger}
        unit={unit}
        isNumber
        fault={text(read.triggerFault, draft.trigger)}
        onValue={(trigger) => onChange({ trigger })}
      />
      <SourceSelect draft={draft} onChange={onChange} />
      <FieldRow>
        <Field
          label={trade.executePrice}
          value={isLimit ? draft.price : trade.marketPrice}
          isNumber
          disabled={!isLimit}
          fault={isLimit ? text(read.priceFault, draft.price) : undefined}
          onValue={(price) => onChange({ price })}
        />
        <Select
          label={trade.executeAt}
          value={draft.executes}
          choices={[
            ['limit', trade.types.limit],
            ['market', trade.types.market],
          ]}
          onValue={(executes) => onChange({ executes })}
        />
      </FieldRow>
    </>
  );
}

interface SourceSelectProps extends Pick<ContractFieldsProps, 'draft' | 'onChange'> {
  readonly isLabelHidden?: boolean;
}

/** The price that triggers look at. */
function SourceSelect({ draft, isLabelHidden = false, onChange }: SourceSelectProps) {
  const { trade } = useTexts();
  return (
    <Select
      label={trade.triggerBy}
      isLabelHidden={isLabelHidden}
      value={draft.source}
      choices={PRICE_SOURCES.map((source) => [source, trade.sources[source]] as const)}
      onValue={(source) => onChange({ source })}
    />
  );
}

const MISSING_PRICE: Fault = { reject: 'price_invalid' };

type PresetsProps = Omit<ContractFieldsProps, 'isTried'>;

/** Take profit and stop loss that are armed once the order has filled. */
function Presets({ contract, draft, read, onChange }: PresetsProps) {
  const { trade } = useTexts();
  // What was typed is sent, so it shows also when one comes back from a plan or a closing.
  const [isOpen, setOpen] = useState(draft.takeProfit !== '' || draft.stopLoss !== '');
  const words = (fault: Fault | undefined) => fault && faultText(fault, trade);
  return (
    <>
      <div className="preset-line">
        <Check
          label={trade.presets}
          value={isOpen}
          onValue={(value) => {
            setOpen(value);
            if (!value) onChange({ takeProfit: '', stopLoss: '' });
          }}
        />
        {isOpen && draft.type !== 'plan' ? (
          <SourceSelect isLabelHidden {...{ draft, onChange }} />
        ) : null}
      </div>
      {isOpen ? (
        <FieldRow>
          <div className="preset">
            <Field
              label={trade.takeProfit}
              value={draft.takeProfit}
              isNumber
              fault={words(read.takeProfitFault)}
              onValue={(takeProfit) => onChange({ takeProfit })}
            />
            <Exit {...{ contract, draft, read }} exitTicks={read.takeProfitTicks} />
          </div>
          <div className="preset">
            <Field
              label={trade.stopLoss}
              value={draft.stopLoss}
              isNumber
              fault={words(read.stopLossFault)}
              onValue={(stopLoss) => onChange({ stopLoss })}
            />
            <Exit {...{ contract, draft, read }} exitTicks={read.stopLossTicks} />
          </div>
        </FieldRow>
      ) : null}
    </>
  );
}

interface ExitProps extends Pick<ContractFieldsProps, 'contract' | 'draft' | 'read'> {
  readonly exitTicks: number;
}

/** What leaving at a preset would bring, fees not taken off. */
function Exit({ contract, draft, read, exitTicks }: ExitProps) {
  const { trade } = useTexts();
  const { priceTicks, sizeLots } = read;
  if (exitTicks === 0 || priceTicks === 0 || sizeLots === 0) return <p className="remark">–</p>;
  const open = fineValue(contract, sizeLots, priceTicks);
  const { pnl } = exitEstimate(contract, draft.side, sizeLots, open, exitTicks);
  return <p className="remark">{exitWords(pnl, contract, trade)}</p>;
}
