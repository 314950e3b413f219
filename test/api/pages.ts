/** The page of the documentation that is a table of the code, as the code wants it. */
import { currentDialect, currentReject, FRAME, houseReject, meaningOf } from '#dialects';
import { REJECTS, type RejectKind, refuse } from '#domain';

const TIME_MS = 1_795_235_652_453;

/** docs/REJECTS.md */
export function rejectsPage(): string {
  const kinds = Object.keys(REJECTS) as RejectKind[];
  const rows = kinds.map((kind) => {
    const { number } = REJECTS[kind];
    const meaning = meaningOf(kind);
    const { code, status } = houseReject(kind);
    return `| ${number} | ${kind} | ${meaning} | ${code} | ${status} |`;
  });
  return `# Refusals

Everything the venue can refuse, by subject. A number is never reused; 116 to 118 are retired. The
classic interface answers an unknown key, a wrong passphrase and a wrong signature alike (125 to
127), so that no answer reveals which keys exist. Existing clients match on the code; the text
carries the meaning and, after a colon, the value it was about. Codes that begin with 60 belong to
the operator's interface.
\`Retry-After\` comes with 429 and with an overloaded venue (106).

The answer names the first check that fails: caller (1xx), request fields (2xx), coin or market
(3xx), form of prices and sizes (401, 402), then the state of the venue.
For an order in a contract that is, in this order: 701, 709, 710; 402 to 404; 401 for a price
between two steps; 711, 712; 713; 714; 716, 731 to 738; for an opening one 724, 727, 725, 726, for a
closing one 721, 727, 722, 723.
A trigger order: the same up to 401 for both of its prices, 713, 715, 706 or 731 to 738 for a
direction that is said, 731 to 738 for what it brings along, 721. A take-profit or stop-loss of a
position: 701, 709, 710; 721; 402, 404; 401; 713; 716; 731 to 738; another trigger for one: 408,
750, 701, 709, 710, 401, 731 to 738. A leverage: 749 out of bounds, 741, 749 for the tier, 725, and
749 at the threshold.

A refusal looks the same everywhere:

\`\`\`json
${FRAME.refusal(refuse('order_unknown'), TIME_MS).body}
\`\`\`

| number | reject | meaning | code | HTTP |
|---|---|---|---|---|
${rows.join('\n')}

## The current interface

The same refusals under \`/api/v3\` and \`/capi/v3\`. A code is an integer; the text begins as shown
and may go on with the value it was about. With HTTP 429 and 5xx the text is in \`message\` and not
in \`msg\`, which clients take for a reason to try again; an unknown path is answered with
\`timestamp\`, \`status\`, \`error\` and \`path\`.

\`\`\`json
${currentDialect.frame.refusal(refuse('order_unknown'), TIME_MS, '/api/v3/order').body}
\`\`\`

| number | reject | code | contracts | HTTP | text |
|---|---|---|---|---|---|
${kinds.map(currentRow).join('\n')}
`;
}

function currentRow(kind: RejectKind): string {
  const { code, contract, status, text } = currentReject(kind);
  const codes = `${code} | ${contract?.code ?? code} | ${status}`;
  return `| ${REJECTS[kind].number} | ${kind} | ${codes} | ${text} |`;
}
