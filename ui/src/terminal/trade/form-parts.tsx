/** What both order forms are made of: size with its slider, estimates, the button that sends. */
import type { ReactNode, Ref } from 'react';
import { Button, type Direction, Figure, Select, Slider } from '../../look/mod.ts';
import { useAccount, useIsSignedIn } from '../../session/session.ts';
import { SignInInvitation } from '../../session/session-button.tsx';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { usePermissions } from './permissions.ts';
import { SLIPPAGES, slippage } from './preferences.ts';
import type { Sent } from './use-draft.ts';

interface EstimateProps {
  readonly label: string;
  /** Read out and shown when it is pointed at. */
  readonly meaning?: string;
  readonly text: string | undefined;
  readonly unit?: string | undefined;
  readonly direction?: Direction;
}

/** One line of what an order would do. */
export function Estimate({ label, meaning, text, unit, direction = 'none' }: EstimateProps) {
  return (
    <div className="estimate">
      <dt title={meaning}>{label}</dt>
      <dd>
        <Figure text={text} direction={direction} {...(unit === undefined ? {} : { unit })} />
      </dd>
    </div>
  );
}

export function Estimates({ children }: { readonly children: ReactNode }) {
  return <dl className="estimates">{children}</dl>;
}

const MARKS = [0, 25, 50, 75, 100];

interface PartSliderProps {
  readonly label: string;
  readonly percent: number;
  readonly isPossible: boolean;
  readonly onPercent: (percent: number) => void;
}

/** A size as a part of the most there is, with a button for each quarter. */
export function PartSlider({ label, percent, isPossible, onPercent }: PartSliderProps) {
  return (
    <div className="part-slider">
      <Slider
        label={label}
        value={percent}
        min={0}
        max={100}
        text={`${percent}%`}
        disabled={!isPossible}
        onValue={onPercent}
      />
      <div className="part-marks">
        {MARKS.map((mark) => (
          <button
            key={mark}
            type="button"
            className="part-mark"
            disabled={!isPossible}
            onClick={() => onPercent(mark)}
          >
            {mark}%
          </button>
        ))}
      </div>
    </div>
  );
}

interface SendProps {
  readonly label: string;
  readonly tone: 'up' | 'down';
  readonly sent: Sent;
  /** What stays in view with the button. */
  readonly above?: ReactNode;
  readonly isHalted?: boolean;
}

interface UnitSelectProps<Unit extends string> {
  readonly value: Unit;
  readonly choices: readonly (readonly [unit: Unit, text: string])[];
  readonly onValue: (unit: Unit) => void;
}

/** What the size counts, at the end of its field. */
export function UnitSelect<Unit extends string>(props: UnitSelectProps<Unit>) {
  const { value, choices, onValue } = props;
  const { trade } = useTexts();
  return (
    <select
      className="unit-select"
      aria-label={trade.sizeUnit}
      value={value}
      onChange={({ target }) => {
        const chosen = choices.find(([unit]) => unit === target.value);
        if (chosen !== undefined) onValue(chosen[0]);
      }}
    >
      {choices.map(([unit, text]) => (
        <option key={unit} value={unit}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** How far beyond the best price a market order may go, in place of its price. */
export function SlippageSelect() {
  const { trade } = useTexts();
  return (
    <Select
      label={trade.slippageLimit}
      value={useStore(slippage)}
      choices={SLIPPAGES.map(
        (choice) => [choice, choice === 'none' ? trade.noSlippageLimit : `${choice}%`] as const,
      )}
      onValue={slippage.set}
    />
  );
}

/** The button that sends, and why it cannot be pressed. */
export function Send({ label, tone, sent, above = null, isHalted = false }: SendProps) {
  const { trade, session } = useTexts();
  const isSignedIn = useIsSignedIn();
  const { mayTrade } = usePermissions();
  const cannot = useAccount() === undefined ? trade.noPermission : session.viewOnly;
  if (!isSignedIn) return null;
  const reason = isHalted ? trade.halted : mayTrade ? undefined : cannot;
  return (
    <div className="send">
      {above}
      <Button
        type="submit"
        tone={tone}
        isWide
        isBusy={sent.kind === 'sending'}
        disabled={reason !== undefined}
      >
        {label}
      </Button>
      {reason === undefined ? <Outcome sent={sent} /> : <p className="send-outcome">{reason}</p>}
    </div>
  );
}

interface OrderFrameProps {
  readonly head: ReactNode;
  readonly form: ReactNode;
  readonly frame: Ref<HTMLDivElement>;
}

/**
 * The frame of an order form. What opens dialogs stands beside the form, not in it: they have forms
 * of their own.
 */
export function OrderFrame({ head, form, frame }: OrderFrameProps) {
  const isSignedIn = useIsSignedIn();
  return (
    <div className="order-form" ref={frame}>
      {head}
      {form}
      {isSignedIn ? null : <SignInInvitation />}
    </div>
  );
}

/** What became of the last order; it has its place also while it is empty. */
function Outcome({ sent }: { readonly sent: Sent }) {
  const { trade } = useTexts();
  if (sent.kind === 'refused') {
    return (
      <p className="send-outcome fault" role="alert">
        {sent.code} {sent.text}
      </p>
    );
  }
  return (
    <p className="send-outcome" role="status">
      {sent.kind === 'accepted' ? trade.accepted(sent.order) : null}
    </p>
  );
}
