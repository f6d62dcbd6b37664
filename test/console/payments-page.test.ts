/** The page of payments as a cashier and an accountant use it, in real Chromium. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { replaced } from '../replaced.ts';
import {
  call,
  each,
  onSetUpDevice,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../support.ts';
import { fillLedger } from '../terminal/filled-ledger.ts';
import { withTBank } from '../terminal/tbank.ts';
import { englishIn, findNothing, inConsole } from './audit.ts';
import { finger, keyboard } from './hands.ts';
import {
  askForSale,
  browserSuite,
  button,
  Gate,
  hear,
  live,
  NARROW,
  PHONE,
  paid,
  payment,
  play,
  REFUSED,
  sell,
  setPin,
  typePin,
} from './support.ts';

const { test, browsing } = browserSuite('page of payments in Chromium');
const it = each(test, onSetUpDevice);

const last = async ({ recognition }: TestDevice) => (await call(`${recognition}/v1/payments?limit=1`)).body.payments[0];
it('a day that is typed is asked for when its year is whole', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/payments/totals`);
  await page.locator('#totals .sums').waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).searchParams.get('day') ?? ''));
  for (const year of ['0002', '0020', '0202', '2025']) {
    await page.locator('#day').fill(`${year}-11-11`);
    assert.is(await page.locator('#day').inputValue(), `${year}-11-11`);
  }
  await until('it is asked for', () => asked.includes('2025-11-11'));
  const early = asked.filter((day) => /^[01]/.test(day));
  assert.equal(early, []);
  assert.is(await page.locator('#day').inputValue(), '2025-11-11');
});

it('sums are asked for again when a sale has changed, and not with each change of the display', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/payments/totals`);
  await page.locator('#totals .sums').waitFor();
  await sell(device, 12_300);
  await page.locator('#totals .sums', { hasText: '₽123.00' }).first().waitFor();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (let n = 0; n < 3; n += 1)
    await call(`${device.terminal}/showInfoQR`, { json: { payload: `https://shop.example/${n}` } });
  await call(`${device.terminal}/clearScreen`, { json: {} });
  await paid(device, 45_600);
  await page.locator('#totals .sums', { hasText: '₽456.00' }).first().waitFor();
  assert.ok(
    asked.every((path) => path === '/v1/reports/day'),
    asked.join(),
  );
  assert.ok(asked.length > 0 && asked.length <= 3, `${asked.length} times: it was asked for, and was paid`);
});

it('a day with its totals: what the page says is what its CSV says, to the kopeck', async (device) => {
  const amounts = [12_345, 44, 99_999, 70_000];
  for (const amount of amounts) await paid(device, amount);
  await using page = await browsing.open(`${device.recognition}/#/payments`);
  await page.locator('#list li').nth(3).waitFor();
  await page.getByRole('link', { name: 'Totals and export' }).click();
  await page.locator('#totals .sums', { hasText: '₽1,823.88' }).first().waitFor();
  const address = await page.locator('#other-files a').last().getAttribute('href');
  const csv = (await call(`${device.recognition}${address}`)).text;
  const column = csv.split('\r\n')[0]?.split(',').indexOf('amount_kopecks') ?? -1;
  const sums = csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.split(',')[column]));
  const sorted = sums.toSorted((one, other) => one - other);
  assert.equal(
    sorted,
    amounts.toSorted((one, other) => one - other),
  );
  const bars = await page
    .locator('.hours rect')
    .evaluateAll((all) => all.map((each) => Number(each.getAttribute('height'))));
  assert.is(bars.length, 24);
  assert.is(Math.max(...bars), 100);
  for (const size of [PHONE, NARROW]) {
    await page.setViewportSize(size);
    const heights = await page.locator('.hours span').evaluateAll((all) => all.map((each) => each.clientHeight));
    assert.is(new Set(heights).size, 1, 'no hour stands in two lines');
  }
  await page.getByLabel('Day', { exact: true }).focus();
  await page.getByLabel('Day', { exact: true }).fill('2024-02-01');
  await page.locator('#totals .net', { hasText: '₽0.00' }).waitFor();
  await page.locator('#day:focus').waitFor();
  await page.getByRole('link', { name: 'All payments' }).click();
  await page.locator('#list').getByText('Nothing on 1 February.').waitFor();
  assert.is(await page.locator('#day').inputValue(), '2024-02-01', 'the day that was looked at');
});

/** Of what has moved by itself since the page was opened; a page is called stable up to 0.1 (web.dev, "Cumulative Layout Shift"). */
const shift = (page: Page) =>
  page.evaluate<number>(`(() => {
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: 'layout-shift', buffered: true });
    return observer.takeRecords().reduce((sum, { value }) => sum + value, 0);
  })()`);

