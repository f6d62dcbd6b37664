/** The first page as a newcomer, an operator and a technician use it, in real Chromium. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { readQr } from '../drivers/display/support.ts';
import { freePort } from '../ports.ts';
import { call, SANDBOX_SETTINGS, SCREEN, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { setUpTBank } from '../terminal/tbank.ts';
import { browserSuite, PHONE, TILL } from './support.ts';

const { test, browsing } = browserSuite('first page in Chromium');

const STATIC_SETTINGS = {
  bankProfile: 'shop',
  bankProfiles: { shop: { bankName: 'Static', staticQR: 'https://example.org/pay' } },
  deviceConnection: SCREEN,
};

const LOST_DISPLAY = {
  ...SANDBOX_SETTINGS,
  deviceConnection: { connectionType: 'Serial', portName: '/dev/no-such-port' },
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const takesPayments = (page: Page) =>
  until('payments can be asked for', () => button(page, 'Show QR code').isEnabled());
const outcome = (page: Page, text: RegExp) => page.locator('#ask .outcome').filter({ hasText: text }).waitFor();
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const dynamicStatus = async ({ terminal }: TestDevice) =>
  (await call(`${terminal}/getDynamicQRStatus`)).body.dynamicQRStatus;
const lastPayment = async ({ recognition }: TestDevice) => (await call(`${recognition}/console/state`)).body.payment;

const ask = async (page: Page, amount: string, purpose = ''): Promise<void> => {
  await page.getByLabel('Amount in roubles').fill(amount);
  await page.getByLabel('What for (optional)').fill(purpose);
  await button(page, 'Show QR code').click();
};

test('a newcomer sets up with one press, asks for a payment, pays it on the linked page, and sees it accepted', async () => {
  await using device = await startTestDevice();
  await browsing.visit(device.recognition, {}, async (page) => {
    await page.getByText('Not set up yet').waitFor();
    assert.ok(await button(page, 'Show QR code').isDisabled());
    await button(page, 'Set up').click();
    await takesPayments(page);
    assert.is(await page.locator('#setup').isVisible(), false);
    await ask(page, '123,45', 'Receipt 1093');
    await outcome(page, /sees the QR code/);
    assert.is(plain(await page.locator('#payment .amount').innerText()), '123,45 ₽');
    await page.locator('#payment .chip', { hasText: 'Waiting for payment' }).waitFor();
    assert.match(await page.locator('#payment .detail').innerText(), /^[45]:\d\d left/);
    const mirror = page.frameLocator('iframe');
    await mirror.locator('[data-view=qr]').waitFor();
    const link = (await lastPayment(device)).link;
    const inFrame = async () => (await readQr(await page.locator('iframe').screenshot())) === link;
    await until('the small frame shows the code itself', inFrame);

    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: /payer’s page/ }).click();
    const payer = await opened;
    await payer.getByRole('button', { name: /^Pay/ }).click();
    await payer.getByRole('heading', { name: 'Paid' }).waitFor();

    await page.bringToFront();
    await mirror.locator('[data-view=success]').waitFor();
    await page.locator('#mirror .caption', { hasText: 'The success symbol' }).waitFor();
    await page.locator('#payment .chip', { hasText: 'Paid' }).waitFor();
    await page.locator('#recent .chip', { hasText: 'Paid' }).waitFor();
    assert.is(await page.getByRole('link', { name: /payer’s page/ }).count(), 0, 'there is nothing left to pay');
    assert.is(await dynamicStatus(device), 'ACCEPTED');
  });
});

test('an amount is read to the kopeck, with comma, point or spaces', async () => {
  await using device = await startTestDevice({ LANEWARE_TERMINAL_SYMBOLMS: '1' });
  await setUp(device);
  await browsing.visit(device.recognition, {}, async (page) => {
    await takesPayments(page);
    for (const [typed, kopecks] of [
      ['0,01', 1],
      ['12.3', 1230],
      ['7', 700],
      ['1 234,50', 123_450],
      ['4,35 ₽', 435],
      ['1000000,00', 100_000_000],
    ] as const) {
      await ask(page, typed);
      await until(`${typed} is ${kopecks} kopecks`, async () => (await lastPayment(device))?.amount === kopecks);
      await outcome(page, /sees the QR code/);
    }
  });
});

test('what is no amount is refused with an example, and nothing is asked for', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await browsing.visit(device.recognition, {}, async (page) => {
    await takesPayments(page);
    for (const [typed, sentence] of [
      ['', /Type an amount/],
      ['abc', /as 123,45/],
      ['1,234', /as 123,45/],
      ['1.234,50', /as 123,45/],
      ['-5', /as 123,45/],
      ['1e3', /as 123,45/],
      ['0', /least amount is 0,01/],
      ['1000000,01', /largest amount is 1\s000\s000,00/],
    ] as const) {
      await ask(page, typed);
      await outcome(page, sentence);
      assert.is(await page.getByLabel('Amount in roubles').getAttribute('aria-invalid'), 'true');
    }
    assert.is(await lastPayment(device), null);
  });
});

test('the display is cleared by its button, and the page says so in words', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await browsing.visit(device.recognition, {}, async (page) => {
    await call(`${device.terminal}/showQR`, { json: { amount: 4200 } });
    await page.locator('#mirror .caption', { hasText: /A code to pay 42,00/ }).waitFor();
    await button(page, 'Clear the display').click();
    await outcome(page, /The display is clear/);
    await page.locator('#mirror .caption', { hasText: 'A blank screen' }).waitFor();
    await page.locator('#payment .chip', { hasText: 'Open, not on the display' }).waitFor();
  });
});

test('what was said of a deed goes when it is so no longer', async () => {
  await using device = await startTestDevice({ LANEWARE_TERMINAL_SYMBOLMS: '60000' });
  await setUp(device);
  const showQR = (amount: number) => call(`${device.terminal}/showQR`, { json: { amount } });
  await browsing.visit(device.recognition, {}, async (page) => {
    const said = () => page.locator('#ask .outcome').innerText();
    const gone = (what: string) => until(`nothing is said after ${what}`, async () => (await said()) === '');
    await takesPayments(page);
    await ask(page, '10');
    await outcome(page, /sees the QR code/);
    const { link } = await lastPayment(device);
    await call(`${device.sandbox}/sandbox/payments/${link.split('/').at(-1)}/decline`, { method: 'POST' });
    await gone('a decline');

    await ask(page, '11');
    await outcome(page, /sees the QR code/);
    await showQR(1200);
    await gone("the till's own code");

    await button(page, 'Clear the display').click();
    await outcome(page, /The display is clear/);
    await button(page, 'Clear the display').click();
    await outcome(page, /The display is clear/);
    await showQR(1300);
    await gone("the till's next code");
  });
});

test('a good outcome stays while its subject does', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await browsing.visit(device.recognition, {}, async (page) => {
    await takesPayments(page);
    await ask(page, '10');
    await outcome(page, /sees the QR code/);
    // an event that says nothing about the payment
    const slave = { masterIP: '127.0.0.1', upload: true, download: true };
    await call(`${device.recognition}/api/set_sync_slave`, { json: slave });
    await page.locator('#health li', { hasText: 'Synchronisation' }).getByText('Needs attention').waitFor();
    assert.match(await page.locator('#ask .outcome').innerText(), /sees the QR code/);
  });
});

test('a display that is not connected is told in Health, and beside the failed payment', async () => {
  await using device = await startTestDevice();
  await call(`${device.terminal}/updateDriverSettings`, { json: { settings: LOST_DISPLAY } });
  await browsing.visit(device.recognition, {}, async (page) => {
    await page.locator('#health .reason', { hasText: /The display is not connected: .*no-such-port/ }).waitFor();
    assert.is(await page.locator('#overall').innerText(), 'Needs attention');
    await ask(page, '5');
    await outcome(page, /not connected.*nothing is shown\.$/);
    await page.locator('#payment .chip', { hasText: 'Failed' }).waitFor();
  });
});

test('where the sandbox bank is off no press is offered, and the page says what to send', async () => {
  await using device = await startTestDevice({ LANEWARE_SANDBOXBANK_ENABLED: 'false' });
  await browsing.visit(device.recognition, {}, async (page) => {
    await outcome(page, /^The sandbox bank does not run here .*updateDriverSettings\.$/);
    await page.locator('#health .reason', { hasText: 'updateDriverSettings' }).waitFor();
    assert.is(await page.locator('#setup').isVisible(), false);
    assert.ok(await button(page, 'Show QR code').isDisabled());
    assert.is(await page.getByText('press "Set up"').count(), 0, 'no press is named that is not there');
    await call(`${device.terminal}/updateDriverSettings`, { json: { settings: STATIC_SETTINGS } });
    await takesPayments(page);
    assert.is(await page.locator('#ask .outcome').innerText(), '');
  });
});

test('a master shows its devices and, at a press, the pairing code; other devices show nothing of it', async () => {
  await using device = await startTestDevice({
    LANEWARE_SYNC_HOST: '127.0.0.1',
    LANEWARE_SYNC_PORT: String(await freePort()),
  });
  await browsing.visit(device.recognition, {}, async (page) => {
    await page.getByText('Not set up yet').waitFor();
    assert.is(await page.locator('#store').isVisible(), false);
    await call(`${device.recognition}/api/set_sync_master`, { json: { upload: true, download: true } });
    const pairing = () => call(`${device.recognition}/api/get_sync_pairing_code`, { method: 'POST' });
    await until('the server of the store runs', async () => (await pairing()).body.code === 0);
    await page.reload();
    await button(page, 'Show pairing code').click();
    await page
      .locator('#store .pairing code')
      .filter({ hasText: /^[A-Z0-9-]{20,}$/ })
      .waitFor();
    await page.locator('#store .left', { hasText: /^Good for \d+:\d\d\./ }).waitFor();
    await button(page, 'Copy: pairing code').waitFor();
    await page.locator('#store .none', { hasText: 'No other device is paired yet.' }).waitFor();
    await page.locator('#store li', { hasText: '(this device)' }).waitFor();
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/store.png`, fullPage: true });
  });
});

test('a pairing code counts down, and leaves the page when its time is over', async () => {
  await using device = await startTestDevice();
  await browsing.visit('about:blank', {}, async (page) => {
    const status = { role: 'master', masterSN: 'M', lastSuccess: null, pending: 0, problem: null, paired: true };
    await page.route('**/api/get_sync_status', (route) =>
      route.fulfill({ json: { code: 0, data: { ...status, devices: [] } } }),
    );
    await page.route('**/api/get_sync_pairing_code', (route) =>
      route.fulfill({ json: { code: 0, data: { pairingCode: 'ABCDE-FGHIJ', seconds: 2 } } }),
    );
    await page.goto(device.recognition);
    await button(page, 'Show pairing code').click();
    await page.getByText('ABCDE-FGHIJ').waitFor();
    await page.getByText('Good for 0:01').waitFor();
    await page.getByText('The time of the code is over').waitFor();
    assert.is(await page.getByText('ABCDE-FGHIJ').count(), 0);
  });
});

