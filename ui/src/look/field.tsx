/** Inputs with a label, a unit and a fault. Values are texts: parsing is the form's business. */
import { type ComponentProps, type ReactNode, useId } from 'react';

interface FieldProps
  extends Pick<
    ComponentProps<'input'>,
    'type' | 'inputMode' | 'autoComplete' | 'placeholder' | 'disabled' | 'required' | 'name'
  > {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Stands at the end, as in USDT. */
  readonly unit?: string;
  /** Stands there when there are several to choose from. */
  readonly unitChoice?: ReactNode;
  /** Why the value cannot be used. */
  readonly fault?: string | undefined;
  /** Numbers are right-aligned and in tabular figures. */
  readonly isNumber?: boolean;
}

export function Field(props: FieldProps) {
  const { label, value, onValue, unit, unitChoice, fault, isNumber, ...rest } = props;
  const id = useId();
  const faultId = `${id}-fault`;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <span className="field-box">
        <input
          {...rest}
          id={id}
          className={isNumber === true ? 'field-input figure' : 'field-input'}
          inputMode={isNumber === true ? 'decimal' : rest.inputMode}
          autoComplete={rest.autoComplete ?? 'off'}
          spellCheck={false}
          value={value}
          aria-invalid={fault !== undefined}
          aria-describedby={fault === undefined ? undefined : faultId}
          onChange={(event) => onValue(event.target.value)}
        />
        {unit === undefined ? null : <span className="field-unit">{unit}</span>}
        {unitChoice}
      </span>
      {fault === undefined ? null : (
        <span className="field-fault" id={faultId}>
          {fault}
        </span>
      )}
    </div>
  );
}

interface SelectProps<Choice extends string> {
  readonly label: string;
  readonly value: Choice;
  readonly choices: readonly (readonly [choice: Choice, text: string])[];
  readonly onValue: (value: Choice) => void;
  /** The label is read out but not shown. */
  readonly isLabelHidden?: boolean;
  readonly disabled?: boolean;
}

export function Select<Choice extends string>(props: SelectProps<Choice>) {
  const { label, value, choices, onValue, isLabelHidden, disabled } = props;
  const id = useId();
  const choose = (text: string): void => {
    const chosen = choices.find(([choice]) => choice === text);
    if (chosen !== undefined) onValue(chosen[0]);
  };
  return (
    <div className="field">
      <label className={isLabelHidden === true ? 'only-read-out' : 'field-label'} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className="field-box field-select"
        value={value}
        disabled={disabled}
        onChange={(event) => choose(event.target.value)}
      >
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

interface CheckProps {
  readonly label: string;
  readonly value: boolean;
  readonly onValue: (value: boolean) => void;
  readonly disabled?: boolean;
}

export function Check({ label, value, onValue, disabled }: CheckProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={value}
        disabled={disabled}
        onChange={(event) => onValue(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly onValue: (value: number) => void;
  /** What stands beside it and is read out, as in 25 % or 10x. */
  readonly text: string;
  readonly disabled?: boolean;
}

export function Slider({ label, value, min, max, step, onValue, text, disabled }: SliderProps) {
  const id = useId();
  return (
    <div className="slider">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <span className="slider-line">
        <input
          id={id}
          type="range"
          {...{ min, max, step, value, disabled }}
          aria-valuetext={text}
          onChange={(event) => onValue(event.target.valueAsNumber)}
        />
        <output className="slider-text figure" htmlFor={id}>
          {text}
        </output>
      </span>
    </div>
  );
}

/** Fields side by side. */
export function FieldRow({ children }: { readonly children: ReactNode }) {
  return <div className="field-row">{children}</div>;
}
