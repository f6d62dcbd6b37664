/** The page of a day's totals, as a browser lays it out for a roll of 80 mm and for A4. */
import * as assert from 'uvu/assert';
import { localDay } from '../../firmware/payments/model/local-day.ts';
import { profileNames } from '../../firmware/payments/model/words.ts';
import { dayPage } from '../../firmware/payments/reports/papers/print-page.ts';
import { LETTERHEAD, startTestDevice } from '../support.ts';
import { browserSuite, button } from './support.ts';

const { test, browsing } = browserSuite('totals of a day on paper');

const LARGE = { count: 12_345, sum: 9_876_543_210 };
const TOTALS = {
  ...{ accepted: LARGE, refunds: LARGE, net: -9_876_543_210, late: 12_345, withoutReceipt: LARGE },
  ...{ open: LARGE, openRefunds: LARGE, notFollowed: LARGE, openBefore: LARGE },
};
const PROFILES = [
  { profile: 'ООО «Ромашка», касса 7', bank: 'Raiffeisenbank', ...TOTALS },
  { profile: 'w'.repeat(64), bank: 'Alfa Bank Token', ...TOTALS },
];
/** A roll of 80 mm is printed on over 72 mm, 96 pixels an inch. */
const ROLL = { width: 272, height: 800 };

for (const language of ['ru', 'en'] as const)
  test(`nothing is cut off on a roll, and three profiles fit on a sheet: ${language}`, async () => {
    const day = localDay('2026-11-21');
    await using page = await browsing.open('about:blank', { viewport: ROLL });
    await page.emulateMedia({ media: 'print' });
    await page.setContent(
      dayPage(
        { day, profiles: PROFILES, totals: TOTALS, methods: [], shifts: [3] },
        language,
        day.to - 1,
        profileNames({}),
        LETTERHEAD,
      ),
    );
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/day-${language}.png`, fullPage: true });
    assert.is(await page.evaluate<number>('document.documentElement.scrollWidth'), ROLL.width);
    const sheet = (await page.pdf({ format: 'A4' })).toString('latin1');
    assert.is(sheet.match(/\/Type\s*\/Page\b/g)?.length, 1);
  });

test('the day and the page of errors keep the language chosen on the page, not the browser’s', async () => {
  await using device = await startTestDevice();
  await using page = await browsing.open(`${device.recognition}/#/payments/totals`, { locale: 'en-GB' });
  await page.addInitScript('globalThis.printed = 0; globalThis.print = () => { globalThis.printed += 1; }');
  await button(page, 'RU').click();
  await page.getByRole('link', { name: 'Распечатать' }).click();
  assert.is(await page.getByRole('heading', { level: 1 }).textContent(), 'Итоги дня');
  assert.is(await page.evaluate<number>('printed'), 0, 'who looks at it has not asked for paper yet');
  await button(page, 'Распечатать').click();
  assert.is(await page.evaluate<number>('printed'), 1);
  await button(page, 'Назад').click();
  await page.locator('#totals').waitFor();
  await page.goto(`${device.recognition}/#/integrate`);
  await page.getByRole('link', { name: 'Коды ошибок' }).click();
  await page.getByRole('heading', { name: 'Ошибки /v1' }).waitFor();
});

test.run();