test('a slave is paired on its page, sees its master and the last success, and is told what is wrong', async () => {
  const host = { LANEWARE_SYNC_HOST: '127.0.0.1' };
  const port = String(await freePort());
  await using master = await startTestDevice({ ...host, LANEWARE_SYNC_PORT: port, LANEWARE_SERIAL: 'LANE-10' });
  await using slave = await startTestDevice({ LANEWARE_SERIAL: 'LANE-11', LANEWARE_SYNC_INTERVALMS: '200' });
  const directions = { upload: true, download: true };
  await call(`${master.recognition}/api/set_sync_master`, { json: directions });
  const pairing = () => call(`${master.recognition}/api/get_sync_pairing_code`, { method: 'POST' });
  const { pairingCode } = await until('the server of the store runs', async () => (await pairing()).body.data);
  const asSlave = { masterIP: '127.0.0.1', mastersyncPort: Number(port), ...directions };
  await call(`${slave.recognition}/api/set_sync_slave`, { json: asSlave });
  await browsing.visit(slave.recognition, {}, async (page) => {
    const store = page.locator('#store');
    await store.getByText('Not paired yet.').waitFor();
    assert.is(await page.getByLabel('Address of the master').inputValue(), `127.0.0.1:${port}`);
    await button(page, 'Pair').click();
    await store.getByText('Type the address of the master and the code').waitFor();
    await page.getByLabel('Pairing code', { exact: true }).fill('WRONG');
    await button(page, 'Pair').click();
    await store.getByText('has twenty letters and digits').waitFor();
    await page.getByLabel('Pairing code', { exact: true }).fill(pairingCode);
    await page.keyboard.press('Enter');
    await store.getByText('Paired.').waitFor();
    await store.getByText(/^This device is a slave of the master LANE-10 at 127\.0\.0\.1\./).waitFor();
    await store.getByText(/Last synchronised \d\d:\d\d:\d\d\.$/).waitFor();
    assert.is(await page.getByLabel('Pairing code', { exact: true }).isVisible(), false, 'there is nothing to pair');
    await call(`${master.recognition}/api/set_sync_standalone`, { method: 'POST' });
    await store.getByText('The master cannot be reached').waitFor();
    await store.getByText('Check that the master runs').waitFor();
  });
});

