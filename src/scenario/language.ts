/** The tables of docs/SCENARIOS.md, made from what the code knows. */
import type { TSchema } from 'typebox';
import { IsObject, IsOptional } from 'typebox/type';
import { ACTIONS } from './actions/all.ts';
import { SUBJECTS } from './subjects/all.ts';

interface Row {
  readonly name: string;
  readonly summary: string;
  readonly example: string;
  readonly schema: TSchema;
}

/** Every step as a row of Markdown: name, keys (the optional ones in brackets), what it does. */
export function actionTable(): string[] {
  return tableOf('step', ACTIONS);
}

export function subjectTable(): string[] {
  return tableOf('expectation', SUBJECTS);
}

function tableOf(title: string, rows: readonly Row[]): string[] {
  return [
    `| ${title} | keys | what it is |`,
    '|---|---|---|',
    ...rows.map(
      (row) => `| \`${row.name}\` | ${keysOf(row)} | ${row.summary}: \`${row.example}\` |`,
    ),
  ];
}

function keysOf({ name, schema }: Row): string {
  const isPlain = !IsObject(schema) || Object.keys(schema.properties).length === 0;
  if (isPlain || name === 'expect') return '-';
  return Object.entries(schema.properties)
    .map(([key, field]) => (IsOptional(field) ? `[${keyText(key, field)}]` : keyText(key, field)))
    .join(' ');
}

/** A key, with the words it takes when they are few and fixed. */
function keyText(key: string, field: TSchema): string {
  const words = 'enum' in field && Array.isArray(field.enum) ? field.enum.join('/') : '';
  return words === '' ? key : `${key}: ${words}`;
}
