/** The tables of competitions. What is read as a whole is JSON in one column. */
import type { CreateTableBuilder, Kysely } from 'kysely';

export interface CompetitionTables {
  readonly competitions: {
    competition_id: string;
    terms: string;
    /** Of releases that had one code for each; null since. */
    code_hash: string | null;
    created_ms: number;
    cancelled_ms: number | null;
  };
  readonly competition_entries: {
    entry_id: string;
    competition_id: string;
    account_id: number;
    name: string;
    team: string;
    is_held: number;
    joined_ms: number;
  };
  readonly competition_rounds: {
    round_id: string;
    competition_id: string;
    number: number;
    name: string;
    state: string;
    prepare_ms: number;
    start_ms: number;
    duration_ms: number;
    sample_ms: number;
    scenario: string | null;
    is_forced: number;
    started_ms: number | null;
    end_ms: number | null;
    seats: string;
    seats_count: number;
    board: string;
    note: string;
  };
  readonly competition_samples: {
    round_id: string;
    number: number;
    time_ms: number;
    equities: string;
    last_id: number | null;
  };
}

type Table = CreateTableBuilder<string, string>;

function columns(table: Table, type: 'text' | 'bigint', ...names: readonly string[]): Table {
  let made: Table = table;
  for (const name of names) made = made.addColumn(name, type, (one) => one.notNull());
  return made;
}

export async function competitionTables({ schema }: Kysely<unknown>): Promise<void> {
  const keyed = (name: string, key: string): Table =>
    schema.createTable(name).addColumn(key, 'text', (one) => one.primaryKey().notNull());
  await columns(
    columns(keyed('competitions', 'competition_id'), 'text', 'terms'),
    'bigint',
    'created_ms',
  )
    .addColumn('code_hash', 'text')
    .addUniqueConstraint('competitions_code', ['code_hash'])
    .execute();
  const entries = columns(
    keyed('competition_entries', 'entry_id'),
    ...(['text', 'competition_id', 'name', 'team'] as const),
  );
  await columns(entries, 'bigint', 'account_id', 'is_held', 'joined_ms')
    .addUniqueConstraint('competition_entries_account', ['competition_id', 'account_id'])
    .addUniqueConstraint('competition_entries_name', ['competition_id', 'name'])
    .execute();
  const rounds = columns(
    keyed('competition_rounds', 'round_id'),
    ...(['text', 'competition_id', 'name', 'state', 'seats', 'board', 'note'] as const),
  );
  const times = columns(rounds, 'bigint', 'prepare_ms', 'start_ms', 'duration_ms', 'sample_ms');
  await columns(times, 'bigint', 'number', 'is_forced', 'seats_count')
    .addColumn('scenario', 'text')
    .addColumn('started_ms', 'bigint')
    .addColumn('end_ms', 'bigint')
    .addUniqueConstraint('competition_rounds_number', ['competition_id', 'number'])
    .execute();
  const samples = columns(
    schema.createTable('competition_samples'),
    ...(['text', 'round_id', 'equities'] as const),
  );
  await columns(samples, 'bigint', 'number', 'time_ms')
    .addPrimaryKeyConstraint('competition_samples_key', ['round_id', 'number'])
    .execute();
}