test('an answer that cannot be read is told as such, with what to do', async () => {
  await using device = await startTestDevice();
  await browsing.visit('about:blank', {}, async (page) => {
    await page.route('**/api/get_sync_status', (route) => route.fulfill({ body: '<html>a proxy</html>' }));
    await page.route('**/console/setup', (route) => route.fulfill({ json: {} }));
    await page.goto(device.recognition);
    await page.locator('#store .problem', { hasText: 'unreadable: load this page again' }).waitFor();
    await button(page, 'Set up').click();
    await page.locator('#setup .outcome', { hasText: 'unreadable' }).waitFor();
  });
});

test('without a clipboard the line is selected, and the button says so by eye and by ear', async () => {
  await using device = await startTestDevice();
  await browsing.visit('about:blank', { viewport: PHONE }, async (page) => {
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.goto(device.recognition);
    await button(page, 'Copy: Clear the display').click();
    const said = button(page, 'Selected: copy it');
    assert.is(await said.innerText(), 'Selected: copy it');
    assert.match(await page.evaluate<string>('String(getSelection())'), /^curl -X POST .*clearScreen$/);
    await button(page, 'Copy: Clear the display').waitFor();
  });
});

test('on the device itself the calls name no token, whatever the network is asked for', async () => {
  await using device = await startTestDevice({ LANEWARE_API_TOKEN: 'a secret of twenty letters' });
  await browsing.visit(device.recognition, {}, async (page) => {
    await page.locator('#calls code').first().waitFor();
    const lines = await page.locator('#calls li code').allInnerTexts();
    assert.is(lines.length, 3);
    assert.is(lines.filter((line) => line.includes('Authorization')).length, 0);
    assert.is(await page.getByText('write the token of the till').isVisible(), false);
  });
});

