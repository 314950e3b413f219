/**
 * The words of the pages: one term for one thing in both languages, nothing that an editor would
 * strike out, and every refusal of the venue in the language of the page.
 */
import { strict as assert } from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { detailText, meaningOf } from '#dialects';
import { FIELDS, OBSTACLES, RANGES, ROLES } from '#dialects/testing';
import { REJECTS, type RejectKind } from '#domain';
import { BANNER_TEXTS } from '../../ui/src/texts/banner-words.ts';
import { en } from '../../ui/src/texts/en.ts';
import { desk as enDesk } from '../../ui/src/texts/en-desk.ts';
import { ops as enOps } from '../../ui/src/texts/en-ops.ts';
import { people as enPeople } from '../../ui/src/texts/en-people.ts';
import { zh } from '../../ui/src/texts/zh.ts';
import { desk as zhDesk } from '../../ui/src/texts/zh-desk.ts';
import { ops as zhOps } from '../../ui/src/texts/zh-ops.ts';
import { people as zhPeople } from '../../ui/src/texts/zh-people.ts';

const SCENARIOS = resolve(import.meta.dirname, '../../config/scenarios');

type Leaf = readonly [path: string, text: string];

/** Every text with its place; a text made of figures is made of the names in `figures`. */
function leaves(of: unknown, path = ''): readonly Leaf[] {
  if (typeof of === 'string') return [[path, of]];
  if (typeof of === 'function') {
    const made: unknown = of(...Array.from({ length: of.length }, (_, at) => `{${at}}`));
    return leaves(made, path);
  }
  return Object.entries(Object(of)).flatMap(([name, value]) =>
    leaves(value, path === '' ? name : `${path}.${name}`),
  );
}

const ENGLISH = new Map(
  leaves({ ...en, ops: enOps, people: enPeople, desk: enDesk, banner: BANNER_TEXTS.en }),
);
const CHINESE = new Map(
  leaves({ ...zh, ops: zhOps, people: zhPeople, desk: zhDesk, banner: BANNER_TEXTS.zh }),
);

/** Where the English says the first, the Chinese says one of the others. */
const TERMS: readonly (readonly [english: RegExp, chinese: RegExp])[] = [
  [/\btrigger orders?\b/i, /计划委托/],
  [/\bisolated\b/i, /逐仓/],
  [/\bcross(ed)?\b/i, /全仓/],
  [/\btake-profit\b/i, /止盈/],
  [/\bstop-loss\b/i, /止损/],
  [/\bleverage\b/i, /杠杆/],
  [/\bmark price\b/i, /标记价格/],
  [/\bindex price\b/i, /指数价格/],
  [/\bopen interest\b/i, /持仓量/],
  [/\binsurance fund\b/i, /保险基金/],
  [/\bauto-delever/i, /自动减仓/],
  [/\bliq(\.|uidat)/i, /强平|强制平仓/],
  [/\bfunding rate\b/i, /资金费率/],
  [/\btransfers?\b/i, /划转|转入|转出/],
  [/\bwithdraw/i, /提现/],
  [/\bdeposit/i, /充值/],
  [/\border history\b/i, /历史委托/],
  [/\bopen orders?\b/i, /委托/],
  [/\btransaction history\b/i, /资金流水/],
  [/\bsecret key\b/i, /Secret Key/],
  [/\bAPI key\b/, /API Key|API 密钥/],
  [/\bpassphrase\b/i, /口令/],
  [/\btwo-factor authentication\b/i, /两步验证/],
  [/\brecovery codes?\b/i, /恢复码/],
  [/\binvitation\b/i, /邀请码/],
  [/\baccess code\b/i, /授权码/],
  [/\bsign up\b/i, /注册/],
  [/\be-mail\b/i, /邮箱|邮件/],
  [/\badmin token\b/i, /管理员令牌/],
  [/\bcheckpoints?\b/i, /检查点/],
  [/\bspecifications\b/i, /交易参数/],
  [/\brejected\b/i, /拒绝/],
];

/** Words that a trader would not use, or that the trade has another word for. */
const ENGLISH_NEVER: readonly RegExp[] = [
  /\bplan order/i,
  /\bfixed margin\b/i,
  /\brefus/i,
  /\bpartly\b/i,
  /\bbills?\b/i,
  /\bid\b/,
  /\bat once\b/i,
  /\bmay not\b/i,
  /\bwhitelist\b/i,
];
const CHINESE_NEVER: readonly RegExp[] = [
  // The secret of a key; the other half of a pair is called so.
  /(?<!您的)私钥/,
  /运营台|运营方/,
  /账本/,
  /仓位/,
  /平台减仓/,
  /标记价(?!格)/,
  /指数价(?!格)/,
  /管理令牌/,
  /编号/,
  /应答/,
  /限频/,
  /[,;!?](?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])[,;!?]/,
];

