/** The fields of the contract form: trigger, price, size, take profit and stop loss. */
import { useState } from 'react';
import { fineValue } from '#domain';
import { formatTrimmed } from '#kernel';
import { Check, Field, FieldRow, Select } from '../../look/mod.ts';
import type { TradedContract } from '../../model/contract.ts';
import { exitEstimate } from '../../model/contract-estimate.ts';
import { useTexts } from '../../texts/texts.ts';
import type { ContractDraft, ReadContractDraft } from './contract-draft.ts';
import { type Fault, faultText } from './draft.ts';
import { moneyOf } from './formats.ts';

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
          unit={trade.contractsUnit}
          isNumber
          fault={words(sizeFault ?? read.moneyFault)}
          onValue={(text) => onChange({ size: { kind: 'typed', text } })}
        />
      </div>
      {draft.does === 'open' && draft.type !== 'plan' ? (
        <Presets contract={contract} draft={draft} read={read} onChange={onChange} />
      ) : null}
    </>
  );
}

function PriceFields({ contract, draft, read, isTried, onChange }: ContractFieldsProps) {
  const { trade } = useTexts();
  const unit = contract.quoteCode;
  const text = (fault: Fault | undefined, value: string) => {
    const found = fault ?? (isTried && value.trim() === '' ? MISSING_PRICE : undefined);
    return found && faultText(found, trade);
  };
  if (draft.type !== 'plan') {
    const isLimit = draft.type === 'limit';
    return (
      <Field
        label={trade.price}
        value={isLimit ? draft.price : trade.marketPrice}
        unit={unit}
        isNumber
        disabled={!isLimit}
        fault={isLimit ? text(read.priceFault, draft.price) : undefined}
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
      <Check
        label={trade.presets}
        value={isOpen}
        onValue={(value) => {
          setOpen(value);
          if (!value) onChange({ takeProfit: '', stopLoss: '' });
        }}
      />
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
  const amount = moneyOf(formatTrimmed(pnl, contract.marginScale), contract.marginCode);
  return <p className="remark">{trade.ifTakenProfit(`${amount} ${contract.marginCode}`)}</p>;
}
