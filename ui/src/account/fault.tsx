/** Why a form was not done, unless a field of it says so itself. */
import type { Failure } from '../store/use-reading.ts';

interface FormFaultProps {
  readonly failure: Failure | undefined;
  /** Codes that a field shows. */
  readonly besides?: readonly string[];
}

export function FormFault({ failure, besides = [] }: FormFaultProps) {
  if (failure === undefined || besides.includes(failure.code)) return null;
  return (
    <p className="fault" role="alert">
      {failure.text}
    </p>
  );
}
