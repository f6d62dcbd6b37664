/** The pages of the device and of integration as a technician uses them, in real Chromium. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { ConfigError } from '../../firmware/core/config/load.ts';
import { reasonOf } from '../../firmware/core/config/reason-records.ts';
import { LogRing } from '../../firmware/core/host/log-ring.ts';
import { call, each, onDevice, SCREEN, setUp, startTestDevice } from '../support.ts';
import { englishIn, findNothing } from './audit.ts';
import { decoded, loadReader } from './decoded.ts';
import { keyboard } from './hands.ts';
import { browserSuite, button, live, PHONE, REFUSED, setPin, show, typePin } from './support.ts';

const { test, browsing } = browserSuite('page of the device in Chromium');
const it = each(test, onDevice);
test.before(loadReader);

const STATIC_SETTINGS = {
  bankProfile: 'shop',
  bankProfiles: { shop: { bankName: 'Static', staticQR: 'https://example.org/pay' } },
  deviceConnection: SCREEN,
};

/** What each setting opens: a part of its page. */
const SECTIONS = [
  ['Health', 'health', '#clock'],
  ['Updates', 'updates', '#release'],
  ['Access', 'access', '#pins'],
  ['Backup', 'backup', '#backup-in'],
  ['Log', 'log', '#log'],
] as const;
const row = (page: Page, name: string) =>
  page.locator('#settings a').filter({ has: page.getByText(name, { exact: true }) });

for (const viewport of [PHONE, { width: 1280, height: 800 }])
  it(`each setting is opened by keyboard, and left by the way back, ${viewport.width} px`, async (device) => {
    await using page = await browsing.open(`${device.recognition}/#/device`, { viewport });
    await live(page);
    const hands = keyboard(page);
    const isPhone = viewport === PHONE;
    for (const [name, section, part] of SECTIONS) {
      await hands.press(row(page, name));
      await page.locator(part).waitFor();
      assert.match(page.url(), new RegExp(`#/device/${section}$`));
      assert.is(await page.evaluate<string>('document.activeElement.id'), 'section');
      assert.is(await row(page, 'Health').isVisible(), !isPhone);
      if (isPhone) await hands.press(page.getByRole('link', { name: 'All settings' }));
      else await page.goBack();
      await page.locator(part).waitFor({ state: 'detached' });
      const focused = await page.evaluate<string>('document.activeElement.getAttribute("href")');
      assert.is(focused, `#/device/${section}`, 'the keyboard is where it was');
    }
  });

it('a setting has an address, which outlives a reload, and is marked in the list', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/device/backup`);
  await page.locator('#backup-in').waitFor();
  await page.reload();
  await page.locator('#backup-in').waitFor();
  assert.equal(await page.locator('#settings [aria-current=page]').allInnerTexts(), ['Backup']);
  await row(page, 'Bank').click();
  await page.getByLabel('Bank name').waitFor();
  await page.goBack();
  await page.locator('#backup-in').waitFor();
  await page.goto(`${device.recognition}/#/device/no-such`);
  await row(page, 'Log').waitFor();
  assert.is(await page.locator('#backup-in').count(), 0);
});

