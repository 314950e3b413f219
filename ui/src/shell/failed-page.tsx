/** What stands in place of a page that could not be painted: why, and a way back. */
import { Component, type ReactNode } from 'react';
import { Button } from '../look/mod.ts';
import { useTexts } from '../texts/texts.ts';
import { describeFailure } from '../wire/failure.ts';

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly fault: string | undefined;
}

/** Shows its children until painting one of them throws; the browser's console says where. */
export class UnlessFailed extends Component<Props, State> {
  override state: State = { fault: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { fault: describeFailure(error).text };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    return fault === undefined ? this.props.children : <FailedPage fault={fault} />;
  }
}

function FailedPage({ fault }: { readonly fault: string }) {
  const { shell } = useTexts();
  return (
    <main className="stack panel page-form">
      <h1>{shell.failed}</h1>
      <p>{shell.failedMeans}</p>
      <p className="fault" role="alert">
        {fault}
      </p>
      <Button tone="main" onClick={() => location.reload()}>
        {shell.reload}
      </Button>
    </main>
  );
}
