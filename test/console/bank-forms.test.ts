/** A bank over TLS and a display on a wire, set up by the forms alone: faults at their fields, and a paid sale. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { SimulatedDisplay } from '../../drivers/display/wire/simulator-device.ts';
import { atEnd, call, startTestDevice, until } from '../support.ts';
import { makeCertificates, PASSWORD } from '../terminal/banks/certificates.ts';
import { type FakeBank, startFakeBank } from '../terminal/banks/fake-bank.ts';
import { withFolder } from '../terminal/banks/support.ts';
import { PtyDisplay } from '../tools/display/pty.ts';
import { englishIn, findNothing, inConsole } from './audit.ts';
import { keyboard } from './hands.ts';
import { browserSuite, button, drawn, focused, REFUSED } from './support.ts';

const { test, browsing } = browserSuite('a bank and a display set up by forms in Chromium');

/** Certificates of tests are good for two days. */
const YEAR_MS = 365 * 86_400_000;
const WRONG = 'made-up-wrong-password';

/** A bank of a private authority, which answers no client without a certificate of it. */
const bankOf = (folder: string): Promise<FakeBank> => {
  const [cert, key, ca] = ['bank.crt', 'bank.key', 'ca.crt'].map((name) => readFileSync(join(folder, name)));
  return startFakeBank({ cert, key, ca, requestCert: true, rejectUnauthorized: true });
};

test('by keys alone: a wrong password is named at its field, then bank, display and payment work', () =>
  withFolder(async (folder) => {
    const { caPath, pfxPath } = makeCertificates(folder);
    await using bank = await bankOf(folder);
    await using device = await startTestDevice();
    const display = new SimulatedDisplay();
    const wire = new PtyDisplay(display);
    await wire.plug();
    const shown = () => (display.picture.kind === 'qr' ? display.picture.payload : display.picture.kind);
    const work = async (page: Page) => {
      const { press, write } = keyboard(page);
      const choose = async (label: string, option: string) => {
        const list = page.getByLabel(label);
        await list.focus();
        await page.keyboard.type(option);
        await until(`${option} is chosen`, async () =>
          (await list.locator('option:checked').innerText()).startsWith(option),
        );
      };
      await choose('Bank name', 'CFT');
      await press(page.locator('summary'));
      for (const [field, text] of [
        ['accAlias', 'A1'],
        ['extEntityId', 'E1'],
        ['merchantId', 'M1'],
        ['password', WRONG],
        ['baseUrl', bank.url],
      ] as const)
        await write(page.locator(`#field-${field}`), text);
      for (const [field, label, path] of [
        ['pfxPath', 'Client certificate with key', pfxPath],
        ['caPath', 'Trusted authorities', caPath],
      ] as const) {
        const coming = page.waitForEvent('filechooser');
        await press(button(page, `Choose a file: ${label}`));
        await (await coming).setFiles(path);
        await until('its name', async () => (await page.locator(`#field-${field}`).inputValue()) === basename(path));
      }
      await press(button(page, 'Test the bank'));
      const password = page.locator('#field-password');
      await page.locator('#field-password-problem', { hasText: 'does not open the certificate' }).waitFor();
      await until('the field has the focus', async () => (await focused(page)) === 'field-password');
      assert.is(await password.getAttribute('aria-invalid'), 'true');
      assert.match((await password.getAttribute('aria-describedby')) ?? '', 'field-password-problem');
      assert.equal(bank.calls, [], 'a certificate that is locked is not sent to the bank');

      await write(password, PASSWORD);
      await press(button(page, 'Test the bank'));
      await page.locator('#bank .outcome.done', { hasText: 'It works' }).waitFor();
      await page.locator('#bank', { hasText: 'Account alias, Company ID, Point of sale ID' }).waitFor();
      await page.locator('#bank .advice', { hasText: 'Not saved yet' }).waitFor();
      assert.is(await page.locator('#field-password-problem').count(), 0);
      assert.equal(new Set(bank.callers), new Set(['till']));
      assert.is((await call(`${device.recognition}/console/api/settings`)).body.settings.bankProfile, '');
      // what was found is about what stood there then
      await write(page.locator('#field-merchantId'), 'M2');
      await until('the answer is gone', async () => (await page.locator('#bank .outcome.done').count()) === 0);

      await press(button(page, 'Save'));
      await page.locator('#bank .soft', { hasText: 'CFT' }).waitFor();
      await press(button(page, 'Test the bank')); // with the kept password
      await page.locator('#bank .outcome.done', { hasText: 'It works' }).waitFor();
      assert.is(await page.locator('#bank .advice').count(), 0);
      assert.equal(bank.sales, []);

      await press(page.getByRole('link', { name: 'Customer display' }));
      await choose('Display type', 'Serial');
      await write(page.locator('#field-portName'), wire.path());
      await press(button(page, 'Save'));
      await page.locator('#display .soft', { hasText: 'Serial or USB' }).waitFor();
      await press(button(page, 'Show a test picture'));
      await page.getByText('Can you see it?').waitFor();
      await until('it is on the wire', () => shown() === 'LANEWARE TEST');
      await press(button(page, 'Yes'));
      await page.getByText('Display set up.').waitFor();

      await page.goto(`${device.recognition}/#/lane`);
      await write(page.locator('#amount'), '123.45');
      await press(button(page, 'Show QR code'));
      const sale = await until('the bank has the sale', () => bank.sales[0]);
      await until('its code is on the wire', () => shown() === sale.payload);
      assert.is(sale.amount, 12_345);
      bank.payStatus = 'ACWP';
      await until('it is paid', async () => {
        const { payments } = (await call(`${device.recognition}/v1/payments`)).body;
        return payments[0]?.state === 'ACCEPTED';
      });
      await until('the customer sees so', () => shown() === 'status');
      assert.not.match(await page.content(), WRONG);
    };
    await using _end = atEnd(() => wire.close());
    await browsing.visit(`${device.recognition}/#/welcome`, {}, work, REFUSED);
  }));