test('on a phone whatever is pressed is as large as a finger, and long reasons are there to be read', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await call(`${device.terminal}/updateDriverSettings`, { json: { settings: LOST_DISPLAY } });
  await call(`${device.terminal}/showQR`, { json: { amount: 100 } });
  await call(`${device.terminal}/showQR`, { json: { amount: 200 } });
  await browsing.visit(device.recognition, { viewport: PHONE }, async (page) => {
    await page.locator('#recent li').nth(1).waitFor();
    const small = `[...document.querySelectorAll('a, button, input')].filter((e) => e.checkVisibility())
      .filter((e) => e.getBoundingClientRect().height < 44).map((e) => e.outerHTML)`;
    assert.equal(await page.evaluate<string[]>(small), []);
    const cut = `[...document.querySelectorAll('#recent .detail')].filter((e) => e.scrollWidth > e.clientWidth).length`;
    assert.is(await page.evaluate<number>(cut), 0);
  });
});

test('markup in a purpose is shown as it is in every list, and nothing of it runs', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const purpose = '<img src=x onerror="document.title=1"><b>&amp;</b>';
  await call(`${device.terminal}/showQR`, { json: { amount: 100, purpose } });
  await browsing.visit(device.recognition, {}, async (page) => {
    await page.locator('#payment .purpose', { hasText: purpose }).waitFor();
    await page.locator('#recent .detail', { hasText: purpose }).waitFor();
    assert.is(await page.locator('#payment .purpose *, #recent .detail *').count(), 0);
    assert.is(await page.title(), 'Laneware');
  });
});

test('the calls on the page are those that the terminal takes', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await browsing.visit(device.recognition, {}, async (page) => {
    await page.locator('#calls code').first().waitFor();
    const [showQR = '', status = '', clear = ''] = await page.locator('#calls code').allInnerTexts();
    const body = JSON.parse(/-d "(.+)"$/.exec(showQR)?.[1]?.replaceAll('\\"', '"') ?? '');
    const address = /http:\S+/;
    assert.is((await call(showQR.match(address)?.[0] ?? '', { json: body })).status, 200);
    assert.is((await call(status.match(address)?.[0] ?? '')).body.dynamicQRStatus, 'PENDING');
    assert.is((await call(clear.match(address)?.[0] ?? '', { method: 'POST' })).status, 200);
  });
});

