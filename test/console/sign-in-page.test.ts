/** Signing in at the console, in real Chromium: who sees what, and what becomes of a window whose session ends. */
import { createServer } from 'node:http';
import type { BrowserContext, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { listening } from '../ports.ts';
import { startFirmware } from '../process.ts';
import {
  call,
  each,
  onDevice,
  onSetUpDevice,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
  until,
} from '../support.ts';
import { browserSuite, drawn, live, PHONE, REFUSED, setPin, TILL, typePin } from './support.ts';

const { test, browsing } = browserSuite('signing in, in Chromium');
/** The device of these tests has neither camera nor model. */
const NO_CAMERA = /status of 503/;
const NO_CAMERA_OR_IN = /status of (401|503)/;
const it = each(test, onDevice);
const ready = each(test, onSetUpDevice);

const TECHNICIAN = '739105';
const SUPERVISOR = '520417';
const CASHIER = '4826';

async function setPins(device: Pick<TestDevice, 'recognition'>): Promise<void> {
  for (const [person, pin] of Object.entries({ technician: TECHNICIAN, supervisor: SUPERVISOR, cashier: CASHIER }))
    await setPin(device, person, pin);
}
const ways = (page: Page) => page.locator('.rail a:visible').allInnerTexts();

ready('a cashier signs in by the keypad with one thumb, and sees the lane, payments and teaching', async (device) => {
  await setPins(device);
  const options = { viewport: PHONE, hasTouch: true, isMobile: true };
  await using page = await browsing.open(device.recognition, options);
  await page.locator('#sign-in').waitFor();
  assert.is(await page.locator('.rail').count(), 0);
  assert.not.match(await page.locator('.strip').innerText(), /TEST0001/);
  for (const digit of `9${CASHIER}`) {
    await page.locator('.keypad').getByRole('button', { name: digit, exact: true }).tap();
    if (digit === '9') await page.getByRole('button', { name: 'Delete the last digit' }).tap();
  }
  await page.locator('.keypad [type=submit]').tap();
  await live(page);
  assert.equal(await ways(page), ['Checkout', 'Payments', 'Teach']);
  assert.match(await page.locator('.strip .who').innerText(), /Cashier/);
  await page.locator('#amount').fill('12');
  await page.getByRole('button', { name: 'Show QR code' }).tap();
  await page.locator('#latest .sum').waitFor();
  assert.is(await page.locator('#sales a').count(), 0, 'nothing leads to what is not the cashier’s');
  await page.goto(`${device.recognition}/#/payments`);
  await page.locator('#list li a').tap();
  await page.locator('#payment .sum.large', { hasText: '12.00' }).waitFor();
  await page.goto(`${device.recognition}/#/teach`);
  await page.getByText('No items yet: a supervisor or a technician creates the first one.').waitFor();
  assert.is(await page.getByText('creates a new item').count(), 0, 'nor is he asked to do what he may not');
});

ready('by keyboard alone: in, a page that is closed, out, in as technician, and there it is', async (device) => {
  await setPins(device);
  await using page = await browsing.open(`${device.recognition}/#/device/health`);
  await typePin(page, CASHIER);
  await page.locator('#closed').waitFor();
  assert.is(await page.locator('#health').count(), 0);
  await page.getByText('Only a technician can do this.').waitFor();
  const toSignIn = page.getByRole('button', { name: 'Sign in as someone else' });
  await toSignIn.focus();
  await page.keyboard.press('Enter');
  await typePin(page, TECHNICIAN);
  await page.locator('#health').waitFor();
  assert.match(page.url(), /#\/device\/health$/);
  assert.is((await ways(page)).length, 9);
  await page.locator('.who button').focus();
  await page.keyboard.press('Enter');
  await page.locator('#sign-in').waitFor();
  assert.is(await page.locator('#health').count(), 0);
  assert.not.match(await page.content(), /TEST0001/, 'nothing of the device is left on the page');
});

const ALL = ['lane', 'payments', 'items', 'teach', 'camera', 'store', 'device', 'integrate', 'welcome'];

for (const [person, pin, open, who] of [
  [
    'cashier',
    CASHIER,
    ['lane', 'payments', 'teach'],
    { items: 'a supervisor or a technician', device: 'a technician' },
  ],
  ['supervisor', SUPERVISOR, ['lane', 'payments', 'items', 'teach', 'camera'], { device: 'a technician' }],
] as const) {
  ready(`a ${person} opens the pages that are for him, and no other`, async (device) => {
    await setPins(device);
    await using page = await browsing.open(device.recognition, {}, NO_CAMERA);
    await typePin(page, pin);
    await live(page);
    assert.is((await ways(page)).length, open.length);
    for (const hash of ALL) {
      await page.goto(`${device.recognition}/#/${hash}`);
      const isOpen = (open as readonly string[]).includes(hash);
      const part = page.locator(isOpen ? `main.${hash} > :not(h1):visible` : '#closed');
      await part.first().waitFor();
      assert.is(await page.locator('#closed').count(), isOpen ? 0 : 1, hash);
      const sentence = `Only ${who[hash as keyof typeof who]} can do this.`;
      if (hash in who) await page.getByText(sentence, { exact: true }).waitFor();
    }
    for (const part of ['totals', 'reconcile']) {
      await page.goto(`${device.recognition}/#/payments`);
      await page.locator('#list').waitFor();
      const way = page.locator(`#list a[href="#/payments/${part}"]`);
      assert.is(await way.count(), person === 'cashier' ? 0 : 1, part);
      await page.goto(`${device.recognition}/#/payments/${part}`);
      await page.locator(person === 'cashier' ? '#closed' : `#${part}`).waitFor();
    }
  });
}

it('a wrong PIN is reported, and then for how long to wait, in words of the language', async (device) => {
  await setPins(device);
  await using page = await browsing.open(device.recognition, { locale: 'ru-RU' }, REFUSED);
  for (let pin = 5031; pin < 5036; pin++) {
    await typePin(page, String(pin));
    await page.getByText('Неверный PIN.').waitFor();
    assert.is(await page.locator('#secret').inputValue(), '');
  }
  await typePin(page, '5040');
  await page.getByText(/Слишком много попыток\. Повторите через \d+ с\./).waitFor();
  await typePin(page, '12');
  await page.getByText('Введите PIN: не меньше четырёх цифр.').waitFor();
});

test('with a token instead', async () => {
  await using device = await startTestDevice({ LANEWARE_API_TOKEN: 'made-up-token-of-the-technician' });
  await setPins(device);
  await using page = await browsing.open(device.recognition, {}, REFUSED);
  await page.getByRole('button', { name: 'Use a token instead' }).click();
  await typePin(page, 'wrong');
  await page.getByText('Wrong token.').waitFor();
  await typePin(page, 'made-up-token-of-the-technician');
  await live(page);
  assert.match(await page.locator('.strip .who').innerText(), /Technician/);
});

ready('a technician signs out who has left a session open elsewhere', async (device) => {
  await setPins(device);
  await using cashier = await browsing.open(device.recognition, {}, REFUSED);
  await typePin(cashier, CASHIER);
  await live(cashier);
  await using page = await browsing.open(`${device.recognition}/#/device/access`, {}, REFUSED);
  await typePin(page, TECHNICIAN);
  await live(page);
  const rows = page.locator('#sessions li');
  await rows.nth(1).waitFor();
  assert.match(await rows.filter({ hasText: 'This browser' }).innerText(), /^Technician/);
  assert.is(await rows.filter({ hasText: 'This browser' }).getByRole('button').count(), 0);
  await rows.filter({ hasText: 'on the device itself · active just now' }).first().waitFor();
  await page.locator('#sessions').getByRole('button', { name: 'Sign out: Cashier' }).click();
  await cashier.locator('#sign-in').waitFor();
  await page.locator('#sessions .outcome', { hasText: 'Signed out.' }).waitFor();
  await until('the others', async () => (await rows.count()) === 1);
});

/** Another window of the same browser. */
async function another(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

ready('two windows come in, change hands and go out together', async (device) => {
  await setPins(device);
  await using one = await browsing.open(device.recognition, {}, REFUSED);
  const two = await another(one.context(), `${device.recognition}/#/lane`);
  await two.locator('#sign-in').waitFor();
  await one.locator('#secret').focus();
  await typePin(one, CASHIER);
  await Promise.all([live(one), live(two)]);
  await one.locator('.who button').click();
  await Promise.all([one, two].map((page) => page.locator('#sign-in').waitFor()));
  await typePin(two, TECHNICIAN);
  await Promise.all([live(one), live(two)]);
  for (const page of [one, two]) assert.match(await page.locator('.who').innerText(), /Technician/);
});

ready('a late answer from before the sign-in signs no one out', async (device) => {
  await setPins(device);
  await using page = await browsing.open(device.recognition, {}, REFUSED);
  await page.locator('#sign-in').waitFor();
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  let answered = 0;
  await page.route('**/console/api/session', async (route) => {
    if (route.request().method() !== 'GET' || asked > 0) return route.continue();
    asked += 1;
    const response = await route.fetch();
    await gate.promise;
    await route.fulfill({ response });
    answered += 1;
  });
  await page.evaluate(() => new BroadcastChannel('laneware.session').postMessage('in'));
  await until('it is asked', () => asked === 1);
  await page.locator('#secret').focus();
  await typePin(page, TECHNICIAN);
  await live(page);
  gate.resolve();
  await until('the late answer is there', () => answered === 1);
  await drawn(page);
  assert.is(await page.locator('#sign-in').count(), 0);
  assert.match(await page.locator('.who').innerText(), /Technician/);
});

ready('a first question that is overtaken by one that gets lost leaves no empty page', async (device) => {
  await using page = await browsing.open(device.recognition);
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/console/api/session', async (route) => {
    const count = ++asked;
    if (count === 2) return route.abort('connectionrefused');
    if (count === 1) await gate.promise;
    await route.continue();
  });
  await page.reload();
  await until('it is asked', () => asked === 1);
  await page.evaluate(() => new BroadcastChannel('laneware.session').postMessage('in'));
  await until('it is asked again', () => asked === 2);
  gate.resolve();
  await live(page);
});

ready('a technician sets the first PIN at the page and is asked for it; who had another is out', async (device) => {
  await using page = await browsing.open(`${device.recognition}/#/device/access`, {}, REFUSED);
  await live(page);
  assert.is(await page.locator('.who').count(), 0, 'no PIN is asked for yet');
  const row = page.locator('#pins li', { hasText: 'Technician' });
  const cashier = page.locator('#pins li', { hasText: 'Cashier' });
  const dialog = page.getByRole('dialog');
  await cashier.getByRole('button', { name: 'Set PIN' }).click();
  await dialog.locator('#new-pin').fill(CASHIER);
  await dialog.getByRole('button', { name: 'Save PIN' }).click();
  await dialog.getByText('Set a technician’s PIN or token first').waitFor();
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: 'Set PIN' }).click();
  await dialog.locator('#new-pin').focus();
  await page.keyboard.insertText('73910573910');
  await page.locator('#new-pin-problem', { hasText: '10 characters at most, now 11.' }).waitFor(); // nothing is cut unseen
  await dialog.locator('#new-pin').fill('1234');
  await page.keyboard.press('Enter');
  await dialog.getByText('This PIN is too easy to guess').waitFor();
  await dialog.locator('#new-pin').fill(TECHNICIAN);
  await page.keyboard.press('Enter');
  await page.locator('#sign-in').waitFor();
  await page.keyboard.insertText(`${TECHNICIAN}00000`);
  await page.keyboard.press('Enter');
  await page.locator('#secret-problem', { hasText: '10 characters at most, now 11.' }).waitFor();
  for (const _ of '00000') await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await row.getByText('set', { exact: true }).waitFor();
  await setPin(device, 'technician', '916370');
  await typePin(page, '916370');
  await page.locator('#audit').getByRole('button', { name: 'Show' }).click();
  await page.locator('#audit li').first().waitFor();
  const text = await page.locator('#audit').innerText();
  assert.match(text, /Signed in/);
  assert.match(text, /PIN set/);
  assert.not.match(text, /916370|739105/);
  await row.getByRole('button', { name: 'Remove' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await row.getByText('not set').waitFor();
  assert.is(await page.locator('.who').count(), 0);
});

async function removePins({ recognition }: TestDevice): Promise<void> {
  for (const person of ['cashier', 'supervisor', 'technician'])
    await call(`${recognition}/console/api/pins/${person}`, { method: 'DELETE' });
}

for (const path of ['/', '/scale', '/#/device/access'])
  ready(`PINs that are changed elsewhere reach a page that nobody loads anew: ${path}`, async (device) => {
    await using page = await browsing.open(`${device.recognition}${path}`, {}, NO_CAMERA_OR_IN);
    const isOpen = () => page.locator('.shell[data-live=yes] main > :not(h1)').first().waitFor();
    await isOpen();
    for (const _ of ['the first time', 'and again']) {
      await setPins(device);
      await page.locator('#sign-in').waitFor();
      await setPin(device, 'technician', '916370');
      await removePins(device);
      await page.locator('#sign-in').waitFor({ state: 'detached' });
      await isOpen();
    }
    await setPins(device);
    await typePin(page, TECHNICIAN);
    await isOpen();
    await removePins(device);
    await page.locator('.who').waitFor({ state: 'detached' });
    await isOpen();
  });

test('once the last PIN is gone but a token is needed, an open form asks for the token', async () => {
  await using device = await startTestDevice({ LANEWARE_API_TOKEN: 'made-up-token-of-the-technician' });
  await setPins(device);
  const extraHTTPHeaders = { 'x-forwarded-for': '192.0.2.7' };
  await using page = await browsing.open(device.recognition, { extraHTTPHeaders }, REFUSED);
  await page.getByRole('textbox', { name: 'PIN' }).waitFor();
  await removePins(device);
  await page.getByRole('textbox', { name: 'Token' }).waitFor();
});

ready('a page that asks who is there loads itself anew when the device was updated', async (device) => {
  await setPins(device);
  await using page = await browsing.open(device.recognition, {}, REFUSED);
  await page.locator('#sign-in').waitFor();
  await page.evaluate("window.name = 'of before'; document.body.dataset.of = 'before'");
  await page.route('**/console/api/session', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), pages: 'of another release' } });
  });
  await page.locator('body:not([data-of])').waitFor();
  await page.locator('#sign-in').waitFor();
});

