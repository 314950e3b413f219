/** Cycles: none between files at run time, none between rooms even in types. */
import { importsOf, resolve } from './imports.ts';
import { homeOf } from './rooms.ts';
import type { Rule } from './rule.ts';
import type { Project } from './source.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

export const fileCyclesRule: Rule = {
  name: 'file-cycles',
  check: (project) =>
    cyclesOf(fileGraph(project)).map((cycle) => ({
      path: cycle[0] ?? '',
      line: 1,
      message: `imports itself: ${[...cycle, cycle[0]].join(' -> ')}`,
    })),
};

export const roomCyclesRule: Rule = {
  name: 'room-cycles',
  check: (project) =>
    cyclesOf(roomGraph(project)).map((cycle) => ({
      path: `src/${cycle[0]}`,
      line: 1,
      message: `imports itself: ${[...cycle, cycle[0]].join(' -> ')}`,
    })),
};

/** One path for every import that closes a cycle. */
function cyclesOf(graph: Graph): string[][] {
  const found: string[][] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): void => {
    if (done.has(node)) return;
    const at = path.indexOf(node);
    if (at >= 0) {
      found.push(path.slice(at));
      return;
    }
    path.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    path.pop();
    done.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return found;
}

function fileGraph(project: Project): Graph {
  const graph = new Map<string, Set<string>>();
  for (const source of project) {
    const targets = importsOf(source)
      .filter((found) => !found.typeOnly)
      .map((found) => resolve(source.path, found.specifier));
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
