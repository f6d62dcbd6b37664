/** Every page and the states that matter, by axe, by width and by language, in light and dark, on a phone, a till and a desktop. */
import { freePort } from '../ports.ts';
import { call, SANDBOX_SETTINGS, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { type Choose, findNothing } from './audit.ts';
import { FEATURE_VIEWS, HASHES } from './pages.ts';
import {
  browserSuite,
  button,
  hear,
  learnEmptyTray,
  live,
  PHONE,
  paid,
  play,
  REFUSED,
  SEEING,
  sell,
  setPin,
  show,
} from './support.ts';

const { test, browsing } = browserSuite('every page');

/** A serial number is read, too: it shall have no letters. */
const NAMELESS = { LANEWARE_SERIAL: '104' };
const LONG_SYMBOL = { tuning: { pace: { symbolMs: 600_000 } } };
const THING =
  '<rect x="520" y="240" width="220" height="240" fill="#b3302a"/><rect x="520" y="240" width="110" height="120" fill="#1f63b0"/>';
/** What a device shows that has done nothing yet; its other pages are those of any device. */
const FRESH = HASHES.filter((hash) => hash === 'device/health' || !hash.includes('/'));

const uncertain = async ({ recognition }: TestDevice) =>
  (await call(`${recognition}/console/api/recognition/uncertain`)).body.answers;

/** Sales with every end, one late, one of them as large and as long as it may be, and such an item; a thing on the tray; and a sale that is open. */
async function busyDevice(): Promise<TestDevice> {
  const store = { LANEWARE_SYNC_HOST: '127.0.0.1', LANEWARE_SYNC_PORT: String(await freePort()) };
  const device = await startTestDevice({ ...SEEING, ...NAMELESS, ...store }, undefined, LONG_SYMBOL);
  await setUp(device);
  await learnEmptyTray(device);
  await paid(device, 100_000_000, 'Щ'.repeat(140));
  const declined = await sell(device, 45_900, 'Чек 1090');
  await play(device, declined, 'decline');
  await hear(device, declined, 'REJECTED');
  const late = await sell(device, 51_240, 'Чек 1092');
  await play(device, late, 'late');
  await until('it is late', async () => (await call(`${device.recognition}/console/api/overview`)).body.payment.late);
  await sell(device, 123_450, 'Чек 1093');
  const dear = { name: 'Щ'.repeat(200), price: 99_999_999 };
  await call(`${device.recognition}/v1/items/4712`, { method: 'PUT', json: dear });
  await show(device, THING);
  await until('an uncertain answer', async () => {
    await call(`${device.recognition}/v1/recognition`);
    return (await uncertain(device))[0];
  });
  return device;
}

const devices: { busy?: TestDevice; fresh?: TestDevice } = {};
test.before(async () => {
  devices.busy = await busyDevice();
  devices.fresh = await startTestDevice(NAMELESS);
});
test.after(async () => {
  for (const device of Object.values(devices)) await device[Symbol.asyncDispose]();
});
const started = (kind: keyof typeof devices): TestDevice => {
  const device = devices[kind];
  if (device === undefined) throw new Error('the device is not there yet');
  return device;
};

for (const [kind, hashes] of [
  ['busy', HASHES],
  ['fresh', FRESH],
] as const)
  for (const hash of hashes)
    test(`#/${hash} of a ${kind} device`, async () => {
      await using page = await browsing.open(`${started(kind).recognition}/#/${hash}`, {}, REFUSED);
      await live(page);
      // a whole screen for a scale has no buttons for the language: its own tests show it in Russian
      await findNothing(page, hash, hash === 'scale' ? null : undefined);
    });

test('uncertain answers: chosen, asked what they are, and learned; and the store of a master', async () => {
  const device = started('busy');
  await using page = await browsing.open(`${device.recognition}/#/teach`, {}, REFUSED);
  await page.locator('.answers button').first().click();
  await page.locator('.chosen').waitFor();
  await findNothing(page, 'chosen');
  await page.locator('.chosen .primary').click();
  await page.locator('dialog #assigned').fill('4711');
  await page.locator('dialog .rows + button').waitFor();
  await findNothing(page, 'which item', null);
  await page.locator('dialog .rows + button').click();
  await page.locator('.score').waitFor();
  await findNothing(page, 'learned');
  await call(`${device.recognition}/api/set_sync_master`, { json: { upload: true, download: true } });
  await until('the store works', async () => {
    const { problem, lastSuccess } = (await call(`${device.recognition}/api/get_sync_status`)).body.data;
    return problem === null && lastSuccess !== null;
  });
  await page.goto(`${device.recognition}/#/store`);
  await page.locator('#everywhere').waitFor();
  await findNothing(page, 'a master');
});

for (const locale of ['en-GB', 'ru-RU'])
  test(`all the ways of a phone, and a question asked before an action, ${locale}`, async () => {
    await using page = await browsing.open(
      `${started('fresh').recognition}/#/store`,
      { locale, viewport: PHONE },
      REFUSED,
    );
    await live(page);
    await page.locator('.rail .more').click();
    await page.locator('.rail.wide').waitFor();
    await findNothing(page, 'all the ways', null);
    await page.setViewportSize(PHONE);
    const make = button(page, /^(Make this|Сделать)/);
    await make.first().click();
    await page.locator('dialog[open]').waitFor();
    await findNothing(page, 'a question', null);
  });

test('the customer’s screen in each state, a payment, a refused amount, a lost device', async () => {
  const device = started('busy');
  const status = (value: number) => call(`${device.terminal}/displayStatus`, { json: { status: value } });
  await using page = await browsing.open(`${device.recognition}/display?lang=en`, {}, REFUSED);
  const russian = await page.context().newPage();
  await russian.goto(`${device.recognition}/display?lang=ru`);
  // its language is of its address, and a lost one cannot be loaded anew
  const look = async (view: string) => {
    for (const screen of [page, russian]) {
      await screen.bringToFront();
      await screen.locator(`.picture[data-view=${view}]`).waitFor();
      await findNothing(screen, `${view}, ${screen.url()}`, null);
    }
  };
  for (const [view, act] of Object.entries({
    clear: () => status(0),
    success: () => status(3),
    failure: () => status(4),
    qr: () => sell(device, 123_450, 'Чек 1094'),
  })) {
    await act();
    await look(view);
  }
  const { orderId } = (await call(`${device.recognition}/console/api/overview`)).body.payment;
  const console = await page.context().newPage();
  await console.goto(`${device.recognition}/#/payments/${orderId}`);
  await console.locator('#payment summary').click();
  await console.locator('#payment code').first().waitFor();
  await findNothing(console, 'one payment');
  for (const hash of ['payments/totals', 'payments/shifts', ...FEATURE_VIEWS, 'payments?late=true', 'items/4711']) {
    await console.goto(`${device.recognition}/#/${hash}`);
    await console.locator('#payment').waitFor({ state: 'detached' });
    await findNothing(console, hash);
  }
  await console.goto(`${device.recognition}/#/lane`);
  await console.locator('#amount').fill('abc');
  await console.keyboard.press('Enter');
  await console.locator('#amount-problem').waitFor();
  await findNothing(console, 'a refused amount');
  await device[Symbol.asyncDispose]();
  await console.locator('.banner').waitFor();
  await findNothing(console, 'a lost device');
  await look('lost');
  delete devices.busy;
});

test("the payer's page, open, paid, declined and unknown; and the lane without its display", async () => {
  const device = started('fresh');
  await setUp(device);
  await using page = await browsing.open('about:blank', {}, REFUSED);
  const choose: Choose = async (language) => {
    await page.goto(`${page.url().split('?')[0]}?lang=${language}`);
  };
  for (const [does, state, amount] of [
    ['nothing', null, 123_450],
    ['pay', 'ACCEPTED', 223_450],
    ['decline', 'REJECTED', 323_450],
  ] as const) {
    // the page of a sale that ends loads itself anew, and would take away the one that is gone to
    await page.goto('about:blank');
    const id = await sell(device, amount, 'Чек 1093');
    const { link } = (await call(`${device.recognition}/console/api/overview`)).body.payment;
    if (state !== null) {
      await play(device, id, does);
      await hear(device, id, state);
    }
    await page.goto(link);
    await findNothing(page, does, choose);
  }
  await page.goto(`${device.sandbox}/pay/AD1`);
  await findNothing(page, 'unknown', choose);
  const deviceConnection = { connectionType: 'Serial', portName: '/dev/no-such-port' };
  await call(`${device.terminal}/updateDriverSettings`, {
    json: { settings: { ...SANDBOX_SETTINGS, deviceConnection } },
  });
  await page.goto(`${device.recognition}/#/lane`);
  await page.locator('#sales.bad').waitFor();
  await findNothing(page, 'a display that is gone');
});

test('each port’s errors, one error, and a day’s totals on the screen and on an 80 mm roll', async () => {
  const device = started('fresh');
  await using page = await browsing.open('about:blank');
  const choose: Choose = async (language) => {
    const url = new URL(page.url());
    url.searchParams.set('lang', language);
    await page.goto(url.href);
  };
  for (const url of [
    `${device.terminal}/errors`,
    `${device.recognition}/errors`,
    `${device.terminal}/errors/Payments.RefundLimit`,
  ]) {
    await page.goto(url);
    await findNothing(page, url, choose);
  }
  await page.goto(`${device.terminal}/v1/reports/day?format=html`);
  await findNothing(page, 'a day', choose);
  await page.emulateMedia({ media: 'print' });
  await findNothing(page, 'a day on paper', choose);
});

test('the page of the claim', async () => {
  await using page = await browsing.open(`${started('fresh').recognition}/claim`);
  await page.locator('#claim').waitFor();
  await findNothing(page, 'the claim');
  await page.locator('#claim button[type=submit]').click();
  await page.locator('#code-problem').waitFor();
  await findNothing(page, 'without a code');
});

test('who is there, a page that is not the cashier’s, and the lane as a cashier sees it', async () => {
  const device = started('fresh');
  await using page = await browsing.open(`${device.recognition}/#/device/access`, {}, REFUSED);
  await live(page);
  await page.locator('#pins button').first().click();
  await page.locator('dialog[open]').waitFor();
  await findNothing(page, 'a new PIN', null);
  await setPin(device, 'technician', '739105');
  await setPin(device, 'cashier', '4826');
  await page.locator('#sign-in').waitFor();
  await findNothing(page, 'who is there');
  await page.locator('#secret').fill('5031');
  await page.keyboard.press('Enter');
  await page.locator('.outcome.failed').waitFor();
  await findNothing(page, 'a wrong PIN');
  await page.locator('.other').click();
  await findNothing(page, 'with a token');
  await page.locator('.other').click();
  await page.locator('#secret').fill('4826');
  await page.keyboard.press('Enter');
  await page.locator('#closed').waitFor();
  await findNothing(page, 'not the cashier’s');
  await page.goto(`${device.recognition}/#/lane`);
  await page.locator('#ask').waitFor();
  await findNothing(page, 'a cashier’s lane');
});

test.run();
