/** Grey lines in place of what is loading, so that nothing jumps when it comes. */
import { useTexts } from '../texts/texts.ts';

const LINES_MAX = 20;
const LINES = Array.from({ length: LINES_MAX }, (_, line) => ({ name: `line-${line}` }));

export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  const { look } = useTexts();
  return (
    <div className="skeleton" role="status" aria-label={look.loading}>
      {LINES.slice(0, lines).map(({ name }) => (
        <span key={name} className="skeleton-line" />
      ))}
    </div>
  );
}
