/**
 * The command line: which commands there are and what they take. Exit codes: 0 fine, 1 a problem
 * was found, 2 the command could not run. Serving and benching are handed in by main.
 */
import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { type Config, type ConfigFlags, loadConfig } from '#config';
import { backup, restore } from './backup.ts';
import { ClusterCommands, type ClusterParts } from './cluster.ts';
import type { ExportFlags } from './export/export.ts';
import { audit, type Place, replay, verify, verifyRows } from './offline.ts';
import { OperatorCommands } from './operator.ts';
import type { Output } from './output.ts';
import { addScenarioCommands, type ScenarioParts } from './scenario.ts';

export interface ServeOptions {
  /** One line of JSON for the program that has started this one, not text for a person. */
  readonly json: boolean;
}

export interface CommandLine extends ScenarioParts, ClusterParts {
  /** Serves until stopped; resolves with the exit code. */
  serve(config: Config, options: ServeOptions): Promise<number>;
  /** Runs the named benchmarks, or all; resolves with the exit code. */
  bench(names: readonly string[]): Promise<number>;
}

const COULD_NOT_RUN = 2;
const DATA_DEFAULT = './data';
const URL_DEFAULT = 'http://127.0.0.1:8787';

/** Runs one command, given without the name of the program, and resolves with the exit code. */
export async function runCommandLine(
  words: readonly string[],
  parts: CommandLine,
): Promise<number> {
  let exitCode = 0;
  const program = buildProgram(parts, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its own complaint already; asking for help is none.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : COULD_NOT_RUN;
    parts.output.notice(error instanceof Error ? error.message : String(error));
    return COULD_NOT_RUN;
  }
}

type Exit = (code: number) => void;

type ServeFlags = ConfigFlags & Partial<ServeOptions>;

function buildProgram(parts: CommandLine, exit: Exit): Command {
  const { output } = parts;
  const program = new Command('outcry')
    .description('An exchange you can run with one command')
    .version(programVersion(), '--version', 'show which version this is')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.result(text.trimEnd()),
      writeErr: (text) => output.notice(text.trimEnd()),
    });
  addServe(program, parts, exit);
  addGateway(program, parts, exit);
  addDoctor(program, parts, exit);
  addOperatorCommands(program, new OperatorCommands(output, parts.env), exit);
  addOfflineCommands(program, parts, exit);
  addClusterCommands(program, new ClusterCommands(parts, output, parts.env), exit);
  addScenarioCommands(program, parts, exit);
  program
    .command('bench')
    .description('measure this machine; every number is a ratio to something else in the same run')
    .argument('[names...]', 'which benchmarks; all when none is named')
    .action(async (names: string[]) => exit(await parts.bench(names)));
  return program;
}

/** The same file from src and from dist. */
function programVersion(): string {
  const file = new URL('../../../package.json', import.meta.url);
  const { version }: { version?: string } = JSON.parse(readFileSync(file, 'utf8'));
  return version ?? '';
}

function addServe(program: Command, parts: CommandLine, exit: Exit): void {
  program
    .command('serve')
    .description('recover the venue of the data directory and serve it')
    .option('--port <number>', 'port to listen on; 0 lets the system choose (8787)')
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--data <directory>', 'where journal, snapshots and history live (./data)')
    .option('--ephemeral', 'in a private directory that is removed at the end')
    .option('--config <file>', 'what to list and whom to fund (the demo venue)')
    .option('--no-participants', 'without market maker, traders and price paths')
    .option('--sandbox', 'serve /sandbox/v1: set clock and prices, go back in state, break answers')
    .option('--path <coin=file...>', 'play recorded prices, as in btc=FILE.csv.gz')
    .option('--speed <factor>', 'how many times faster than recorded (1)')
    .option('--rate-limits <on|off>', 'rate limits of the API (on)')
    .option(
      '--http-threads <number>',
      'threads that speak HTTP, beside the market thread (by cores)',
    )
    .addOption(new Option('--gateways <number>', 'the same, as it was called').hideHelp())
    .option('--admin-token <token>', 'bearer token of /admin/v1 (made once, in the data directory)')
    .option('--allow-demo-on-network', 'serve keys everybody knows on an address others can reach')
    .option('--yes-on-network', 'serve a sandbox, or without rate limits, where others reach it')
    .option('--cluster <file>', 'as a member of a cluster, which the file describes')
    .option('--seed', 'begin the cluster with the venue that the data directory holds')
    .option('--json', 'when ready, print one line: {"url", "pid", "ready": true}')
    .action(async ({ json = false, ...flags }: ServeFlags) =>
      exit(await parts.serve(loadConfig(flags, parts.env), { json })),
    );
}

