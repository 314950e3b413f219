/** Shows a link that was just made, to be handed over. */
import { OnceDialog } from '../../account/home/once-dialog.tsx';
import { createStore, useStore } from '../../store/store.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { type MadeLink, wholeLink } from './rows.ts';

const shown = createStore<MadeLink | undefined>(undefined);

/** Shows it once the dialog that made it has closed. */
export function handOver(link: MadeLink): void {
  shown.set(link);
}

/** Stands once among what can make links. */
export function HandedLink() {
  const { desk } = usePeopleTexts();
  const link = useStore(shown);
  if (link === undefined) return null;
  return (
    <OnceDialog
      title={desk.link}
      means={`${desk.linkMeans} ${desk.linkMailed}`}
      parts={[[desk.linkKinds[link.kind], wholeLink(link)]]}
      onClose={() => shown.set(undefined)}
    />
  );
}
