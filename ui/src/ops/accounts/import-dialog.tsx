/**
 * Accounts from a CSV file: checked first, every bad line named, then imported part by part. A file
 * may be sent again under the same reference: what is done is not done twice.
 */

import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { admin } from '#client';
import { Button, type Column, Dialog, Field, Refusal, Table } from '../../look/mod.ts';
import { type CsvPart, csvParts } from '../../model/csv-parts.ts';
import { useDeskTexts } from '../../texts/desk.ts';
import { useTexts } from '../../texts/texts.ts';
import { describeFailure } from '../../wire/failure.ts';
import { operator } from '../operator.ts';
import type { Failure } from '../use-loaded.ts';

const LOOK_EVERY_MS = 500;
const REFERENCE_LENGTH_MAX = 56;

type Fault = admin.ImportAccountsAnswer['faults'][number];

interface Progress {
  readonly total: number;
  readonly done: number;
  readonly isOver: boolean;
}

interface ImportDialogProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The name of a file as a reference. */
function referenceOf(name: string): string {
  return name
    .replace(/\.csv$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, REFERENCE_LENGTH_MAX);
}

function sendPart(reference: string, part: CsvPart, at: number, dryRun: boolean) {
  const { csv, firstLine } = part;
  const asked = { reference: `${reference}.${at + 1}`, csv, firstLine, dryRun };
  return operator.call(admin.importAccounts, asked);
}

/** Whether the dialog is still there, for work that waits. */
function useIsOpen(): { readonly current: boolean } {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return isOpen;
}

async function checkAll(parts: readonly CsvPart[], reference: string): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const [at, part] of parts.entries()) {
    faults.push(...(await sendPart(reference, part, at, true)).faults);
  }
  return faults;
}

/** One part after the other; gives the number of lines that are done. */
async function importAll(
  parts: readonly CsvPart[],
  reference: string,
  isOpen: { readonly current: boolean },
  onDone: (lines: number) => void,
): Promise<number> {
  let done = 0;
  for (const [at, part] of parts.entries()) {
    let seen = await sendPart(reference, part, at, false);
    while (seen.state === 'waiting' && isOpen.current) {
      onDone(done + seen.done);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      seen = await operator.call(admin.accountImport, { reference: seen.reference });
    }
    if (seen.state === 'stopped') throw new Error(seen.fault);
    done += seen.done;
  }
  return done;
}

export function ImportDialog({ onDone, onClose }: ImportDialogProps) {
  const { imports } = useDeskTexts();
  const [parts, setParts] = useState<readonly CsvPart[]>([]);
  const [reference, setReference] = useState('');
  const [checked, setChecked] = useState<readonly Fault[]>();
  const [progress, setProgress] = useState<Progress>();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const isOpen = useIsOpen();
  const total = parts.reduce((sum, { lines }) => sum + lines, 0);
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setParts(csvParts(await file.text()));
    setReference(referenceOf(file.name));
    setChecked(undefined);
    setProgress(undefined);
  };
  const isChecked = checked?.length === 0;
  const work = async (): Promise<void> => {
    if (!isChecked) return setChecked(await checkAll(parts, reference));
    const onLines = (done: number): void => setProgress({ total, done, isOver: false });
    const done = await importAll(parts, reference, isOpen, onLines);
    setProgress({ total, done, isOver: true });
    onDone();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    work()
      .catch((error: unknown) => setFailure(describeFailure(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title={imports.title} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <p>{imports.means}</p>
        <FileField onFile={(file) => void choose(file)} />
        <Field
          label={imports.reference}
          value={reference}
          onValue={(value) => setReference(referenceOf(value))}
          required
        />
        {parts.length === 0 ? null : <p>{imports.linesOf(String(total))}</p>}
        <Faults faults={checked} />
        {progress === undefined ? null : <ProgressLine {...progress} />}
        <Refusal failure={failure} />
        <Buttons
          {...{ isChecked, isBusy, onClose }}
          isOver={progress?.isOver === true}
          isEmpty={parts.length === 0}
        />
      </form>
    </Dialog>
  );
}

interface ButtonsProps {
  readonly isChecked: boolean;
  readonly isBusy: boolean;
  readonly isOver: boolean;
  readonly isEmpty: boolean;
  readonly onClose: () => void;
}

function Buttons({ isChecked, isBusy, isOver, isEmpty, onClose }: ButtonsProps) {
  const { look } = useTexts();
  const { imports } = useDeskTexts();
  return (
    <div className="dialog-actions">
      <Button onClick={onClose}>{isOver ? imports.close : look.cancel}</Button>
      {isOver ? null : (
        <Button type="submit" tone="main" isBusy={isBusy} disabled={isEmpty}>
          {isChecked ? imports.carryOut : imports.check}
        </Button>
      )}
    </div>
  );
}

function FileField({ onFile }: { readonly onFile: (file: File | undefined) => void }) {
  const { imports } = useDeskTexts();
  return (
    <label className="field">
      <span className="field-label">{imports.file}</span>
      <input
        type="file"
        accept=".csv,text/csv"
        required
        onChange={({ target }) => onFile(target.files?.[0])}
      />
    </label>
  );
}

/** Undefined before the check. */
function Faults({ faults }: { readonly faults: readonly Fault[] | undefined }): ReactNode {
  const { imports } = useDeskTexts();
  if (faults === undefined) return null;
  if (faults.length === 0) return <p role="status">{imports.noFaults}</p>;
  const columns: readonly Column<Fault>[] = [
    { name: 'line', title: imports.line, cell: ({ line }) => String(line), isNumber: true },
    { name: 'column', title: imports.column, cell: ({ column }) => column },
    { name: 'text', title: imports.fault, cell: ({ text }) => text },
  ];
  return (
    <>
      <p className="fault" role="alert">
        {imports.faults(String(faults.length))}
      </p>
      <Table
        label={imports.fault}
        columns={columns}
        rows={faults}
        keyOf={({ line, column, text }) => `${line} ${column} ${text}`}
      />
    </>
  );
}

function ProgressLine({ total, done, isOver }: Progress) {
  const { imports } = useDeskTexts();
  return (
    <p role="status">
      <progress aria-label={imports.progress} max={Math.max(total, 1)} value={done} />{' '}
      {isOver ? imports.done(String(done)) : imports.doneOf(String(done), String(total))}
    </p>
  );
}