/** A gateway brings nothing into the venue: what is listed and traded, the leader does. */
function addGateway(program: Command, parts: CommandLine, exit: Exit): void {
  program
    .command('gateway')
    .description('serve the venue of a cluster without ever leading it')
    .requiredOption('--cluster <file>', 'the cluster, and the place of this process in it')
    .option('--port <number>', 'port to listen on; 0 lets the system choose (8787)')
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--data <directory>', 'where its copy of the log and its history live (./data)')
    .option('--config <file>', 'the configuration of the venue (the demo venue)')
    .option('--rate-limits <on|off>', 'rate limits of the API (on)')
    .option(
      '--http-threads <number>',
      'threads that speak HTTP, beside the market thread (by cores)',
    )
    .addOption(new Option('--gateways <number>', 'the same, as it was called').hideHelp())
    .option('--admin-token <token>', 'bearer token of /admin/v1 (made once, in the data directory)')
    .option('--allow-demo-on-network', 'serve keys everybody knows on an address others can reach')
    .option('--yes-on-network', 'serve without rate limits where others reach it')
    .option('--json', 'when ready, print one line: {"url", "pid", "ready": true}')
    .action(async ({ json = false, ...flags }: ServeFlags) => {
      const config = loadConfig(
        { ...flags, clusterKind: 'gateway', participants: false },
        parts.env,
      );
      exit(await parts.serve(config, { json }));
    });
}

/** With the flags of serve that say where and what. */
function addDoctor(program: Command, parts: CommandLine, exit: Exit): void {
  program
    .command('doctor')
    .description('check this machine, a configuration and a data directory; say what to do')
    .option('--port <number>', 'port to listen on (8787)')
    .option('--host <address>', 'address to listen on (127.0.0.1)')
    .option('--data <directory>', 'where journal, snapshots and history live (./data)')
    .option('--config <file>', 'what to list and whom to fund (the demo venue)')
    .option('--cluster <file>', 'as a member of a cluster, which the file describes')
    .option('--allow-demo-on-network', 'serve keys everybody knows on an address others can reach')
    .option('--yes-on-network', 'serve a sandbox, or without rate limits, where others reach it')
    .action(async (flags: ConfigFlags) => {
      // The other commands have no use for it.
      const { doctor } = await import('./doctor/doctor.ts');
      exit(await doctor(flags, parts));
    });
}

function addClusterCommands(program: Command, commands: ClusterCommands, exit: Exit): void {
  const cluster = program.command('cluster').description('the processes of a cluster');
  const add = (name: string, description: string) =>
    cluster
      .command(name)
      .description(description)
      .requiredOption('--cluster <file>', 'the cluster, as a file of any of its processes says');
  add('members', 'show every process, what it reads and how far it is').action(
    async (flags: { readonly cluster: string }) => exit(await commands.members(flags.cluster)),
  );
  add('withdraw', 'a process will not come back: what it has said counts no more')
    .argument('<name>', 'the process')
    .action(async (name: string, flags: { readonly cluster: string }) =>
      exit(await commands.withdraw(name, flags.cluster)),
    );
}

function addOperatorCommands(program: Command, commands: OperatorCommands, exit: Exit): void {
  const key = program.command('key').description('API keys of a running venue');
  onVenue(key.command('create').description('make a key and show its secret, this once'))
    .requiredOption('--account <name>', 'account, by name or id')
    .option('--label <text>', 'what the key is for')
    .option('--passphrase <text>', 'passphrase to use instead of a made-up one')
    .option('--permissions <list>', 'comma-separated: read, trade, transfer (read,trade)')
    .option('--ip <list>', 'comma-separated addresses or CIDR blocks that may use it (any)')
    .option('--strict-replay', 'execute each of its signed changes once')
    .option('--expires-days <count>', 'days until it expires (it stays)')
    .option('--public-key <file>', 'sign with Ed25519: its public key, as PEM, not a secret')
    .action(async (options) => exit(await commands.keyCreate(options)));
  onVenue(key.command('list').description('show the keys of an account, without secrets'))
    .requiredOption('--account <name>', 'account, by name or id')
    .action(async (options) => exit(await commands.keyList(options)));
  onVenue(key.command('revoke').description('end a key for good'))
    .argument('<key>', 'the key')
    .action(async (name: string, options) => exit(await commands.keyRevoke(name, options)));
  onVenue(program.command('deposit').description('credit an account of a running venue'))
    .requiredOption('--account <name>', 'account, by name or id')
    .requiredOption('--coin <code>', 'coin, as in USDT')
    .requiredOption('--amount <decimal>', 'how much')
    .option('--wallet <wallet>', 'spot or a contract, as in BTC-USDT-PERP (spot)')
    .option('--client-oid <id>', 'your own id for it, carried out once in 30 days (a new one)')
    .action(async (options) => exit(await commands.deposit(options)));
  onVenue(program.command('invite').description('make a code by which people can sign up'))
    .option('--uses <number>', 'for how many people', '1')
    .option('--days <number>', 'for how many days', '7')
    .option('--label <text>', 'what it is for, as the list of invitations shows it')
    .action(async (options) => exit(await commands.invite(options)));
  onVenue(program.command('index').description('report an index price of a contract'))
    .argument('<symbol>', 'contract, as in BTC-USDT-PERP')
    .argument('<price>', 'price; 0 takes it back')
    .option('--source <name>', 'feed it comes from (operator, which outranks every source)')
    .action(async (symbol: string, price: string, options) =>
      exit(await commands.indexPrice({ symbol, price, ...options })),
    );
  onVenue(program.command('insurance').description('put money into the insurance fund of a coin'))
    .argument('<coin>', 'coin, as in USDT')
    .argument('<amount>', 'how much')
    .option('--client-oid <id>', 'your own id for it, carried out once in 30 days (a new one)')
    .action(async (coin: string, amount: string, options) =>
      exit(await commands.insurance({ coin, amount, ...options })),
    );
}

