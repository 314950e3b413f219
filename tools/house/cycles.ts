/** Cycles: none between files and none between rooms. Types count as imports. */
import { importsOf, resolve } from './imports.ts';
import { homeOf } from './rooms.ts';
import type { Finding, Rule } from './rule.ts';
import type { Project } from './source.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

export const fileCyclesRule: Rule = {
  name: 'file-cycles',
  check: (project) => cyclesOf(fileGraph(project)).map((cycle) => circle(cycle[0], cycle)),
};

export const roomCyclesRule: Rule = {
  name: 'room-cycles',
  check: (project) => cyclesOf(roomGraph(project)).map((cycle) => circle(`src/${cycle[0]}`, cycle)),
};

function circle(path = '', cycle: readonly string[]): Finding {
  return { path, line: 1, message: `import each other: ${cycle.join(', ')}` };
}

/** The strongly connected parts of a graph, by Tarjan's algorithm. */
function cyclesOf(graph: Graph): string[][] {
  const found: string[][] = [];
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): number => {
    const known = lowest.get(node);
    if (known !== undefined) return known;
    const at = stack.push(node) - 1;
    let low = at;
    lowest.set(node, low);
    for (const next of graph.get(node) ?? []) low = Math.min(low, visit(next));
    lowest.set(node, low);
    if (low < at) return low;
    const group = stack.splice(at).sort();
    // What is dealt with leads no other node back.
    for (const member of group) lowest.set(member, Number.POSITIVE_INFINITY);
    if (group.length > 1 || graph.get(node)?.has(node)) found.push(group);
    return Number.POSITIVE_INFINITY;
  };
  for (const node of graph.keys()) visit(node);
  return found;
}

function fileGraph(project: Project): Graph {
  const graph = new Map<string, Set<string>>();
  for (const source of project) {
    const targets = importsOf(source).map((found) => resolve(source.path, found.specifier));
    graph.set(source.path, new Set(targets.filter((target) => target !== undefined)));
  }
  return graph;
}

function roomGraph(project: Project): Graph {
  const graph = new Map<string, Set<string>>();
  for (const source of project) {
    const home = homeOf(source.path);
    if (home === undefined) continue;
    const rooms = graph.get(home) ?? new Set();
    graph.set(home, rooms);
    for (const found of importsOf(source)) {
      const target = resolve(source.path, found.specifier);
      const room = target === undefined ? undefined : homeOf(target);
      if (room !== undefined && room !== home) rooms.add(room);
    }
  }
  return graph;
}