test('a device that is gone is told at once, and its return heals the page', async () => {
  let device = await startTestDevice();
  const port = new URL(device.recognition).port;
  try {
    await browsing.visit(device.recognition, {}, async (page) => {
      await page.getByText('Not set up yet').waitFor();
      await device[Symbol.asyncDispose]();
      await page.getByRole('alert').filter({ hasText: 'does not answer' }).waitFor();
      device = await startTestDevice({ LANEWARE_RECOGNITION_PORT: port });
      await page.getByRole('alert').waitFor({ state: 'hidden' });
      await button(page, 'Set up').click();
      await takesPayments(page);
    });
  } finally {
    await device[Symbol.asyncDispose]();
  }
});

test('a lost device leaves nothing on the page that may be so no longer, and the banner in sight', async () => {
  const device = await startTestDevice();
  let isGone = false;
  const go = async () => {
    if (!isGone) await device[Symbol.asyncDispose]();
    isGone = true;
  };
  try {
    await setUp(device);
    await browsing.visit(device.recognition, { viewport: PHONE }, async (page) => {
      await takesPayments(page);
      await ask(page, '55', 'Receipt 1094');
      await outcome(page, /sees the QR code/);
      await page.locator('#mirror .caption', { hasText: 'A code to pay 55,00' }).waitFor();
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      await go();
      await page.locator('#overall', { hasText: 'No answer' }).waitFor();
      assert.match((await page.locator('#overall').getAttribute('class')) ?? '', 'bad');
      assert.is(await page.locator('main .chip.good, main .chip.open').count(), 0, 'nothing is green or waiting');
      assert.is(await page.locator('#payment .chip').innerText(), 'Not known now');
      assert.not.match(await page.locator('#payment .detail').innerText(), 'left');
      assert.is(await page.getByRole('link', { name: /payer’s page/ }).count(), 0, 'nothing can be paid now');
      assert.is(await page.locator('#recent .chip').innerText(), 'Not known now');
      assert.is(await page.locator('#mirror .caption').innerText(), '');
      assert.is(await page.locator('#ask .outcome').innerText(), '');
      const banner = await page.getByRole('alert').boundingBox();
      assert.ok(banner !== null && banner.y >= 0 && banner.y < PHONE.height, 'the banner is seen where the page is');
      const faded = `[...document.querySelectorAll('main, main *')].filter((e) =>
        Number(getComputedStyle(e).opacity) < 1 && e.matches(':not(:disabled)')).length`;
      assert.is(await page.evaluate<number>(faded), 0, 'what is left can be read');
    });
  } finally {
    await go();
  }
});

test('a payment that came in late is listed until somebody has looked into it', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await call(`${device.terminal}/showQR`, { json: { amount: 5500, purpose: 'Receipt <1095>' } });
  const { link } = await lastPayment(device);
  await call(`${device.terminal}/clearScreen`, { method: 'POST' });
  await call(`${device.sandbox}/sandbox/payments/${link.split('/').at(-1)}/pay`, { method: 'POST' });
  await until('it is late', async () => (await lastPayment(device)).late);
  await browsing.visit(device.recognition, { viewport: PHONE }, async (page) => {
    const row = page.locator('#late li');
    await row.waitFor();
    assert.match(plain(await row.innerText()), /55,00 ₽.*Receipt <1095>/s);
    const reason = page.locator('#health .reason', { hasText: 'press "I have looked into it"' });
    await reason.waitFor();
    await page.getByLabel('Note about').fill('Anna: paid in cash');
    await button(page, 'I have looked into it').click();
    await row.waitFor({ state: 'detached' });
    const { payments } = (await call(`${device.terminal}/v1/payments?limit=1`)).body;
    assert.is(payments[0].note, 'Anna: paid in cash');
    assert.not(await page.locator('#late').isVisible());
    await reason.waitFor({ state: 'detached' });
    assert.is((await lastPayment(device)).late, false);
  });
});