test('the list says how each setting stands', async () => {
  const lines = new LogRing();
  await using device = await startTestDevice({ LANEWARE_SERIAL: '104' }, undefined, { lines });
  const { recognition } = device;
  const look = (words: Readonly<Record<string, RegExp>>) => async (page: Page) => {
    for (const [name, line] of Object.entries(words)) await row(page, name).filter({ hasText: line }).waitFor();
  };
  await browsing.visit(
    `${recognition}/#/device`,
    {},
    look({
      ...{ Health: /Needs attention: .*Setup/, Updates: /Version \d+\.\d+\.\d+$/, Access: /No token, no PIN/ },
      ...{ Backup: /No backup yet/, Log: /No errors since startup/ },
    }),
  );
  await call(`${device.terminal}/updateDriverSettings`, { json: { settings: STATIC_SETTINGS } });
  await setPin(device, 'technician', '739105');
  lines.add(JSON.stringify({ level: 'error', time: '2026-11-21T08:00:00.000Z', part: 'terminal', msg: 'a fault' }));
  await using page = await browsing.open('about:blank');
  const midnight = new Date().setHours(0, 0, 0, 0);
  await page.route('**/console/api/backups', (route) =>
    route.fulfill({ json: { lastMade: new Date(midnight - 1).toISOString(), last: null } }),
  );
  const tokens = [
    { role: 'till', made: false, configured: true },
    { role: 'technician', made: true, configured: false },
  ];
  await page.route('**/console/api/tokens', (route) => route.fulfill({ json: { tokens } }));
  await asInstalled(page, recognition, [], { code: 'nothing-new', version: null, detail: 'nothing new' });
  await page.goto(`${recognition}/#/device`);
  await typePin(page, '739105');
  await look({
    ...{ Updates: /up to date$/, Access: /2 tokens, PIN set/ },
    ...{ Backup: /Last backup yesterday/, Log: /Last error: 21 Nov/ },
  })(page);
  await page.getByRole('button', { name: 'RU' }).click();
  await look({ Доступ: /2 токена, PIN задан/, 'Резервная копия': /Последняя копия: вчера/ })(page);
  assert.equal(await englishIn(page), []);
});

it('a technician asks who has done what, and reads back as far as the trail goes', async (device) => {
  for (let count = 1; count <= 25; count++)
    await call(`${device.recognition}/api/set_result_count`, { json: { count: 1 + (count % 5) } });
  await call(`${device.terminal}/updateDriverSettings`, { json: { settings: STATIC_SETTINGS } });
  await call(`${device.recognition}/api/delete_item`, { json: { id: '<b>none</b>' } });
  await call(`${device.terminal}/version`, { headers: { origin: 'http://evil.example' } });
  await using page = await browsing.open(`${device.recognition}/#/device/access`, { viewport: PHONE });
  const rows = page.locator('#audit li');
  assert.is(await rows.count(), 0, 'nothing is asked for by itself');
  await button(page, 'Show').click();
  await rows.nth(19).waitFor();
  assert.match(await rows.nth(0).innerText(), /Call\s+Refused.*evil\.example.*127\.0\.0\.1, no token/s);
  assert.match(await rows.nth(1).innerText(), /Item deleted\s+Failed\s+id: <b>none<\/b>\s+Code -6302/);
  assert.match(await rows.nth(2).innerText(), /Settings changed\s+Done.*bankProfile: none → shop/s);
  await button(page, 'Show older').click();
  await rows.nth(28).waitFor();
  assert.match(await rows.last().innerText(), /Version changed\s+Done.*the device itself/s);
  assert.not(await button(page, 'Show older').isVisible());
  await button(page, 'Show the latest').click();
  await rows.nth(20).waitFor({ state: 'detached' });
  await findNothing(page, 'a long trail', null);
});

