/** Links that no mail carries: the operator hands them over. */
import { type Column, CopyButton, Refusal, Section, Table, Time } from '../../look/mod.ts';
import { usePeopleTexts } from '../../texts/people.ts';
import { useLoaded } from '../use-loaded.ts';
import { type WaitingLink, wholeLink } from './rows.ts';

const EVERY_MS = 5_000;

export function Links() {
  const { desk } = usePeopleTexts();
  const path = '/admin/v1/people-links';
  const { data, failure } = useLoaded<readonly WaitingLink[]>(path, EVERY_MS);
  const columns: readonly Column<WaitingLink>[] = [
    { name: 'email', title: desk.email, cell: ({ email }) => email },
    { name: 'kind', title: desk.kind, cell: ({ kind }) => desk.linkKinds[kind] },
    {
      name: 'until',
      title: desk.until,
      cell: ({ expiresTime }) => <Time at={Number(expiresTime)} />,
    },
    {
      name: 'copy',
      title: <span className="only-read-out">{desk.link}</span>,
      cell: (link) => <Copy link={link} />,
    },
  ];
  return (
    <Section title={desk.links}>
      <p className="ops-note remark">{desk.linksMeans}</p>
      <Refusal failure={failure} />
      <Table
        label={desk.links}
        columns={columns}
        rows={data}
        keyOf={({ path: link }) => link}
        empty={desk.noLinks}
      />
    </Section>
  );
}

function Copy({ link }: { readonly link: WaitingLink }) {
  const { desk } = usePeopleTexts();
  return <CopyButton label={desk.copyLink(link.email)} text={wholeLink(link)} />;
}