test('killed and started again, the device knows who was there, and the page goes on', async () => {
  using folder = temporaryFolder();
  const first = await startFirmware(folder.path);
  await using _first = first.program;
  const { recognition } = first.urls;
  await setPins({ recognition });
  await using page = await browsing.open(recognition, { viewport: TILL }, REFUSED);
  await typePin(page, CASHIER);
  await live(page);
  await first.program.kill('SIGKILL');
  await page.locator('.banner').waitFor();
  const settings = { LANEWARE_RECOGNITION_PORT: new URL(recognition).port };
  const second = await startFirmware(folder.path, { settings });
  await using _second = second.program;
  await live(page);
  assert.match(await page.locator('.who').innerText(), /Cashier/);
  assert.is(await page.locator('#sign-in').count(), 0);
});

/** What Preact does after a window has painted comes so much later. */
const PAINTED_LATE = `{
  const { setTimeout } = window;
  window.requestAnimationFrame = (draw) => setTimeout(draw, 2000);
  window.setTimeout = (work, ms) => setTimeout(work, ms === 100 ? 2000 : ms);
}`;

it('who signs in is asked also where the device says so before the window has painted', async (device) => {
  await setPins(device);
  await using page = await browsing.open('about:blank', {}, REFUSED);
  await page.addInitScript(PAINTED_LATE);
  await page.route('**/console/api/session', async (route) => {
    await page.locator('.languages').waitFor();
    await route.continue();
  });
  await page.goto(device.recognition);
  await page.locator('#sign-in').waitFor();
});