it('a token is made, shown once, replaced after a question, and taken back', async (device) => {
  const { recognition } = device;
  await using page = await browsing.open(`${recognition}/#/device/access`);
  const till = page.locator('#access li', { hasText: 'Till' });
  await till.getByRole('button', { name: 'Create a token' }).click();
  const first = await page.locator('#new-token').innerText();
  assert.ok(first.length >= 20, first);
  await page.locator('.token-code').waitFor();
  assert.is(await decoded(page), first, 'the code of the token');
  await button(page, 'I have saved it').click();
  assert.is(await page.getByText(first).count(), 0);
  assert.is(await page.locator('.token-code').count(), 0);
  const calls = await call(`${recognition}/console/api/calls?limit=50`);
  assert.not(JSON.stringify(calls.body).includes(first), 'no log has it');
  await till.getByText('created here').waitFor();
  await till.getByRole('button', { name: 'Replace the token' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the token' }).click();
  const second = await page.locator('#new-token').innerText();
  assert.is.not(second, first);
  await page.locator('.token-code').waitFor();
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.is(await decoded(page), second, 'on a phone in the dark');
  await button(page, 'I have saved it').click();
  await till.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  assert.is(
    (await call(`${recognition}/console/api/tokens`)).body.tokens.filter((each: { made: boolean }) => each.made).length,
    1,
  );
  await till.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await till.getByText('none').waitFor();
});

it('what is ill stands first, with what to do, in words of the language', async (device) => {
  await call(`${device.terminal}/updateDriverSettings`, {
    json: {
      settings: { ...STATIC_SETTINGS, deviceConnection: { connectionType: 'Serial', portName: '/dev/no-such-port' } },
    },
  });
  await using page = await browsing.open(`${device.recognition}/#/device/health`, { locale: 'ru-RU' });
  const first = page.locator('#health li').first();
  await first.locator('.chip', { hasText: 'Не работает' }).waitFor();
  const display = page.locator('#health li', { hasText: 'Дисплей покупателя' });
  await display.locator('.reason', { hasText: 'no-such-port' }).waitFor();
  const fault = page.locator('#health .reason', { hasText: 'Дисплей покупателя не подключён' });
  assert.is(await fault.locator('a, button').count(), 1, 'one action for one fault');
  await fault.getByRole('button', { name: 'Проверить питание и кабель' }).click();
  await page.getByRole('dialog').locator('li').nth(2).waitFor();
  assert.is(await page.getByRole('dialog').locator('li').count(), 3);
  await page.getByRole('dialog').getByRole('button', { name: 'Понятно' }).click();
});

it('what works stands in one line, which opens', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/device/health`);
  const line = page.locator('#health summary', { hasText: /^\d+ parts work$/ });
  const row = page.locator('#health li', { hasText: 'Ledger' });
  await line.waitFor();
  assert.not.ok(await row.isVisible());
  await line.click();
  await row.locator('.chip.good').waitFor();
});

test('the log is found by text and follows', async () => {
  const lines = new LogRing();
  const line = (msg: string, level = 'warn') =>
    lines.add(JSON.stringify({ level, time: '2026-11-21T08:00:00.000Z', part: 'terminal', msg }));
  line('the first line');
  line('a quiet line', 'info');
  await using device = await startTestDevice({}, undefined, { lines });
  await using page = await browsing.open(`${device.recognition}/#/device/log`, { viewport: PHONE });
  const rows = page.locator('#log li');
  await rows.nth(1).waitFor();
  await page.getByLabel('Severity').selectOption('warn');
  await rows.nth(1).waitFor({ state: 'detached' });
  await page.getByLabel('Text').fill('second');
  await rows.first().waitFor({ state: 'detached' });
  line('the second line');
  await rows.filter({ hasText: 'the second line' }).waitFor();
  await button(page, 'Pause').click();
  line('another second line');
  await button(page, 'Resume').click();
  await rows.nth(1).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download support bundle' }).click(),
  ]);
  assert.is(file.suggestedFilename(), 'laneware-support-TEST0001.zip');
});

it('the bank’s password has a form of its own, without the steps of set-up', async (device) => {
  const bank = { bankName: 'Alfa Bank', userName: 'shop-api', password: 'made-up-1', baseUrl: 'http://127.0.0.1:9/' };
  const json = { bankProfile: 'shop', bankProfiles: { shop: bank }, deviceConnection: SCREEN };
  await call(`${device.recognition}/console/api/settings`, { method: 'PUT', json });
  await using page = await browsing.open(`${device.recognition}/#/device`);
  await page.locator('#settings').getByRole('link', { name: /^Bank/ }).click();
  await page.getByLabel('Password', { exact: true }).fill('made-up-2');
  assert.is(await page.getByText(/Step \d of/).count(), 0);
  await button(page, 'Save').click();
  await page.locator('#bank .outcome.done').waitFor();
  const { settings } = (await call(`${device.recognition}/console/api/settings`)).body;
  assert.equal([settings.bankProfile, settings.bankProfiles.shop.userName], ['shop', 'shop-api']);
});

