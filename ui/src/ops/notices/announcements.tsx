/** Announcements: those that are not over, made, edited and removed. */

import { useState } from 'react';
import { admin } from '#client';
import {
  type Column,
  Field,
  FieldRow,
  Mark,
  Refusal,
  Section,
  Select,
  Table,
  Time,
  useTimes,
} from '../../look/mod.ts';
import { useStore } from '../../store/store.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { language } from '../../texts/texts.ts';
import { Act } from '../act.tsx';
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { useLoaded } from '../use-loaded.ts';
import { SpanFields, spanFromNow, spanIn, spanOf } from './span-fields.tsx';

const EVERY_MS = 10_000;
const DAY_MS = 86_400_000;
const LEVELS = ['info', 'warning', 'critical'] as const;
const TONES = { info: 'plain', warning: 'warning', critical: 'fault' } as const;

export function Announcements() {
  const { notices } = useDeskTexts();
  const { data, failure, reload } = useLoaded(admin.announcements, {}, EVERY_MS);
  const [edited, setEdited] = useState<admin.AnnouncementsRow | 'new'>();
  const [removed, setRemoved] = useState<admin.AnnouncementsRow>();
  return (
    <Section
      title={notices.announcements}
      actions={<Act onClick={() => setEdited('new')}>{notices.announce}</Act>}
    >
      <Refusal failure={failure} />
      <AnnouncementTable rows={data} onEdit={setEdited} onRemove={setRemoved} />
      {edited === undefined ? null : (
        <AnnounceDialog
          row={edited === 'new' ? undefined : edited}
          onDone={reload}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed === undefined ? null : (
        <RemoveDialog row={removed} onDone={reload} onClose={() => setRemoved(undefined)} />
      )}
    </Section>
  );
}

function useTitle(): (row: admin.AnnouncementsRow) => string {
  const isChinese = useStore(language) === 'zh';
  return ({ titleEn, titleZh }) => (isChinese ? titleZh || titleEn : titleEn || titleZh);
}

interface TableProps {
  readonly rows: readonly admin.AnnouncementsRow[] | undefined;
  readonly onEdit: (row: admin.AnnouncementsRow) => void;
  readonly onRemove: (row: admin.AnnouncementsRow) => void;
}

function AnnouncementTable({ rows, onEdit, onRemove }: TableProps) {
  const { notices } = useDeskTexts();
  const titleOf = useTitle();
  const columns: readonly Column<admin.AnnouncementsRow>[] = [
    { name: 'title', title: notices.title, cell: titleOf },
    {
      name: 'level',
      title: notices.level,
      cell: ({ level }) => <Mark tone={TONES[level]}>{notices.levels[level]}</Mark>,
    },
    { name: 'from', title: notices.from, cell: ({ from }) => <Time at={Number(from)} /> },
    { name: 'until', title: notices.until, cell: ({ until }) => <Time at={Number(until)} /> },
    {
      name: 'action',
      title: <span className="only-read-out">{notices.edit}</span>,
      cell: (row) => (
        <span className="actions">
          <Act aria-label={notices.editOf(titleOf(row))} onClick={() => onEdit(row)}>
            {notices.edit}
          </Act>
          <Act aria-label={notices.removeOf(titleOf(row))} onClick={() => onRemove(row)}>
            {notices.remove}
          </Act>
        </span>
      ),
    },
  ];
  return (
    <Table
      label={notices.announcements}
      columns={columns}
      rows={rows}
      keyOf={({ announcementId }) => announcementId}
      empty={notices.none}
    />
  );
}

interface DoneProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const WORDS = ['titleEn', 'titleZh', 'textEn', 'textZh'] as const;
type Words = Readonly<Record<(typeof WORDS)[number], string>>;
const NO_WORDS: Words = { titleEn: '', titleZh: '', textEn: '', textZh: '' };

/** A language that was left out is answered with the words of the other one. */
function wordsOf({ titleEn, titleZh, textEn, textZh }: admin.AnnouncementsRow): Words {
  const other = (zh: string, en: string) => (zh === en ? '' : zh);
  return { titleEn, textEn, titleZh: other(titleZh, titleEn), textZh: other(textZh, textEn) };
}

/** What is open in the dialog: nothing for a new one. */
interface AnnounceProps extends DoneProps {
  readonly row: admin.AnnouncementsRow | undefined;
}

function AnnounceDialog({ row, onDone, onClose }: AnnounceProps) {
  const { notices } = useDeskTexts();
  const times = useTimes();
  const titleOf = useTitle();
  const [level, setLevel] = useState<(typeof LEVELS)[number]>(row?.level ?? 'info');
  const [words, setWords] = useState<Words>(row === undefined ? NO_WORDS : wordsOf(row));
  const [span, setSpan] = useState(() =>
    row === undefined ? spanFromNow(times, DAY_MS) : spanOf(times, row),
  );
  const run = async (): Promise<string> => {
    const when = spanIn(times, span);
    if (when === undefined) throw new Error(notices.badTime);
    const title = words.titleEn || words.titleZh;
    const asked = { level, ...words, ...when };
    if (row === undefined) await operator.call(admin.announce, asked);
    else
      await operator.call(admin.changeAnnouncement, { announcement: row.announcementId, ...asked });
    onDone();
    return row === undefined ? notices.announced(title) : notices.edited(title);
  };
  const field = (name: keyof Words) => (
    <Field
      label={notices[name]}
      value={words[name]}
      onValue={(value) => setWords({ ...words, [name]: value })}
    />
  );
  return (
    <ActionDialog
      title={row === undefined ? notices.announce : notices.editOf(titleOf(row))}
      action={row === undefined ? notices.announce : notices.save}
      {...{ run, onClose }}
    >
      <Select
        label={notices.level}
        value={level}
        choices={LEVELS.map((one) => [one, notices.levels[one]] as const)}
        onValue={setLevel}
      />
      <FieldRow>
        {field('titleEn')}
        {field('titleZh')}
      </FieldRow>
      {field('textEn')}
      {field('textZh')}
      <p className="remark">{notices.eitherLanguage}</p>
      <SpanFields span={span} onSpan={setSpan} />
    </ActionDialog>
  );
}

function RemoveDialog({
  row,
  onDone,
  onClose,
}: DoneProps & { readonly row: admin.AnnouncementsRow }) {
  const { notices } = useDeskTexts();
  const title = useTitle()(row);
  const run = async (): Promise<string> => {
    await operator.call(admin.dropAnnouncement, { announcement: row.announcementId });
    onDone();
    return notices.removed;
  };
  return (
    <ActionDialog
      title={notices.removeOf(title)}
      action={notices.remove}
      question={notices.removeQuestion(title)}
      {...{ run, onClose }}
    />
  );
}