it('a page is shown once all its parts have their first answer, and does not move', async (device) => {
  await paid(device, 4200);
  await using page = await browsing.open(`${device.recognition}/#/device`);
  const gate = await Gate.at(page, '**/v1/reports/day', 'call', () => true);
  const finder = page.locator('#find');
  await page.goto(`${device.recognition}/#/payments`);
  await page.reload();
  await live(page);
  await finder.waitFor({ state: 'attached' });
  assert.is(await finder.isVisible(), false);
  assert.is(await page.getByRole('heading', { level: 1 }).isVisible(), true);
  gate.letGo();
  await finder.waitFor();
  await page.locator('#list li').waitFor();
  assert.ok((await shift(page)) <= 0.1);
});

it('a page without its answer is shown after two seconds, and a later question hides nothing', async (device) => {
  await using page = await browsing.open('about:blank');
  await page.clock.install(); // before the page sets a timer that this clock could not clear
  await page.goto(`${device.recognition}/#/device`);
  await Gate.at(page, '**/v1/reports/day*', 'call', () => true);
  const finder = page.locator('#find');
  await page.goto(`${device.recognition}/#/payments`);
  await finder.waitFor({ state: 'attached' });
  await page.clock.fastForward(2000);
  await finder.waitFor();
  await page.goto(`${device.recognition}/#/payments?day=2026-01-05`);
  await page.locator('#list').waitFor();
  assert.is(await finder.isVisible(), true);
});

it('payments are found by amount, by id and by state, and the search outlives a reload', async (device) => {
  const id = await paid(device, 4200, 'Apples');
  const other = await sell(device, 10_000, 'Pears');
  await play(device, other, 'decline');
  await until('it is declined', async () => (await last(device)).state === 'REJECTED');
  await using page = await browsing.open(`${device.recognition}/#/payments`);
  const rows = page.locator('#list li');
  await rows.nth(1).waitFor();
  await page.getByLabel('Purpose, amount or number').fill('42');
  await page.keyboard.press('Enter');
  await rows.nth(1).waitFor({ state: 'detached' });
  assert.match(await rows.innerText(), /Apples/);
  await page.reload();
  await rows.first().waitFor();
  assert.is(await rows.count(), 1);
  await page.getByLabel('Purpose, amount or number').fill(other);
  await page.keyboard.press('Enter');
  await page.locator('#list li', { hasText: 'Pears' }).waitFor();
  assert.is(await rows.count(), 1);
  await page.getByLabel('Purpose, amount or number').fill('');
  // quicker than the page is drawn anew
  await page.evaluate(`(() => {
    document.querySelector('#find form').requestSubmit();
    const state = document.querySelector('#find select');
    state.value = 'ACCEPTED';
    state.dispatchEvent(new Event('change', { bubbles: true }));
  })()`);
  await page.locator('#list li', { hasText: 'Apples' }).waitFor();
  await until('only what is paid is listed', async () => (await rows.count()) === 1);
  await rows.getByRole('link').click();
  await page.locator('#payment summary').click();
  await page.locator('#payment code', { hasText: id }).waitFor();
  await page.locator('.timeline li', { hasText: 'Payment confirmed' }).waitFor();
});

it('the accountant’s file is of several days where a last one is chosen', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/payments/totals?day=2026-01-05`);
  await page.getByLabel('Last day for the accountant').fill('2026-01-31');
  const link = page.getByRole('link', { name: 'For the accountant' });
  await until('it goes to there', async () => /&to=2026-01-31$/.test((await link.getAttribute('href')) ?? ''));
});

it('a payment is found by whatever reading its text can have, each once', async (device) => {
  const dear = await paid(device, 200_000, 'Pears');
  const asked = await call(`${device.terminal}/v1/payments`, {
    json: { amount: 12_345, purpose: 'Apples', reference: '2000' },
    headers: { 'content-type': 'application/json', 'idempotency-key': 'of receipt 2000' },
  });
  assert.is(asked.status, 201, asked.text);
  const { number, qrcId } = (await call(`${device.terminal}/v1/payments/${asked.body.id}`)).body;
  await using page = await browsing.open(`${device.recognition}/#/payments`);
  const rows = page.locator('#list li');
  await rows.nth(1).waitFor();
  const finds = async (text: string, ...purposes: string[]) => {
    await page.locator('#text').fill(text);
    await button(page, 'Search').click();
    await until(`${text} finds ${purposes}`, async () => {
      const found = (await rows.locator('.what').allInnerTexts()).map((words) => words.split(' ')[0]);
      return found.join() === purposes.join();
    });
  };
  await finds('2000', 'Apples', 'Pears'); // a receipt and an amount
  await finds('2 000 ₽', 'Pears');
  await finds(String(number), 'Apples');
  await finds(dear, 'Pears');
  await finds(qrcId, 'Apples');
  await finds('2001');
  await finds('https://qr.nspk.ru/2000?type=02', 'Apples', 'Pears'); // as its id
  await finds('2001');
  await page.getByText(/Nothing on \d+ \w+/).waitFor();
  await finds('APPL', 'Apples'); // a part of the purpose, in any letters
  await finds('2000 руб.', 'Pears');
});

