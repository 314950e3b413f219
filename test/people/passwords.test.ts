/** Which new passwords are refused: what somebody tries who knows what people choose. */
import { strict as assert } from 'node:assert/strict';
import { after, test } from 'node:test';
import { Passwords } from '#people';

const passwords = new Passwords();
after(() => passwords.close());
const COMMON = 'it is too common; choose one that is harder to guess';
const NAMES = ['ada', 'Lovelace'];

for (const password of [
  'P@ssw0rd2024',
  'Password!2024#',
  'Passw0rd!2345',
  'Summer2024!!',
  'Sunshine#2025',
  'Qwerty123456!',
  '!Q2w3e4r5t6y',
  'Liverpool1892!',
  'letmein2024!!',
  'Admin@123456',
  'ChangeMe!2024',
  'iloveyou3000!',
  'dragon-dragon-1',
  'monkeymonkey12',
  'P@ssw0rd'.repeat(16),
  'Ｐ＠ｓｓｗ０ｒｄ２０２４',
  '202420242024',
  'outcryoutcry1',
]) {
  test(`${password.slice(0, 24)} is too common`, async () => {
    assert.equal(await passwords.unfit(password, NAMES), COMMON);
  });
}

for (const password of [
  'four green ideas sleep',
  'correct horse battery',
  'пароль из четырёх слов',
  'mein hund heißt rex',
  'x7Kp-91vQ-zz2m',
  '我的狗叫做小白喜欢吃苹果',
]) {
  test(`${password} is taken`, async () => {
    assert.equal(await passwords.unfit(password, NAMES), undefined);
  });
}

test('a length that does not fit and the own name are said as such', async () => {
  assert.match(String(await passwords.unfit('short', NAMES)), /12 to 128/);
  assert.match(String(await passwords.unfit('my name is lovelace', NAMES)), /your name/);
});

test('of very many at once the last are told to come again', async () => {
  const asked = Array.from({ length: 50 }, () => passwords.unfit('correct horse battery', []));
  const said = await Promise.all(asked);
  assert.equal(said.filter((one) => one === 'busy').length, 18);
});