test('money that goes back is told on the page: a part of it, all of it, and what was late and nobody has looked into', async () => {
  await using device = await startTestDevice();
  await setUpTBank(device);
  const pay = async (amount: number) => {
    await call(`${device.terminal}/showQR`, { json: { amount } });
    return async () => {
      const [{ qrcId }] = (await call(`${device.sandbox}/sandbox/payments`)).body;
      await call(`${device.sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
    };
  };
  const refund = async (json: object) => {
    const { orderId } = await lastPayment(device);
    const headers = { 'content-type': 'application/json', 'idempotency-key': JSON.stringify([orderId, json]) };
    const at = `${device.terminal}/v1/payments/${orderId}/refunds`;
    const answer = await call(at, { method: 'POST', body: JSON.stringify(json), headers });
    assert.is(answer.body.state, 'done', answer.text);
  };
  await browsing.visit(device.recognition, {}, async (page) => {
    const chips = async (text: string, look: string) => {
      for (const place of ['#payment', '#recent li:first-child'])
        await page
          .locator(`${place} .chip.${look}`)
          .filter({ hasText: new RegExp(`^${text}$`) })
          .waitFor();
    };
    await (await pay(5500))();
    await chips('Paid', 'good');
    await refund({ amount: 500 });
    await chips('Paid, a part given back', 'good');
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/part-back.png`, fullPage: true });
    await refund({ amount: 'all' });
    await chips('Given back', 'rest');

    const late = await pay(6600);
    await call(`${device.terminal}/clearScreen`, { method: 'POST' });
    await late();
    await chips('Paid late', 'open');
    await refund({ amount: 600 });
    await chips('Paid late, a part given back', 'open');
    await refund({ amount: 'all' });
    await chips('Given back', 'open');
    await page.locator('#late .detail', { hasText: /66,00.₽ given back already$/ }).waitFor();
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/given-back.png`, fullPage: true });
    await button(page, 'I have looked into it').click();
    await chips('Given back', 'rest');
  });
});

test('a technician asks who has done what, and reads back as far as the trail goes', async () => {
  await using device = await startTestDevice();
  for (let count = 1; count <= 25; count++)
    await call(`${device.recognition}/api/set_result_count`, { json: { count: 1 + (count % 5) } });
  await call(`${device.terminal}/updateDriverSettings`, { json: { settings: STATIC_SETTINGS } });
  await call(`${device.recognition}/api/delete_item`, { json: { id: '<b>none</b>' } });
  await call(`${device.terminal}/version`, { headers: { origin: 'http://evil.example' } });
  await browsing.visit(device.recognition, { viewport: PHONE }, async (page) => {
    const rows = page.locator('#audit li');
    assert.is(await rows.count(), 0, 'nothing is asked for by itself');
    await button(page, 'Show').click();
    await rows.nth(19).waitFor();
    assert.match(await rows.nth(0).innerText(), /Call\s+Refused.*evil\.example.*127\.0\.0\.1, no token/s);
    assert.match(await rows.nth(1).innerText(), /Item deleted\s+Failed\s+id: <b>none<\/b>\s+Code -6302/);
    assert.match(await rows.nth(2).innerText(), /Settings sent\s+Done.*bankProfile: none → shop/s);
    if (process.env.SCREENSHOTS !== undefined)
      await page.locator('#audit').screenshot({ path: `${process.env.SCREENSHOTS}/audit.png` });
    await button(page, 'Older ones').click();
    await rows.nth(28).waitFor();
    assert.match(await rows.last().innerText(), /Another release runs\s+Done.*the device itself/s);
    assert.not(await button(page, 'Older ones').isVisible());
    await button(page, 'Show the newest').click();
    await rows.nth(20).waitFor({ state: 'detached' });
    assert.is(await page.evaluate<number>('document.documentElement.scrollWidth'), PHONE.width);
  });
});

for (const [name, viewport] of [
  ['a phone', PHONE],
  ['a till', TILL],
] as const) {
  test(`nothing is wider than ${name}, long texts included`, async () => {
    await using device = await startTestDevice();
    await setUp(device);
    await call(`${device.terminal}/showQR`, { json: { amount: 100_000_000, purpose: 'Щ'.repeat(140) } });
    await browsing.visit(device.recognition, { viewport }, async (page) => {
      await page.locator('#recent li').first().waitFor();
      await page.locator('#calls code').first().waitFor();
      assert.is(await page.evaluate<number>('document.documentElement.scrollWidth'), viewport.width);
    });
  });
}

test('every control has a name, and the keyboard alone asks for a payment', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await browsing.visit(device.recognition, {}, async (page) => {
    await takesPayments(page);
    const nameless = `[...document.querySelectorAll('button, a, iframe, img, section')].filter((e) =>
      !(e.textContent.trim() || e.title || e.hasAttribute('alt') || e.getAttribute('aria-labelledby'))).length`;
    assert.is(await page.evaluate<number>(nameless), 0);
    await page.keyboard.press('Tab');
    await page.keyboard.type('9,90');
    await page.keyboard.press('Enter');
    await outcome(page, /sees the QR code/);
    assert.is((await lastPayment(device)).amount, 990);
  });
});

test.run();