function broken(texts: ReadonlyMap<string, string>, never: readonly RegExp[]): readonly string[] {
  return [...texts].flatMap(([path, text]) =>
    never.filter((word) => word.test(text)).map((word) => `${path}: ${text} has ${word}`),
  );
}

test('both languages have the same texts, and none is empty', () => {
  assert.deepEqual([...CHINESE.keys()].sort(), [...ENGLISH.keys()].sort());
  for (const [path, text] of [...ENGLISH, ...CHINESE]) assert.notEqual(text.trim(), '', path);
});

test('a figure that one language shows is shown by the other', () => {
  const figures = (text: string) => [...new Set(text.match(/\{\d\}/g))].sort();
  for (const [path, text] of ENGLISH) {
    assert.deepEqual(figures(CHINESE.get(path) ?? ''), figures(text), path);
  }
});

test('a term is the same one wherever it is said, in both languages', () => {
  const odd = [...ENGLISH].flatMap(([path, text]) =>
    TERMS.filter(
      ([english, chinese]) => english.test(text) && !chinese.test(CHINESE.get(path) ?? ''),
    ).map(([english]) => `${path}: ${text} (${english}) is ${CHINESE.get(path)}`),
  );
  assert.deepEqual(odd, []);
});

test('no text has a word that the trade does not use', () => {
  assert.deepEqual([...broken(ENGLISH, ENGLISH_NEVER), ...broken(CHINESE, CHINESE_NEVER)], []);
});

const WITH_WORDS = /[A-Za-z]{3,}/;
/** Names that Chinese keeps: of the API, of fields and of protocols. */
const KEPT = new RegExp(
  [
    'API Key|CSRF|JSON|application/json|ID|IP|A-Z|a-z|[a-z]+[A-Z][A-Za-z]*',
    'index|kind|label|status|symbol|tiers|wallets',
    'speed|count|key|probability|skip|target',
  ].join('|'),
  'g',
);

test('every refusal is in Chinese on a Chinese page, whichever words the venue has for it', () => {
  for (const reject of Object.keys(REJECTS) as RejectKind[]) {
    for (const english of [REJECTS[reject].meaning, meaningOf(reject)]) {
      const chinese = zh.refusal(english);
      assert.match(chinese, /[\u4e00-\u9fff]/, english);
      assert.doesNotMatch(chinese.replaceAll(KEPT, ''), WITH_WORDS, english);
      assert.equal(en.refusal(english), english);
    }
  }
});

test('what a refusal is about is in Chinese behind its meaning', () => {
  const about = [
    ...Object.values(ROLES).map((word) => word('5.5 BTC')),
    ...Object.values(RANGES).map((word) => word('1', '20')),
    ...Object.values(FIELDS),
    ...Object.values(OBSTACLES),
    detailText({ is: 'missing', parameter: 'symbol' }),
  ];
  for (const english of about) {
    const chinese = zh.refusal(`${REJECTS.listing_invalid.meaning}: ${english}`);
    assert.ok(chinese.startsWith('上线参数无效：'), chinese);
    const rest = chinese.replace('5.5 BTC', '').replaceAll(KEPT, '');
    assert.doesNotMatch(rest, WITH_WORDS, `${english} is ${chinese}`);
  }
  assert.equal(
    zh.refusal('Quantity is below the minimum: at least 0.0001 BTC'),
    '数量低于最小值：至少 0.0001 BTC',
  );
  assert.equal(
    zh.refusal('The outcome is unknown: the request may have been carried out'),
    '结果未知：请求可能已经执行',
  );
  assert.equal(
    zh.refusal('Order does not exist: 1000000000000035'),
    '委托不存在：1000000000000035',
  );
});

test('each scenario of the venue has a name and a description in Chinese', () => {
  const files = readdirSync(SCENARIOS).filter((name) => name.endsWith('.yaml'));
  assert.ok(files.length > 5);
  for (const file of files) {
    const name = file.replace(/\.yaml$/, '');
    const { title, description } = zhOps.scenario(name, 'Title', 'Description');
    for (const text of [title, description]) {
      assert.match(text, /[\u4e00-\u9fff]/, name);
      assert.doesNotMatch(text.replaceAll(KEPT, ''), WITH_WORDS, name);
    }
    assert.deepEqual(broken(new Map([[name, `${title} ${description}`]]), CHINESE_NEVER), []);
  }
  const own = { title: 'My own', description: 'A file of the operator' };
  assert.deepEqual(zhOps.scenario('mine', own.title, own.description), own);
});
