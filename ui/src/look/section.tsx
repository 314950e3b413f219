/** A panel: a heading, what can be done there, and its content. */
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, actions, children }: SectionProps) {
  return (
    <section className="panel section">
      <header className="section-head">
        <h2>{title}</h2>
        <div className="actions">{actions}</div>
      </header>
      {children}
    </section>
  );
}

interface MarkProps {
  readonly tone: 'good' | 'warning' | 'fault' | 'plain';
  readonly children: ReactNode;
}

/** One word in a frame, as in "online". */
export function Mark({ tone, children }: MarkProps) {
  return <span className={`mark mark-${tone}`}>{children}</span>;
}