test('what lies on another day is found from the page, and the list says what it comes to', async () => {
  using folder = temporaryFolder();
  const before = { createdAt: Date.now() - 9 * 86_400_000, amount: 51_240, state: 'ACCEPTED' } as const;
  fillLedger(folder.path, Array(3).fill(before), { bankName: 'Sandbox' });
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  await paid(device, 4200, 'Кефир');
  await using page = await browsing.open(`${device.recognition}/#/payments`, { locale: 'ru-RU' });
  await page.locator('.sums-of', { hasText: '1 платёж: оплачено 42,00' }).waitFor();
  await page.locator('#text').fill('512,40');
  await button(page, 'Найти').click();
  await page.getByText(/За \d+ \S+ ничего нет/).waitFor();
  await page.getByRole('link', { name: 'Искать за все дни' }).click();
  await page.locator('.sums-of', { hasText: /3 платежа: оплачено 1.537,20/ }).waitFor();
  assert.is(await page.locator('#day').inputValue(), '');
  assert.is(await button(page, 'Все дни').getAttribute('aria-pressed'), 'true');
  const [time, what] = await Promise.all(
    ['time', '.what'].map((part) => page.locator(`#list ${part}`).first().boundingBox()),
  );
  assert.ok(time && what && what.x - time.x - time.width < 400, 'no hole between when and what for');
});

it('a refund is asked about with its reason, which stands in its history; its outcome is said', async (device) => {
  const id = await paid(device, 4200, 'Apples');
  await using page = await browsing.open(`${device.recognition}/#/payments/${id}`);
  await page.getByLabel('Refund amount').fill('2');
  await page.getByLabel('Reason (optional)').fill('One was bad');
  await button(page, 'Refund').click();
  const question = page.getByRole('dialog', { name: 'Refund ₽2.00?' });
  await question.getByText('One was bad').waitFor();
  await button(question, 'Refund').click();
  await page.locator('#payment .outcome.done', { hasText: 'Refunded: ₽2.00' }).waitFor();
  await page.locator('.timeline li', { hasText: 'One was bad' }).waitFor();
  assert.is(await page.getByLabel('Reason (optional)').inputValue(), '');
  assert.is((await call(`${device.terminal}/v1/payments/${id}`)).body.refunds[0].why, 'One was bad');
});

const LONGEST_ROW_PX = 66;
const PROFILE = { bankName: 'CFT', accAlias: 'a', extEntityId: 'e', merchantId: 'm', password: 'made-up' };

test('on a phone a payment has two lines, however long its words, and amounts align at one edge', async () => {
  using folder = temporaryFolder();
  const filled = { createdAt: Date.now(), amount: 51_240, state: 'ACCEPTED' } as const;
  fillLedger(
    folder.path,
    Array.from({ length: 36 }, () => filled),
    PROFILE,
  );
  await using device = await startTestDevice({}, folder.path);
  await setUp(device);
  await paid(device, 100_000_000, 'Щ'.repeat(140));
  const refunded = await paid(device, 210_050, 'Coffee beans, milk 3.2 %, rye bread, apples of the season');
  await call(`${device.terminal}/v1/payments/${refunded}/refunds`, { json: { amount: 10_050, id: 'a part' } });
  const declined = await sell(device, 12_800);
  await play(device, declined, 'decline');
  await hear(device, declined, 'REJECTED');
  await askForSale(device, 5028);
  await sell(device, 123_450, 'Receipt 1096');
  for (const viewport of [PHONE, NARROW])
    await browsing.visit(`${device.recognition}/#/payments`, { viewport, locale: 'ru-RU' }, async (page) => {
      const rows = page.locator('#list li');
      await rows.nth(40).waitFor();
      assert.is(await rows.count(), 41);
      const boxes = (locator: Locator) =>
        locator.evaluateAll((all) =>
          all.map((element) => {
            const { top, right, height } = element.getBoundingClientRect();
            return { middle: top + height / 2, right, height };
          }),
        );
      for (const { height } of await boxes(rows)) assert.ok(height >= 44 && height <= LONGEST_ROW_PX, `${height} px`);
      const [times, notes, chips, sums] = await Promise.all(
        ['time', '.what', '.chip', '.sum'].map((part) => boxes(rows.locator(part))),
      );
      assert.is(new Set(sums?.map(({ right }) => right)).size, 1);
      for (const [at, { middle, height }] of (chips ?? []).entries()) {
        const above = times?.[at]?.middle ?? 0;
        assert.ok(height < 30, 'a state in one line');
        assert.ok(Math.abs(above - (notes?.[at]?.middle ?? 0)) < 2, 'time and note are one line');
        assert.ok(above < middle - 10, 'it stands above the state');
      }
    });
});