test('a reset needs the device’s name typed; a device installed by hand cannot be reset, says so', async () => {
  await using device = await startTestDevice({ LANEWARE_SERIAL: 'LW000042' });
  const { recognition } = device;
  await using page = await browsing.open(`${recognition}/#/device/updates`);
  await page.getByText('started by a command: update it').waitFor();
  assert.is(await page.getByRole('button', { name: 'Check for updates' }).count(), 0);
  await page.goto(`${recognition}/#/device/health`);
  await page.getByText('started by a command: restart it').waitFor();
  await page.goto(`${recognition}/#/device/advanced`);
  await page.getByText('To reset it, stop it').waitFor();
  assert.is(await page.getByRole('button', { name: 'Factory reset' }).count(), 0);
  await button(page, 'Delete all pictures').click();
  const dialog = page.getByRole('dialog');
  const yes = dialog.getByRole('button', { name: 'Delete all pictures' });
  assert.ok(await yes.isDisabled());
  await dialog.getByRole('textbox').fill('LW00004');
  assert.ok(await yes.isDisabled());
  await dialog.getByRole('textbox').fill('LW000042');
  await yes.click();
  await page.getByText('Deleted.').waitFor();
});

const UNDONE = { code: 'undone', version: '1.3.0', detail: '1.3.0 was undone: it did not start' };

/** What an installed lane would answer; what it is asked to do is noted. */
async function asInstalled(page: Page, recognition: string, asked: string[], outcome: object = UNDONE): Promise<void> {
  const { body } = await call(`${recognition}/console/api/device`);
  const update = { doing: 'idle', outcome };
  const facts = {
    previous: '1.1.0',
    source: 'https://releases.example.org/',
    undone: [{ version: '1.3.0', reason: 'it did not start' }],
  };
  const machine = { ...body, managed: true, installedAt: '2026-11-20T23:10:00.000Z' };
  const guards = { watchdog: true, writableRoot: false };
  const answer = { ...machine, guards, update: { ...update, ...facts, putOffSince: null, putOffWhy: '' } };
  await page.route('**/console/api/device', (route) => route.fulfill({ json: answer }));
  await page.route('**/console/api/device/*', (route) => {
    asked.push(`${route.request().url().split('/').at(-1)} ${route.request().postData() ?? ''}`.trim());
    return route.fulfill({ json: { begun: true } });
  });
}

test('an installed lane is updated, taken back, started anew and reset from the page', async () => {
  await using device = await startTestDevice({ LANEWARE_SERIAL: '104' });
  const asked: string[] = [];
  await using page = await browsing.open('about:blank', { viewport: PHONE, locale: 'ru-RU' });
  await asInstalled(page, device.recognition, asked);
  await page.goto(`${device.recognition}/#/device/updates`);
  await page.locator('#release').getByText('1.3.0: выполнен возврат к прежней').waitFor();
  await page.locator('#release').getByText('https://releases.example.org/').waitFor();
  await page.locator('#release').getByText('Текущий файл').waitFor();
  await page.locator('#release').getByText('Выбирать не из чего').waitFor();
  await button(page, 'Проверить обновления').click();
  await page.locator('#release').getByText('Началось.').waitFor();
  await button(page, 'Вернуться к предыдущей версии').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Вернуться к версии 1.1.0?').waitFor();
  await dialog.getByRole('button', { name: 'Вернуться к предыдущей версии' }).click();
  await dialog.waitFor({ state: 'detached' });
  await findNothing(page, 'the updates of an installed lane', null);
  await page.goto(`${device.recognition}/#/device/health`);
  await page.locator('#power dd', { hasText: 'включено' }).waitFor();
  await page.locator('#power dd', { hasText: 'только чтение' }).waitFor();
  await button(page, 'Перезагрузить устройство').click();
  await dialog.getByRole('button', { name: 'Перезагрузить устройство' }).click();
  await page.getByText('Перезагрузка: устройство вернётся').waitFor();
  await findNothing(page, 'the health of an installed lane', null);
  await page.goto(`${device.recognition}/#/device/advanced`);
  await button(page, 'Сброс к заводским настройкам').click();
  const yes = dialog.getByRole('button', { name: 'Сброс к заводским настройкам' });
  assert.ok(await yes.isDisabled());
  await dialog.getByRole('textbox').fill('104');
  await yes.click();
  await page.getByText('Идёт сброс').waitFor();
  assert.equal(asked, ['update', 'rollback', 'reboot', 'reset {"name":"104"}']);
  await findNothing(page, 'an installed lane', null);
});

