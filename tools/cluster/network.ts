/**
 * Machines of one's own for a cluster on this one: each is a network namespace with an address
 * among the others, on a cable that can be cut, and one for its clients, which cannot. Needs root
 * and Debian's iproute2. Nothing of it has a name: it is gone with the processes that hold it.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { present } from '#kernel';

/** Where a process runs. */
export interface Machine {
  /** Its address among the processes of the cluster. */
  readonly host: string;
  readonly clientHost: string;
  /** The words in front of a program that shall run there. */
  readonly enter: readonly string[];
}

/** The machine that this program runs on. */
export const HERE: Machine = { host: '127.0.0.1', clientHost: '127.0.0.1', enter: [] };

/** Names a namespace for as long as it lives, which is as long as this process. */
interface Holder {
  readonly pid: number;
  readonly child: ChildProcess;
}

const PRIVATE = `198.19.${process.pid % 250}`;
const CLIENTS = `198.18.${process.pid % 250}`;
const OWN = `${PRIVATE}.254`;
/** Of the port of a bridge. */
const [CUT, WHOLE] = ['0', '3'];

export class Network {
  readonly machines: readonly Machine[];
  /** Where they reach what listens on the machine of this program. */
  readonly host = OWN;
  readonly #holders: readonly Holder[];

  private constructor(holders: readonly Holder[], machines: readonly Machine[]) {
    this.#holders = holders;
    this.machines = machines;
  }

  /** Rejects where such networks cannot be made: why, in the message. */
  static async of(count: number): Promise<Network> {
    const holders: Holder[] = [];
    try {
      for (let at = 0; at <= count; at += 1) holders.push(await hold());
      const [hub, ...others] = holders;
      layHub(present(hub, 'hub'));
      const machines = others.map((one, at) => connect(present(hub, 'hub'), one, at + 1));
      return new Network(holders, machines);
    } catch (error) {
      end(holders);
      throw error;
    }
  }

  /** The others hear nothing of it any more, nor it of them; its clients do not notice. */
  cut(machine: Machine): void {
    this.#set(machine, CUT ?? '');
  }

  mend(machine: Machine): void {
    this.#set(machine, WHOLE ?? '');
  }

  /** Who is still about to connect to a machine that was cut off would be so for two minutes. */
  close(): void {
    for (const net of [PRIVATE, CLIENTS]) run(['ss', '--tcp', '--kill', 'dst', `${net}.0/24`]);
    end(this.#holders);
  }

  #set(machine: Machine, state: string): void {
    const at = this.machines.indexOf(machine) + 1;
    inside(
      present(this.#holders[0], 'hub'),
      ['bridge', 'link', 'set', 'dev', `m${at}`],
      'state',
      state,
    );
  }
}

/** It ends when this process does: its input ends. */
async function hold(): Promise<Holder> {
  const child = spawn('unshare', ['--net', 'sh', '-c', 'echo; exec cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const failed = Promise.race([once(child, 'error'), once(child, 'exit')]).then(([reason]) => {
    throw new Error(`no network namespace here: ${reason}`);
  });
  await Promise.race([once(createInterface({ input: child.stdout }), 'line'), failed]);
  child.unref();
  failed.catch(() => undefined);
  const holder = { pid: present(child.pid, 'process'), child };
  inside(holder, ['ip', 'link', 'set', 'lo', 'up']);
  return holder;
}

function end(holders: readonly Holder[]): void {
  for (const { child } of holders) child.kill('SIGKILL');
}

/** Between all machines, and this program, which is never cut off. */
function layHub(hub: Holder): void {
  inside(hub, ['ip', 'link', 'add', 'hub', 'type', 'bridge']);
  inside(hub, ['ip', 'link', 'set', 'hub', 'up']);
  const own = `oc${process.pid}`;
  run(['ip', 'link', 'add', own, 'type', 'veth', 'peer', 'name', 'own', 'netns', `${hub.pid}`]);
  plug(hub, 'own');
  run(['ip', 'address', 'add', `${OWN}/24`, 'dev', own]);
  run(['ip', 'link', 'set', own, 'up']);
}

function connect(hub: Holder, machine: Holder, at: number): Machine {
  const [host, clientHost] = [`${PRIVATE}.${at}`, `${CLIENTS}.${4 * at + 2}`];
  const ofHub = ['peer', 'name', `m${at}`, 'netns', `${hub.pid}`];
  inside(machine, ['ip', 'link', 'add', 'private', 'type', 'veth', ...ofHub]);
  plug(hub, `m${at}`);
  address(machine, 'private', `${host}/24`);
  const cable = `oc${process.pid}-${at}`;
  const there = ['peer', 'name', 'clients', 'netns', `${machine.pid}`];
  run(['ip', 'link', 'add', cable, 'type', 'veth', ...there]);
  run(['ip', 'address', 'add', `${CLIENTS}.${4 * at + 1}/30`, 'dev', cable]);
  run(['ip', 'link', 'set', cable, 'up']);
  address(machine, 'clients', `${clientHost}/30`);
  return { host, clientHost, enter: enter(machine) };
}

function plug(hub: Holder, cable: string): void {
  inside(hub, ['ip', 'link', 'set', cable, 'master', 'hub', 'up']);
}

function address(machine: Holder, cable: string, ip: string): void {
  inside(machine, ['ip', 'address', 'add', ip, 'dev', cable]);
  inside(machine, ['ip', 'link', 'set', cable, 'up']);
}

function enter({ pid }: Holder): readonly string[] {
  return ['nsenter', `--net=/proc/${pid}/ns/net`];
}

function inside(holder: Holder, ...words: readonly (string | readonly string[])[]): void {
  run([...enter(holder), ...words.flat()]);
}

function run([program = '', ...words]: readonly string[]): void {
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
}