test('each answer of a test, in both languages: what is read, what overflows, what axe finds', async () => {
  await using device = await startTestDevice();
  await using bank = await startFakeBank();
  await using page = await browsing.open(`${device.recognition}/#/welcome`, {}, REFUSED);
  for (const [language, test, works] of [
    ['en', 'Test the bank', 'It works'],
    ['ru', 'Проверить банк', 'Работает'],
  ] as const) {
    await inConsole(page)(language);
    await page.locator('#bank-name').selectOption('CFT');
    await page.locator('summary').click();
    const fill = async (values: Readonly<Record<string, string>>) => {
      for (const [name, value] of Object.entries(values)) await page.locator(`#field-${name}`).fill(value);
    };
    await fill({ accAlias: 'A1', extEntityId: 'E1', merchantId: 'M1', password: 'made-up-1', baseUrl: bank.url });
    const names = new Set(await englishIn(page)); // of fields and files, in the help of the form
    await button(page, test).click();
    await page.locator('#bank .outcome.done', { hasText: works }).waitFor();
    const check = (what: string) => findNothing(page, `${what}, ${language}`, null, (problem) => names.has(problem));
    await check('works');
    await fill({ baseUrl: 'https://no-such-bank.invalid' });
    await button(page, test).click();
    await page.locator('#field-baseUrl-problem').waitFor();
    await until('the field has the focus', async () => (await focused(page)) === 'field-baseUrl');
    await check('no such name');
    await page.locator('#bank-name').selectOption('Static');
    await fill({ staticQR: 'https://example.org/pay' });
    await button(page, test).click();
    await page.locator('#bank .outcome.done', { hasText: /\S/ }).waitFor();
    await check('a fixed code');
  }
});

test('a file of the wrong kind is reported at its field, and the one before stays', () =>
  withFolder(async (folder) => {
    const { caPath, pfxPath } = makeCertificates(folder);
    await using device = await startTestDevice();
    await using page = await browsing.open(`${device.recognition}/#/welcome`, {}, REFUSED);
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/console/api/settings/certificates')) sent += 1;
    });
    for (const [language, choose, other] of [
      ['en', 'Choose a file', 'Choose another file'],
      ['ru', 'Выбрать файл', 'Выбрать другой файл'],
    ] as const) {
      await inConsole(page)(language);
      await page.locator('#bank-name').selectOption('CFT');
      await page.locator('summary').click();
      const names = new Set(await englishIn(page)); // of fields and files, in the help of the form; of kinds of files, and of the authority
      const field = page.locator('#field-caPath');
      const problem = page.locator('#field-caPath-problem');
      const take = (file: string | { name: string; mimeType: string; buffer: Buffer }) =>
        page.locator('#file-caPath').setInputFiles(file);
      const made = (text: string) => ({ name: 'letter.crt', mimeType: 'a/b', buffer: Buffer.from(text) });
      for (const [file, words] of [
        [made('Dear shop'), language === 'en' ? 'no complete certificate' : 'нет целого сертификата'],
        [made(''), language === 'en' ? 'is empty' : 'пуст'],
        [pfxPath, 'PKCS #12'],
      ] as const) {
        await take(file);
        await problem.filter({ hasText: words }).waitFor();
        await until('the field has the focus', async () => (await focused(page)) === 'field-caPath');
        assert.is(await field.inputValue(), '');
      }
      const before = sent;
      await take(made('x'.repeat(64 * 1024 + 1)));
      await problem.filter({ hasText: language === 'en' ? '64 KiB' : '64 КиБ' }).waitFor();
      assert.is(sent, before, 'it is not even sent');
      assert.match((await field.getAttribute('aria-describedby')) ?? '', /field-caPath-problem/);
      await take(caPath);
      await until('its name', async () => (await field.inputValue()) === basename(caPath));
      assert.is(await problem.count(), 0);
      await take(made('Dear shop'));
      await problem.waitFor();
      assert.is(await field.inputValue(), basename(caPath), 'the one that was good stays');
      await findNothing(page, language, null, (problem) => names.has(problem) || /: (PEM PKCS|ca) in/.test(problem));
      for (const name of [other, choose])
        await button(page.locator('#bank'), new RegExp(`^${name}`))
          .first()
          .waitFor();
      await page.reload();
    }
  }));

