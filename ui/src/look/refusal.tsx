/** Why a call failed, in place: the code and the text of the venue. */
import type { Failure } from '../store/use-reading.ts';

export function Refusal({ failure }: { readonly failure: Failure | undefined }) {
  if (failure === undefined) return null;
  return (
    <p className="fault refusal" role="alert">
      {failure.code} {failure.text}
    </p>
  );
}