it('a whole row opens its payment, by key and finger; both ways back keep the search', async (device) => {
  await paid(device, 4200, 'Apples');
  await paid(device, 9900, 'Pears');
  const options = { viewport: PHONE, hasTouch: true };
  await using page = await browsing.open(`${device.recognition}/#/payments?text=42&state=ACCEPTED`, options);
  const row = page.getByRole('list', { name: 'Payments' }).getByRole('link', { name: /^\S+ ₽42\.00 Paid Apples$/ });
  await keyboard(page).press(row);
  await page.locator('#payment .large', { hasText: '₽42.00' }).waitFor();
  await page.getByRole('link', { name: 'All payments' }).click();
  await row.waitFor();
  assert.is(await page.locator('#list li').count(), 1);
  assert.is(await page.getByLabel('Purpose, amount or number').inputValue(), '42');
  assert.is(await page.getByLabel('Status').inputValue(), 'ACCEPTED');
  await row.scrollIntoViewIfNeeded();
  const { width, height } = (await page.locator('#list li').boundingBox()) ?? { width: 0, height: 0 };
  await page.locator('#list li').tap({ position: { x: width - 3, y: height - 3 } });
  await page.locator('#payment .large', { hasText: '₽42.00' }).waitFor();
  await page.goBack();
  await row.waitFor();
  assert.is(await page.locator('#list li').count(), 1);
});

it('typed search text outlives a reload, another language, another day and the way back', async (device) => {
  await paid(device, 4200, 'Apples');
  await using page = await browsing.open(`${device.recognition}/#/payments`);
  const text = page.locator('#text');
  await page.locator('#list li').waitFor();
  await text.fill('9900');
  await page.reload();
  await page.locator('#list li').waitFor(); // it is not sought yet
  assert.is(await text.inputValue(), '9900');
  await inConsole(page)('ru');
  assert.is(await text.inputValue(), '9900');
  await page.locator('#list li a').click();
  await page.locator('#payment .large').waitFor();
  await page.goBack();
  await page.locator('#list li').waitFor();
  assert.is(await text.inputValue(), '9900');
  await page.locator('#state').focus();
  await page.locator('#state').selectOption('ACCEPTED');
  await page.locator('#list .nothing').waitFor(); // sought together
  assert.is(await text.inputValue(), '9900');
  await page.locator('#state:focus').waitFor();
  await page.goBack();
  await page.locator('#list li').waitFor();
  assert.is(await text.inputValue(), '', 'as the list is');
  await text.fill('42');
  await page.keyboard.press('Enter');
  await page.locator('#text:focus').waitFor();
  await page.locator('#list li').waitFor();
  await text.fill('43');
  await page.keyboard.press('Enter');
  await page.locator('#list .nothing').waitFor();
  await page.goBack();
  await page.locator('#list li').waitFor();
  assert.is(await text.inputValue(), '42');
});

it('a payment shows its refund first; the bank’s names are folded, and copied by a button', async (device) => {
  const id = await paid(device, 4200, 'Apples');
  await using page = await browsing.open(`${device.recognition}/#/payments/${id}`, { viewport: PHONE, hasTouch: true });
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.reload();
  const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0;
  await page.locator('#payment .large', { hasText: '₽42.00' }).waitFor();
  assert.ok((await top('#refund')) < (await top('.timeline')));
  assert.ok((await top('.timeline')) < (await top('#payment summary')));
  assert.is(await page.locator('#fact-id').isVisible(), false);
  await finger(page).press(page.locator('#payment summary'));
  await button(page, 'Copy: Order ID').click();
  await button(page, 'Selected: copy it now: Order ID').waitFor();
  assert.is(await page.evaluate<string>('String(getSelection())'), id);
});

it('a part of the money goes back, then the rest; what is too much is refused beside its field', async (device) => {
  const id = await paid(device, 5000);
  await using page = await browsing.open(`${device.recognition}/#/payments/${id}`);
  const amount = page.getByLabel('Refund amount (roubles)');
  await amount.fill('50,01');
  await button(page, 'Refund').click();
  await page.locator('#refund-problem', { hasText: 'up to ₽50.00' }).waitFor();
  await amount.fill('20');
  await button(page, 'Refund').click();
  const question = page.getByRole('dialog');
  await question.getByText('Refund ₽20.00?').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).press('Enter');
  await page.locator('button:focus', { hasText: 'Refund' }).waitFor(); // who leaves a question is where it was asked
  assert.is((await last(device)).refunded, 0, 'a question that is left gives nothing back');
  await button(page, 'Refund').click();
  await question.getByRole('button', { name: 'Refund' }).click();
  await page.locator('#payment .chip', { hasText: 'Partially refunded' }).waitFor();
  await button(page, 'Refund').click();
  await question.getByText('Refund ₽30.00?').waitFor();
  await question.getByRole('button', { name: 'Refund' }).click();
  await page.locator('#payment .chip', { hasText: /^Refunded$/ }).waitFor();
  assert.is((await last(device)).refunded, 5000);
  assert.is(await amount.count(), 0, 'nothing is left to give back');
});

