/**
 * The version of how commands are written, for processes of two releases that share a log. It grows
 * with every new kind of command, form or field: a release that does not know it would stop at it,
 * or overlook it and go on with another state.
 */
import type { Command } from './command.ts';

export const FORMAT_VERSION = 1;

/** Kinds that came after the first format, by the format that brought them. */
const FORMAT_OF_KIND: Readonly<Partial<Record<Command['kind'], number>>> = {};

/** The format that a process must know to read this command. */
export function formatOf(command: Command): number {
  return FORMAT_OF_KIND[command.kind] ?? 1;
}