it('a page of somebody else on this machine changes nothing with the session', async (device) => {
  await setPins(device);
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>x</title>');
  });
  await using stranger = await listening(server);
  await using page = await browsing.open(device.recognition, {}, /status of 4|CORS|ERR_FAILED|favicon/);
  await typePin(page, TECHNICIAN);
  await live(page);
  await page.goto(stranger.url);
  // the cookie is sent: to a browser another port is the same site
  await page.evaluate(
    `Promise.all(['DELETE', 'PUT', 'POST'].map((method) => fetch('${device.recognition}/console/api/pins/cashier', { method, credentials: 'include', mode: method === 'POST' ? 'no-cors' : 'cors' }).catch(() => null)))`,
  );
  await page.evaluate(
    `fetch('${device.recognition}/api/reboot', { method: 'POST', credentials: 'include', mode: 'no-cors' }).catch(() => null)`,
  );
  const { pins } = (await call(`${device.recognition}/console/api/pins`)).body;
  assert.is(pins.filter(({ set }: { set: boolean }) => set).length, 3);
  const { lines } = (await call(`${device.recognition}/console/api/audit`)).body;
  assert.is(lines.filter(({ deed }: { deed: string }) => deed === 'reboot' || deed === 'pin-removed').length, 0);
});

test.run();
