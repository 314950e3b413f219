/** What the threads of a process have had of the processors, as Linux counts it. */
import { readdirSync, readFileSync } from 'node:fs';

const NS_PER_S = 1e9;

/** By name, in seconds since the start of each; the first thread of a server is its market. */
export function threadSeconds(processId: number): (readonly [name: string, seconds: number])[] {
  const tasks = `/proc/${processId}/task`;
  return readdirSync(tasks).map((task) => {
    const [spentNs] = readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ');
    const isFirst = task === String(processId);
    const name = isFirst ? 'market' : readFileSync(`${tasks}/${task}/comm`, 'utf8').trim();
    return [name, Number(spentNs) / NS_PER_S] as const;
  });
}