function onVenue(command: Command): Command {
  return command
    .option('--url <address>', 'where the venue serves', URL_DEFAULT)
    .option('--admin-token <token>', 'its admin token (OUTCRY_ADMIN_TOKEN, or from --data)')
    .option('--data <directory>', 'data directory that holds its token', DATA_DEFAULT);
}

interface CopyFlags {
  readonly data: string;
  readonly withKeys?: boolean;
}

type OfflineCommand = (place: Place, output: Output) => Promise<number>;

function addOfflineCommands(program: Command, { output, env }: CommandLine, exit: Exit): void {
  const add = (name: string, description: string, run: OfflineCommand) => {
    program
      .command(name)
      .description(description)
      .option('--data <directory>', 'data directory', DATA_DEFAULT)
      .action(async ({ data }: { readonly data: string }) =>
        exit(await run({ data, env }, output)),
      );
  };
  add('audit', 'does the money add up, coin by coin', audit);
  add('replay', 'replay the journal from its first command and compare with the snapshot', replay);
  add('verify-history', 'is every row of the history what the journal says', verifyRows);
  program
    .command('backup')
    .description('copy a venue, running or not, as of one moment, and verify the copy')
    .argument(
      '<target>',
      'where to: a directory that is empty or missing, or a new .tar or .tar.gz',
    )
    .option('--data <directory>', 'data directory', DATA_DEFAULT)
    .option('--with-keys', 'copy master.key and admin.token, too')
    .action(async (target: string, flags: CopyFlags) =>
      exit(await backup(target, { ...flags, env }, output)),
    );
  program
    .command('restore')
    .description('verify a backup and lay it down as a data directory')
    .argument('<backup>', 'the directory of the backup, or its file')
    .requiredOption('--data <directory>', 'where to: empty or missing')
    .action(async (source: string, flags: CopyFlags) =>
      exit(await restore(source, { ...flags, env }, output)),
    );
  program
    .command('export')
    .description('write rows of the past, or the balances of now, as CSV or Parquet')
    .argument(
      '<what>',
      'orders, fills, ledger, transfers, liquidations, funding, candles, equity or balances',
    )
    .requiredOption('--out <file>', 'where to: a new file that ends with .csv or .parquet')
    .option('--account <name...>', 'only of these accounts, by name or id')
    .option('--market <symbol...>', 'only of these pairs and contracts, as in BTC-USDT')
    .option('--from <time>', 'not before, in UTC, as in 2026-11-24 or 2026-11-24T15:00Z')
    .option('--to <time>', 'before, in UTC')
    .option('--data <directory>', 'data directory', DATA_DEFAULT)
    .action(async (what: string, flags: Omit<ExportFlags, 'env'>) => {
      // The other commands have no use for it.
      const { exportRows } = await import('./export/export.ts');
      exit(await exportRows(what, { ...flags, env }, output));
    });
  program
    .command('verify-journal')
    .description('is every entry of the journal there, in order and unchanged')
    .option('--data <directory>', 'data directory', DATA_DEFAULT)
    .option('--anchor [head]', 'print a head to keep elsewhere, or check against a kept one')
    .action(async ({ data, anchor }: { readonly data: string; readonly anchor?: string | true }) =>
      exit(await verify({ data, env }, output, anchor)),
    );
}