const TECHNICIAN = '739105';
const SUPERVISOR = '520417';
const CASHIER = '4826';
/** A cashier gives back three roubles at most. */
const LIMITED = { LANEWARE_TERMINAL_REFUNDLIMITS_CASHIER_EACH: '300' };

for (const [person, pin] of [
  ['cashier', CASHIER],
  ['supervisor', SUPERVISOR],
] as const)
  test(`above a ${person}’s limit the page asks for a supervisor’s PIN, and refunds with it alone`, async () => {
    await using device = await startTestDevice(LIMITED);
    await setUp(device);
    const id = await paid(device, 5000);
    for (const [role, own] of Object.entries({ technician: TECHNICIAN, supervisor: SUPERVISOR, cashier: CASHIER }))
      await setPin(device, role, own);
    const refunded = async () => (await last(device)).refunded;
    await using page = await browsing.open(`${device.recognition}/#/payments/${id}`, {}, REFUSED);
    await typePin(page, pin);
    const give = async (amount: string) => {
      await page.locator('#refund').fill(amount);
      await button(page, 'Refund').click();
      await button(page.getByRole('dialog', { name: /^Refund ₽[\d.]+\?$/ }), 'Refund').click();
    };
    await give('3');
    await until('what is within the limit', async () => (await refunded()) === 300);
    const question = page.getByRole('dialog', { name: 'Refund ₽20.00: supervisor’s PIN' });
    await give('20');
    await question.getByText('this amount needs a supervisor or a technician').waitFor();
    assert.is(await page.evaluate<string>('document.activeElement.id'), 'supervisor-pin');
    await findNothing(page, 'a refund above the limit', null);
    await button(question, 'Cancel').click();
    await question.waitFor({ state: 'detached' });
    assert.is(await refunded(), 300, 'a question that is left gives nothing back');
    await give('20');
    await question.locator('#supervisor-pin').focus();
    await page.keyboard.insertText(`${SUPERVISOR}00000`);
    await page.keyboard.press('Enter');
    await page.locator('#supervisor-pin-problem', { hasText: '10 characters at most, now 11.' }).waitFor();
    await question.locator('#supervisor-pin').fill(CASHIER);
    await page.keyboard.press('Enter');
    await question.getByText('Not the PIN of a supervisor or technician.').waitFor();
    assert.is(await question.locator('#supervisor-pin').inputValue(), '');
    assert.is(await refunded(), 300);
    await question.locator('#supervisor-pin').fill(SUPERVISOR);
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await until('the rest', async () => (await refunded()) === 2300);
    await page.locator('#payment .outcome.done').waitFor();
    await give('4');
    const another = page.getByRole('dialog', { name: 'Refund ₽4.00: supervisor’s PIN' });
    assert.is(await another.locator('#supervisor-pin').inputValue(), '', 'a PIN is for one refund');
  });

it('a link leads to the payments that came in late, until somebody has looked into them', async (device) => {
  const id = await sell(device, 5500, 'Receipt <1095>');
  await play(device, id, 'late');
  await until('it is late', async () => (await last(device)).late);
  await using page = await browsing.open(device.recognition, { viewport: PHONE });
  await page.locator('#recent .advice', { hasText: '1 payment needs a review' }).getByRole('link').click();
  await page.locator('#late li').first().waitFor();
  await page.goto(`${device.recognition}/#/payments`);
  const way = page.getByRole('link', { name: '1 payment to review' });
  await way.waitFor();
  await page.getByLabel('Day', { exact: true }).fill('2024-02-01');
  await page.locator('#list').getByText('Nothing on 1 February.').waitFor();
  await way.click(); // another day is looked at, and it still waits
  const rows = page.locator('#late li');
  await rows.first().waitFor();
  assert.is(await rows.count(), 1);
  await rows.getByRole('link').click();
  await page.getByLabel('Note').fill('Anna: paid in cash');
  await button(page, 'Mark reviewed').click();
  await page.locator('.timeline li', { hasText: 'Anna: paid in cash' }).waitFor();
  assert.is((await last(device)).late, false);
  await page.goto(`${device.recognition}/#/payments`);
  await page.locator('#list li').first().waitFor();
  await way.waitFor({ state: 'detached' });
  await page.goto(`${device.recognition}/#/lane`);
  await page.locator('#latest .chip', { hasText: 'Paid' }).waitFor();
  await page.locator('#recent .advice').waitFor({ state: 'detached' });
});

