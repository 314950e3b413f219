/** The price that a trigger looks at; the last price goes without saying. */
import type { PlanLine } from '../../model/plans.ts';
import { useTexts } from '../../texts/texts.ts';

export function TriggerSource({ plan: { source } }: { readonly plan: PlanLine }) {
  const { trade } = useTexts();
  return source === 'last' ? null : <span className="unit">{trade.sourcesShort[source]}</span>;
}
