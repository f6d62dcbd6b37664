/** The report of a self-test: what it says in both languages, what it says of the one before, and that any changed byte is found. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JournalError, keyFingerprint } from '../../firmware/audit/signed-journal.ts';
import { checkedPage, signedPage } from '../../firmware/support/self-test-signature.ts';
import { thrown } from '../support.ts';
import { KEYS, Rig } from './rig.ts';

const test = suite('the report of a self-test');

const rowOf = (page: string, title: string): string =>
  page.split('\n').find((line) => line.startsWith(`<tr><th>${title}</th>`)) ?? '';

test('it stands alone: no script, nothing fetched, both languages, each step with its result, what was measured and what to do', async () => {
  await using rig = await new Rig().connect();
  rig.board.guards.watchdog = false;
  rig.board.model = 'Made-up <Board>';
  rig.parts.push({
    ...{ part: 'display', state: 'failed', sales: 'does-not-sell', reason: 'made up' },
    reasons: [
      {
        code: 'certificate-bank-ended',
        sales: 'does-not-sell',
        about: { name: '<b>', at: '2026-11-20T10:00:00.000Z', today: '' },
      },
    ],
  });
  await rig.walk({ lamp: 'no', led: 'skip' });
  await rig.walk({ lamp: 'no', led: 'skip' }, 'ru');
  const [en, ru] = [rig.test.report(1), rig.test.report(2)];
  for (const page of [en, ru]) {
    assert.not.match(page, /<script|<link|<img|src=|href=|url\(|<b>|<Board>/i);
    assert.match(page, '@page { size: A4');
    assert.match(page, keyFingerprint(createPublicKey(KEYS.privateKey)));
    assert.match(page, 'LW000042');
    assert.match(page, '1.2.0');
    assert.match(page, 'Made-up &lt;Board&gt;');
    assert.not.match(page, /\{\w+\}</, 'every parameter is filled');
    assert.not.match(page, /<t[dh]><\/th>|selfTest\./);
  }
  assert.match(en, '20 November 2026');
  assert.match(rowOf(en, 'Lamp'), /class="fail">Failed<.*Check the wire and the number of the pin/);
  assert.match(rowOf(en, 'Status LED'), /class="asked">Skipped<\/td><td><\/td>/);
  assert.match(rowOf(en, 'Storage'), /One write takes \d+ ms \(at most 100 ms\); \d+ MB\/s\. 544 kB were written/);
  assert.match(rowOf(en, 'Watchdog'), /Failed<.*Off: a board that hangs does not restart.*Restart the board once/);
  assert.match(rowOf(en, 'Heat under load'), 'Not present');
  assert.match(en, 'The device did not pass.');
  assert.match(rowOf(ru, 'Лампа'), /class="fail">Не пройдено<.*Проверьте провод и номер контакта/);
  assert.match(ru, 'Устройство не прошло проверку.');
  assert.match(rowOf(ru, 'Банк'), 'ЦФТ: ответ за');
});

test('it says what has changed since the one before, and marks what is no longer the same', async () => {
  await using rig = await new Rig().connect();
  await rig.walk();
  assert.match(rowOf(rig.test.report(1), 'Lamp'), /<td class=""><\/td><\/tr>$/, 'there is none before');
  rig.board.guards.watchdog = false;
  rig.forget(); // the one before is read from the disk
  await rig.walk({ lamp: 'no' });
  const page = rig.test.report(2);
  assert.match(page, /<th>Last time: \d+ November 2026/);
  assert.match(rowOf(page, 'Lamp'), /class="warn">Passed<\/td><\/tr>$/);
  assert.match(rowOf(page, 'Watchdog'), /class="warn">Passed<br>On: a board that hangs restarts<\/td><\/tr>$/);
  assert.match(rowOf(page, 'Button'), /<td class="">=<\/td><\/tr>$/);
  rig.board.disk.lifeUsedPercent = 20;
  await rig.walk({ lamp: 'no' });
  assert.match(rowOf(rig.test.report(3), 'Storage'), /up to 20%.*<td class="">Passed<br>.*up to 10%/);
});

test('any byte that is changed, added or missing is found, and so is another key', () => {
  const page = '<!doctype html>\n<body>\n<p>Проверка</p>\n';
  const text = signedPage(page, KEYS.privateKey);
  assert.is(checkedPage(text), keyFingerprint(KEYS.publicKey));
  for (let at = 0; at < text.length; at++) {
    for (const other of [
      `${text.slice(0, at)}\u0001${text.slice(at + 1)}`,
      `${text.slice(0, at)} ${text.slice(at)}`,
      text.slice(0, at) + text.slice(at + 1),
    ])
      if (other !== text) thrown(JournalError, () => checkedPage(other));
  }
  thrown(JournalError, () => checkedPage(`${text}more`));
  thrown(JournalError, () => checkedPage(text + text.slice(text.indexOf('<pre'))));
  assert.is(thrown(JournalError, () => checkedPage(page)).code, 'cut');
  const forger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  assert.is.not(checkedPage(signedPage(page, forger.privateKey)), keyFingerprint(KEYS.publicKey));
  const own = KEYS.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const theirs = forger.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const claimed = signedPage(page, forger.privateKey).replace(JSON.stringify(theirs), () => JSON.stringify(own));
  assert.is(thrown(JournalError, () => checkedPage(claimed)).code, 'changed');
});

test.run();
