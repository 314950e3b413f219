/** An order once more before it is sent; who does not want to be asked says so here. */
import type { SubmitEvent } from 'react';
import { Button, Check, Dialog } from '../../look/mod.ts';
import { useStore } from '../../store/store.ts';
import { useTexts } from '../../texts/texts.ts';
import { asksFirst } from './preferences.ts';

/** What is said of an order, line by line; a line without text is left out. */
export interface Summary {
  readonly title: string;
  readonly tone: 'up' | 'down';
  readonly lines: readonly (readonly [label: string, text: string | undefined])[];
}

interface OrderQuestionProps {
  readonly summary: Summary;
  readonly onAnswer: (isYes: boolean) => void;
}

export function OrderQuestion({ summary, onAnswer }: OrderQuestionProps) {
  const { look, trade } = useTexts();
  const asks = useStore(asksFirst) === 'yes';
  const { title, tone, lines } = summary;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onAnswer(true);
  };
  return (
    <Dialog title={trade.confirmOrder} onClose={() => onAnswer(false)}>
      <form className="stack" onSubmit={submit}>
        <p className={`order-title direction-${tone}`}>{title}</p>
        <dl className="estimates order-summary">
          {lines.map(([label, text]) =>
            text === undefined ? null : (
              <div key={label} className="estimate">
                <dt>{label}</dt>
                <dd className="figure">{text}</dd>
              </div>
            ),
          )}
        </dl>
        <div className="dialog-actions">
          <Button onClick={() => onAnswer(false)}>{look.cancel}</Button>
          <Button type="submit" tone={tone}>
            {trade.confirm}
          </Button>
        </div>
        <Check
          label={trade.askBeforeOrders}
          value={asks}
          onValue={(value) => asksFirst.set(value ? 'yes' : 'no')}
        />
      </form>
    </Dialog>
  );
}
