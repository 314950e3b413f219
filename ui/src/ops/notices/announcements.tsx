/** Announcements: those that are not over, new ones, and their removal. */
import { useState } from 'react';
import type { AnnouncementRow } from '#dialects';
import {
  Button,
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
import { ActionDialog } from '../action-dialog.tsx';
import { operator } from '../operator.ts';
import { useLoaded } from '../use-loaded.ts';
import { SpanFields, spanFromNow, spanIn } from './span-fields.tsx';

const PATH = '/admin/v1/announcements';
const EVERY_MS = 10_000;
const DAY_MS = 86_400_000;
const LEVELS = ['info', 'warning', 'critical'] as const;
const TONES = { info: 'plain', warning: 'warning', critical: 'fault' } as const;

export function Announcements() {
  const { notices } = useDeskTexts();
  const { data, failure, reload } = useLoaded<readonly AnnouncementRow[]>(PATH, EVERY_MS);
  const [isMaking, setMaking] = useState(false);
  const [removed, setRemoved] = useState<AnnouncementRow>();
  return (
    <Section
      title={notices.announcements}
      actions={<Button onClick={() => setMaking(true)}>{notices.announce}</Button>}
    >
      <Refusal failure={failure} />
      <AnnouncementTable rows={data} onRemove={setRemoved} />
      {isMaking ? <AnnounceDialog onDone={reload} onClose={() => setMaking(false)} /> : null}
      {removed === undefined ? null : (
        <RemoveDialog row={removed} onDone={reload} onClose={() => setRemoved(undefined)} />
      )}
    </Section>
  );
}

function useTitle(): (row: AnnouncementRow) => string {
  const isChinese = useStore(language) === 'zh';
  return ({ titleEn, titleZh }) => (isChinese ? titleZh : titleEn);
}

interface TableProps {
  readonly rows: readonly AnnouncementRow[] | undefined;
  readonly onRemove: (row: AnnouncementRow) => void;
}

function AnnouncementTable({ rows, onRemove }: TableProps) {
  const { notices } = useDeskTexts();
  const titleOf = useTitle();
  const columns: readonly Column<AnnouncementRow>[] = [
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
      title: <span className="only-read-out">{notices.remove}</span>,
      cell: (row) => (
        <Button aria-label={notices.removeOf(titleOf(row))} onClick={() => onRemove(row)}>
          {notices.remove}
        </Button>
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

function AnnounceDialog({ onDone, onClose }: DoneProps) {
  const { notices } = useDeskTexts();
  const times = useTimes();
  const [level, setLevel] = useState<(typeof LEVELS)[number]>('info');
  const [words, setWords] = useState<Words>({ titleEn: '', titleZh: '', textEn: '', textZh: '' });
  const [span, setSpan] = useState(() => spanFromNow(times, DAY_MS));
  const run = async (): Promise<string> => {
    const when = spanIn(times, span);
    if (when === undefined) throw new Error(notices.badTime);
    await operator.call('POST', PATH, { level, ...words, ...when });
    onDone();
    return notices.announced(words.titleEn || words.titleZh);
  };
  const field = (name: keyof Words) => (
    <Field
      label={notices[name]}
      value={words[name]}
      onValue={(value) => setWords({ ...words, [name]: value })}
    />
  );
  return (
    <ActionDialog title={notices.announce} action={notices.announce} {...{ run, onClose }}>
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

function RemoveDialog({ row, onDone, onClose }: DoneProps & { readonly row: AnnouncementRow }) {
  const { notices } = useDeskTexts();
  const title = useTitle()(row);
  const run = async (): Promise<string> => {
    await operator.call('DELETE', `${PATH}/${row.announcementId}`);
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