test('a file that was sent is shown with its name and expiry, and it can be removed', () =>
  withFolder(async (folder) => {
    const { caPath } = makeCertificates(folder);
    await using device = await startTestDevice();
    await using page = await browsing.open(`${device.recognition}/#/welcome`, {}, REFUSED);
    const field = page.locator('#field-caPath');
    const sent = page
      .locator('.sent-file')
      .filter({ has: page.locator('#file-caPath') })
      .locator('p')
      .first();
    const take = () => page.locator('#file-caPath').setInputFiles(caPath);
    await page.locator('#bank-name').selectOption('CFT');
    await page.locator('summary').click();
    for (const [atMs, words] of [
      [Date.now(), /^ca, valid until /],
      [Date.now() + YEAR_MS, /^ca, expired .* get a new one/],
      [Date.now() - YEAR_MS, /^ca, not valid before /],
    ] as const) {
      await page.clock.setFixedTime(atMs);
      await take();
      await sent.filter({ hasText: words }).waitFor();
    }
    await button(page.locator('#bank'), /^Remove: Trusted/).click();
    await until('it is taken out', async () => (await field.inputValue()) === '');
    await until('the field has the focus', async () => (await focused(page)) === 'field-caPath');
    assert.is(await sent.filter({ hasText: /not valid before/ }).count(), 0);
  }));

test('a file that arrives when another form is there goes into none', () =>
  withFolder(async (folder) => {
    const { caPath } = makeCertificates(folder);
    await using device = await startTestDevice();
    await using page = await browsing.open(`${device.recognition}/#/welcome`, {}, REFUSED);
    await page.locator('#bank-name').selectOption('CFT');
    const gate = Promise.withResolvers<void>();
    let [isSent, hasArrived] = [false, false];
    await page.route('**/console/api/settings/certificates', async (route) => {
      isSent = true;
      const response = await route.fetch();
      await gate.promise;
      await route.fulfill({ response });
      hasArrived = true;
    });
    await page.locator('#file-caPath').setInputFiles(caPath);
    await until('it is sent', () => isSent);
    await page.locator('#bank-name').selectOption('Static');
    await page.locator('#bank-name').selectOption('CFT');
    gate.resolve();
    await until('it has arrived', () => hasArrived);
    await drawn(page);
    assert.is(await page.locator('#field-caPath').inputValue(), '');
  }));

test('a device that dies during a test leaves a page that says so, with nothing to press', async () => {
  const device = await startTestDevice();
  await using bank = await startFakeBank();
  let asked = false;
  await using page = await browsing.open(`${device.recognition}/#/welcome`, {}, REFUSED);
  await page.locator('#bank-name').selectOption('CFT');
  for (const [name, value] of Object.entries({ accAlias: 'A1', extEntityId: 'E1', merchantId: 'M1', password: 'x' }))
    await page.locator(`#field-${name}`).fill(value);
  await page.locator('summary').click();
  await page.locator('#field-baseUrl').fill(bank.url);
  await page.route('**/console/api/settings/bank-test', async (route) => {
    asked = true;
    await device[Symbol.asyncDispose]();
    await route.abort('connectionreset');
  });
  await button(page, 'Test the bank').click();
  await until('it is asked', () => asked);
  await page.locator('.banner').waitFor();
  await until('the button is dead', () => button(page, 'Test the bank').isDisabled());
  await page.locator('#bank .outcome.failed').waitFor();
});

test.run();
