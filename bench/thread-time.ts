/** What the threads of a process have had of the processors, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';

const NS_PER_US = 1e3;
const NS_PER_S = 1e9;

/** By name, in seconds since the start of each; the first thread of a server is its market. */
export function threadSeconds(processId: number): (readonly [name: string, seconds: number])[] {
  return readdirSync(`/proc/${processId}/task`).map((task) => {
    const isFirst = task === String(processId);
    const name = isFirst ? 'market' : ofTask(processId, task, 'comm').trim();
    return [name, spentNs(processId, task) / NS_PER_S] as const;
  });
}

/** Of the first thread alone, in microseconds. */
export function firstThreadMicroseconds(processId: number): number {
  return spentNs(processId, String(processId)) / NS_PER_US;
}

function spentNs(processId: number, task: string): number {
  const [spent] = ofTask(processId, task, 'schedstat').split(' ');
  return Number(spent);
}

function ofTask(processId: number, task: string, file: 'comm' | 'schedstat'): string {
  return readFileSync(`/proc/${processId}/task/${task}/${file}`, 'utf8');
}