test('a configuration that is wrong is named beside the release, and its last good one', async () => {
  const about = { keys: 'terminal.port, api.hosts', at: '2026-11-20T08:00:00Z', detail: 'line 3' };
  const configWarnings = [reasonOf('config-last-good', about, 'the last good one is in force')];
  let problem = 'terminal.port must be a number';
  const tries: string[] = [];
  const retryConfig = () => {
    tries.push(problem);
    if (problem !== '') throw new ConfigError([problem]);
  };
  await using device = await startTestDevice({}, undefined, { configWarnings, retryConfig });
  await using page = await browsing.open('about:blank', {}, /status of 409/);
  await asInstalled(page, device.recognition, []);
  await page.goto(`${device.recognition}/#/device/updates`);
  await page.locator('#release dd', { hasText: 'Health says why' }).waitFor();
  await page.unroute('**/console/api/device/*');
  await page.goto(`${device.recognition}/#/device/health`);
  const health = page.locator('#health');
  await health.getByText(/Correct terminal\.port, api\.hosts\..*\(20 November 2026\) is in use/).waitFor();
  const again = button(page, 'Try the file again');
  await again.click();
  await health.getByText('The file is still invalid').waitFor();
  await health.locator('.outcome summary').click();
  await health.getByText('Device.ConfigWrong: terminal.port must be a number').waitFor();
  problem = '';
  await again.click();
  await health.locator('.outcome.done').waitFor();
  assert.is(tries.length, 2);
});

test('what the device knows of its tray stands beside its faults, with the way to Camera', async () => {
  await using device = await startTestDevice({ LANEWARE_CAMERA_DRIVER: 'push' });
  await show(device, '');
  // there is no model
  await using page = await browsing.open(`${device.recognition}/#/device/health`, {}, REFUSED);
  const sight = page.locator('#sight');
  await sight.getByText('does not know the empty tray yet').waitFor();
  await call(`${device.recognition}/api/learn_background`, { method: 'POST' });
  await page.reload();
  await sight.getByText('knows what the empty tray looks like').waitFor();
  await sight.getByRole('link', { name: 'Open Camera' }).click();
  await page.locator('#learning').waitFor();
});

it('a refusal of the system is shown in the language of the page', async (device) => {
  await using page = await browsing.open('about:blank', { locale: 'ru-RU' }, /409/);
  await asInstalled(page, device.recognition, []);
  await page.unroute('**/console/api/device/*');
  await page.goto(`${device.recognition}/#/device/updates`);
  await button(page, 'Проверить обновления').click();
  await page.getByText('Устройство запущено командой: сделайте это на компьютере, где оно работает.').waitFor();
});

it('without a clipboard the line is selected, and the button says so by eye and by ear', async (device) => {
  await using page = await browsing.open('about:blank', { viewport: PHONE });
  await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  await page.goto(`${device.recognition}/#/integrate`);
  await button(page, 'Copy: Clear the display').click();
  const said = button(page, 'Selected: copy it now: Clear the display');
  assert.is(await said.innerText(), 'Selected: copy it now');
  assert.match(await page.evaluate<string>('String(getSelection())'), /^curl -X POST .*clearScreen$/);
  await button(page, 'Copy: Clear the display').waitFor();
});

test('the calls on the page are those that the terminal takes', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await using page = await browsing.open(`${device.recognition}/#/integrate`);
  await page.locator('#calls .call code').first().waitFor();
  const [sale = '', showQR = '', status = '', clear = ''] = await page.locator('#calls .call code').allInnerTexts();
  const bodyOf = (line: string) => JSON.parse(/-d "(.+)"$/.exec(line)?.[1]?.replaceAll('\\"', '"') ?? '');
  const address = /http:\S+/;
  assert.is((await call(showQR.match(address)?.[0] ?? '', { json: bodyOf(showQR) })).status, 200);
  assert.is((await call(status.match(address)?.[0] ?? '')).body.dynamicQRStatus, 'PENDING');
  assert.is((await call(clear.match(address)?.[0] ?? '', { method: 'POST' })).status, 200);
  const headers = { 'idempotency-key': /Idempotency-Key: ([^"]+)"/.exec(sale)?.[1] ?? '' };
  assert.is((await call(sale.match(address)?.[0] ?? '', { json: bodyOf(sale), headers })).status, 201);
});

test.run();