it('a payment without a receipt is linked to, once a till has printed a receipt for another', async (device) => {
  const print = (id: string) =>
    call(`${device.recognition}/v1/payments/${id}/receipt`, { method: 'PUT', json: { state: 'printed' } });
  await paid(device, 5500);
  await using page = await browsing.open(`${device.recognition}/#/payments`, { viewport: PHONE });
  await page.locator('#list li').first().waitFor();
  const way = page.getByRole('link', { name: 'Paid without a receipt on this day: 1' });
  assert.is(await page.locator('a.advice').count(), 0, 'no till has printed any');
  await paid(device, 6600);
  await print((await last(device)).id);
  await paid(device, 7700);
  await way.click();
  const rows = page.locator('#without-receipt li');
  await rows.first().waitFor();
  assert.is(await rows.count(), 1);
  await rows.getByRole('link').click();
  const said = page.locator('#payment .advice', { hasText: 'The till has not printed a receipt' });
  await said.waitFor();
  await page.getByText('Details').click();
  assert.is(await page.locator('#fact-payerBank').innerText(), 'Тестовый банк');
  assert.is(await page.locator('#fact-payerPhone').count(), 0, 'the bank does not say');
  await print((await last(device)).id);
  await page.reload();
  await page.locator('.timeline li', { hasText: 'Receipt printed' }).waitFor();
  assert.is(await said.count(), 0);
  await page.getByRole('link', { name: 'All payments' }).click();
  await page.locator('#without-receipt').getByText('No payments found.').waitFor();
  await page.goto(`${device.recognition}/#/payments/totals`);
  await page.locator('#totals .net').waitFor();
  assert.is(await page.getByText('Paid without a receipt').count(), 0);
});

it('for a late payment whose money has gone back the page does not ask to give it back', async (device) => {
  const id = await sell(device, 5500);
  await play(device, id, 'late');
  await until('it is late', async () => (await last(device)).late);
  await using page = await browsing.open(`${device.recognition}/#/payments/${id}`);
  await page.getByText('Hand over the goods or refund it').waitFor();
  const refund = { amount: 5500, id: 'back' };
  assert.is((await call(`${device.terminal}/v1/payments/${id}/refunds`, { json: refund })).status, 200);
  await page.getByText('It has been refunded in full').waitFor();
  assert.is(await page.getByText('Hand over the goods').count(), 0);
  await button(page, 'Mark reviewed').click();
  await until('it is looked into', async () => !(await last(device)).late);
});

it('why a payment failed, or is unknown, is shown in the reader’s language', async (device) => {
  const refused = await askForSale(device, 5028);
  const open = await sell(device, 6003);
  await until('the bank is silent', async () => (await last(device)).silence !== null);
  assert.is(refused.body.id, undefined, 'the call returns its refusal');
  const [, { id, failure }] = (await call(`${device.recognition}/v1/payments?limit=2`)).body.payments;
  assert.is(failure.code, 'Bank.Refused');
  await using page = await browsing.open(`${device.recognition}/#/payments/${id}`, { locale: 'ru-RU' });
  const advice = page.locator('#payment .advice');
  await advice.getByText(/Банк отказал/).waitFor();
  await advice.locator('[lang=en]', { hasText: failure.detail }).waitFor({ state: 'attached' });
  await page.goto(`${device.recognition}/#/payments/${open}`);
  await advice.getByText(/банк не сообщает/).waitFor();
  const isOwn = (english: string): boolean => english.includes('TEST0001'); // the serial number of the device
  const english = (await englishIn(page)).filter((english) => !isOwn(english));
  assert.equal(english, []);
  await page.goto(`${device.recognition}/#/lane`);
  await page.locator('#recent .chip').first().waitFor();
  const onLane = (await englishIn(page)).filter((english) => !isOwn(english));
  assert.equal(onLane, []);
});

it('a refund refused for want of consent says in the reader’s language what the shop must do', async (device) => {
  const id = await paid(device, 5033);
  const refund = { amount: 'all', id: 'back' };
  assert.is((await call(`${device.terminal}/v1/payments/${id}/refunds`, { json: refund })).body.code, 'Bank.NoConsent');
  await using page = await browsing.open(`${device.recognition}/#/payments/${id}`, { locale: 'ru-RU' });
  await page
    .locator('#payment .advice')
    .getByText(/магазин не дал согласие.*«Возвраты по операциям с физлицами»/)
    .waitFor();
  assert.is(await page.getByLabel('Сумма возврата, ₽').count(), 1, 'it may be sent again');
});

test('beside an unpaid payment of a bank that may hide that it was paid stands what to do first', () =>
  withTBank(async (device) => {
    const id = await sell(device, 5000);
    await using page = await browsing.open(`${device.recognition}/#/payments/${id}`);
    const doubt = page.getByText(/do not ask for it again.*Look in the account at the bank first/);
    await doubt.waitFor();
    await call(`${device.terminal}/v1/payments/${id}/cancel`, { method: 'POST' });
    await page.locator('.timeline', { hasText: 'Cancelled' }).waitFor();
    await doubt.waitFor();
  }));

