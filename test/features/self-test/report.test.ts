/** The report of a self-test: what it says in both languages. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Rig } from './rig.ts';

const test = suite('the report of a self-test');

const rowOf = (page: string, title: string): string =>
  page.split('\n').find((line) => line.startsWith(`<tr><th>${title}</th>`)) ?? '';

test('it stands alone: no script, nothing fetched, both languages, each step with its result', async () => {
  await using rig = await new Rig().connect();
  rig.board.guards.watchdog = false;
  rig.board.model = 'Made-up <Board>';
  rig.parts.push({
    ...{ part: 'display', state: 'failed', sales: 'does-not-sell', reason: 'made up' },
    reasons: [
      {
        code: 'certificate-authority-ended',
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
    assert.match(page, /<\/html>\n$/);
    assert.match(page, 'LW000042');
    assert.match(page, '1.2.0');
    assert.match(page, 'Made-up &lt;Board&gt;');
    assert.not.match(page, /\{\w+\}</, 'every parameter is filled');
    assert.not.match(page, /<t[dh]><\/th>|selfTest\./);
  }
  assert.match(en, '20 November 2026');
  assert.match(rowOf(en, 'Lamp'), /class="fail">Failed<.*Check the wire and the number of the pin/);
  assert.match(rowOf(en, 'Status LED'), /class="asked">Skipped<\/td><td><\/td><\/tr>$/);
  assert.match(rowOf(en, 'Storage'), /One write takes \d+ ms \(at most 100 ms\); \d+ MB\/s\. 544 kB were written/);
  assert.match(rowOf(en, 'Watchdog'), /Failed<.*Off: a board that hangs does not restart.*Restart the board once/);
  assert.match(rowOf(en, 'Heat under load'), 'Not present');
  assert.match(en, 'The device did not pass.');
  assert.match(rowOf(ru, 'Лампа'), /class="fail">Не пройдено<.*Проверьте провод и номер контакта/);
  assert.match(ru, 'Устройство не прошло проверку.');
  assert.match(rowOf(ru, 'Банк'), 'ЦФТ: ответ за');
});

test.run();
