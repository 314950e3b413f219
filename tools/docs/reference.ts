/**
 * The reference as one page to print or search: every call of every dialect with its rate, its
 * permission, its words and an example. A running venue serves the same tables at /docs.
 */
import { type Endpoint, readsQuery } from '#api';
import { DOCUMENTED } from '#dialects';
import { enumerationsOf } from './enumerations.ts';

/** The whole page, as Markdown. */
export function referencePage(): string {
  const chapters = DOCUMENTED.flatMap(({ tables, chapter }) => {
    const endpoints = Object.values(tables).flatMap((table) => Object.values(table));
    return [...Map.groupBy(endpoints, ({ path }) => chapter(path))];
  });
  const texts = chapters.map(([title, endpoints]) => {
    return `## ${title[0]?.toUpperCase()}${title.slice(1)}\n\n${endpointsOf(endpoints)}\n`;
  });
  return `# Reference of the HTTP interfaces\n\n${texts.join('\n')}`;
}

/** A table of all of them, and an example of each. */
function endpointsOf(endpoints: readonly Endpoint[]): string {
  return [endpointTable(endpoints), ...endpoints.map(endpointExample)].join('\n\n');
}

function endpointTable(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map((endpoint) => {
    const { method, path, rate, permission, summary } = endpoint;
    const calls =
      rate === null ? costText(endpoint) : `${rate.limit} per ${rate.windowMs / 1_000} s`;
    return `| ${method} | \`${path}\` | ${calls} | ${permission} | ${summary} |`;
  });
  return `| method | path | rate | permission | |\n|---|---|---|---|---|\n${rows.join('\n')}`;
}

function costText({ cost = {}, entryCost }: Endpoint): string {
  const parts = Object.entries(cost).map(([counts, price]) => `${counts} ${price}`);
  for (const [counts, price] of Object.entries(entryCost?.cost ?? {})) {
    parts.push(`${counts} ${price} each`);
  }
  return parts.length === 0 ? '-' : parts.join(', ');
}

/** The words of its fields, with what they mean; nothing where there are none. */
function wordsTable({ request, response }: Endpoint): string {
  const rows = [
    ...enumerationsOf(request).map((row) => ['request', row] as const),
    ...enumerationsOf(response).map((row) => ['answer', row] as const),
  ].map(([where, { field, words, description }]) => {
    const list = words.map((word) => `\`${word}\``).join(', ');
    return `| ${where} | \`${field}\` | ${list} | ${description} |`;
  });
  if (rows.length === 0) return '';
  return `\n\n| in the | field | takes | |\n|---|---|---|---|\n${rows.join('\n')}`;
}

function endpointExample(endpoint: Endpoint): string {
  const { method, path, example } = endpoint;
  const request = readsQuery(endpoint)
    ? `${method} ${path}${queryText(example.request)}`
    : `${method} ${path}\n${JSON.stringify(example.request)}`;
  const data = block('json', JSON.stringify(example.data));
  const words = wordsTable(endpoint);
  const [title = '', ...more] = endpoint.summary.split('. ');
  const rest = more.length === 0 ? '' : `${more.join('. ')}.\n\n`;
  return `### ${title}\n\n${rest}${block('', request)}\n\n${data}${words}`;
}

function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

function queryText(query: Endpoint['example']['request']): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${String(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