/** The device's time since it started goes on by so much, until it is disposed of. */
function passing(minutes: number): Disposable {
  const { bigint } = process.hrtime;
  return replaced(process.hrtime, 'bigint', () => bigint() + BigInt(minutes) * 60_000_000_000n);
}

it('an undecided refund is decided by a person who saw the account, and can be changed', async (device) => {
  const id = await paid(device, 5000);
  const calls = ['refund', 'refund-state', 'find'];
  const faults = calls.map((name) => ({ call: name, kind: 'error', times: 1000 }));
  await call(`${device.sandbox}/sandbox/faults`, { json: { faults } });
  await call(`${device.terminal}/v1/payments/${id}/refunds`, { json: { amount: 3000, id: 'lane-4/21 return 1' } });
  await using page = await browsing.open(`${device.recognition}/#/payments/${id}`, {}, /status of 409/);
  const went = button(page, 'The money went back');
  await page.getByText('check in your account at the bank').waitFor();
  assert.ok(await went.isDisabled(), 'who has looked where is said first');
  await findNothing(page, 'a refund without an outcome', null);
  await page.getByLabel('Note').fill('Anna, in the account: not there');
  await went.click();
  await button(page.getByRole('dialog'), 'The money went back').click();
  await page.locator('#payment .outcome.failed').waitFor();
  assert.is((await last(device)).refunded, 0, 'the device still asks the bank by itself');
  assert.is(await page.getByLabel('Note').inputValue(), 'Anna, in the account: not there');
  using later = passing(11);
  assert.ok(later);
  await button(page, 'The money did not go back').click();
  await page.getByText('the customer would get it twice').waitFor();
  await button(page.getByRole('dialog'), 'The money did not go back').click();
  await page.locator('.timeline', { hasText: 'refused' }).waitFor();
  await went.waitFor({ state: 'detached' });
  const [refund] = (await payment(device, id)).refunds;
  assert.equal([refund.decided, refund.note], ['refused', 'Anna, in the account: not there']);
});

it("a bank's file is laid beside the ledger, and each difference leads to its payment", async (device) => {
  const id = await paid(device, 4200);
  await using page = await browsing.open(`${device.recognition}/#/payments`, {}, /status of 400/);
  await page.getByRole('link', { name: 'Reconcile', exact: true }).click();
  // as Windows writes it: ‘Сумма’ is no UTF-8
  const buffer = Buffer.concat([
    Buffer.from('orderId;'),
    Buffer.from('d1f3ecece0', 'hex'),
    Buffer.from(`\n${id};43.00\n`),
  ]);
  const file = { name: 'registry.csv', mimeType: 'text/csv', buffer };
  await page.getByLabel('Bank’s report').setInputFiles(file);
  await button(page, 'Reconcile').click();
  const result = page.locator('#reconcile');
  await result.locator('.advice', { hasText: 'The columns were recognised by their names' }).waitFor();
  assert.is(await result.locator('.outcome.failed').count(), 0, 'nothing has gone wrong');
  const guessed = ['Order ID', 'Amount', 'Commission'].map((name) => page.getByLabel(name, { exact: true }));
  assert.equal(await Promise.all(guessed.map((each) => each.inputValue())), ['orderId', 'Сумма', '']);
  await button(page, 'Reconcile').click();
  await result.locator('.chip', { hasText: '1 difference' }).waitFor();
  await result.locator('td', { hasText: 'amounts differ' }).waitFor();
  await result.getByText('Differences: ₽1.00').waitFor();
  const download = page.waitForEvent('download');
  await button(page, 'Save the differences (CSV)').click();
  const saved = readFileSync(await (await download).path(), 'utf8');
  assert.match(saved, new RegExp(`"${id}";"43,00";"42,00";"amounts differ"`));
  const payouts = result.getByRole('group', { name: 'Payouts' }).locator('tbody td');
  assert.equal((await payouts.allInnerTexts()).slice(1), ['₽43.00', '₽0.00', '–', '–', '–', '–']);
  await page.setViewportSize(PHONE);
  const width = await page.locator('html').evaluate((all) => all.scrollWidth);
  assert.is(width, PHONE.width, 'tables scroll, the page does not');
  await result.getByText('Columns in the file').click();
  assert.is(await guessed[0]?.inputValue(), 'orderId', 'what was taken can be changed');
  await result.locator('tbody').getByRole('link').click();
  await page.locator('#payment .large', { hasText: '₽42.00' }).waitFor();
  assert.is(await result.isVisible(), false);
  await page.goBack();
  await result.locator('td', { hasText: 'amounts differ' }).waitFor(); // the next difference can be looked at
  await page.locator('#payment').waitFor({ state: 'detached' });
  await page.goBack();
  await page.locator('#list li').first().waitFor();
  assert.is(await result.count(), 0);
});

it('a period is reconciled by its first and its last day', async (device) => {
  await using page = await browsing.open(
    `${device.recognition}/#/payments/reconcile?day=2026-01-05`,
    {},
    /status of 400/, // the columns are asked about first
  );
  await page.getByLabel('Last day (optional)').fill('2026-01-11');
  const buffer = Buffer.from('orderId;amount\nmade-up;43.00\n');
  await page.getByLabel('Bank’s report').setInputFiles({ name: 'registry.csv', mimeType: 'text/csv', buffer });
  const sent = page.waitForRequest('**/v1/reconciliations');
  await button(page, 'Reconcile').click();
  const request = await sent;
  const { from, to } = request.postDataJSON();
  assert.equal([from, to], ['2026-01-05', '2026-01-11']);
  await (await request.response())?.finished();
});

test('which day a date means is asked where it may be two', async () => {
  await using device = await startTestDevice({ LANEWARE_SERIAL: '104' });
  await setUp(device);
  const buffer = Buffer.from('id заказа;Сумма;Комиссия;Дата операции МСК\na;100;1;11/12/2026\n');
  await using page = await browsing.open(`${device.recognition}/#/payments/reconcile`, {}, /status of 400/);
  await page.getByLabel('Bank’s report').setInputFiles({ name: 'registry.csv', mimeType: 'text/csv', buffer });
  await button(page, 'Reconcile').click();
  await page.locator('#reconcile .outcome.failed', { hasText: '11/12/2026 in line 2 may be two days' }).waitFor();
  const days = page.locator('#reconcile').getByRole('group', { name: 'Payouts' }).locator('tbody td:first-child');
  for (const [order, day] of [
    ['month-first', '2026-11-12'],
    ['day-first', '2026-12-11'],
  ] as const) {
    await page.getByLabel('The date 11/12/2026 in the file').selectOption(order);
    await button(page, 'Reconcile').click();
    await days.getByText(day).waitFor();
  }
});

test('the statement of the account says beside each payout whether it has come', async () => {
  await using device = await startTestDevice({ LANEWARE_SERIAL: '104' }); // it shall have no letters
  await setUp(device);
  const registry = [
    'id заказа;Сумма;Комиссия;Дата операции МСК',
    'a;100;1;20.11.2026',
    'b;100;1;21.11.2026',
    'c;7;0;22.11.2026',
  ];
  const documents = [
    ['99.00', '21.11.2026', 'Возмещение'],
    ['99.00', '22.11.2026', 'Возмещение за 21.11.2026'],
    ['5.00', '22.11.2026', 'Аренда'],
  ].flatMap(([sum, day, purpose]) => [
    ...['СекцияДокумент=Платежное поручение', 'Номер=5181', `Сумма=${sum}`, `ДатаПоступило=${day}`],
    ...['ПолучательСчет=1', `НазначениеПлатежа=${purpose}`, 'КонецДокумента'],
  ]);
  const lines = ['1CClientBankExchange', 'ВерсияФормата=1.03', 'РасчСчет=1', ...documents, 'КонецФайла'];
  const named = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await using page = await browsing.open(`${device.recognition}/#/payments/reconcile`, {}, /status of 400/);
  const result = page.locator('#reconcile');
  const account = page.getByLabel('Account statement');
  await page.getByLabel('Bank’s report').setInputFiles(named('registry.csv', registry.join('\n')));
  await account.setInputFiles(named('cut.txt', lines.slice(0, -1).join('\n')));
  await button(page, 'Reconcile').click();
  await result.locator('.outcome.failed', { hasText: 'incomplete at line 24' }).waitFor();
  await account.setInputFiles(named('statement.txt', lines.join('\n')));
  await result.locator('.outcome.failed').waitFor({ state: 'detached' });
  await button(page, 'Reconcile').click();
  const came = result.getByRole('group', { name: 'Payouts' }).locator('tbody td:nth-child(2)');
  await came.first().waitFor();
  assert.equal(await came.allInnerTexts(), [
    'Arrived\n\nLine 4: 2026-11-21, No.\u00a05181',
    'Arrived\n\nLine 11: 2026-11-22, No.\u00a05181',
    'Missing',
    '',
  ]);
  await account.setInputFiles(named('alike.txt', lines.join('\n').replaceAll(' за 21.11.2026', '')));
  await came.first().waitFor({ state: 'detached' });
  await button(page, 'Reconcile').click();
  await came.getByText('Unclear').first().waitFor();
  assert.match((await came.allInnerTexts())[0] ?? '', /Возмещение/, 'what a person must choose by');
  await findNothing(page, 'payouts beside a statement');
});

test.run();
