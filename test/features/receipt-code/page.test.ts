/** The code of a receipt on the customer's screen in Chromium: read from panels of every size, with its words; and the page after a kill. */
import * as assert from 'uvu/assert';
import { decoded, loadReader } from '../../console/decoded.ts';
import { browserSuite } from '../../console/support.ts';
import { startFirmware } from '../../process.ts';
import { call, each, onSetUpDevice, setUp, temporaryFolder, until } from '../../support.ts';
import { sellByQR } from '../../terminal/device-calls.ts';

const { test, browsing } = browserSuite('feature: receipt code, its picture');
const it = each(test, onSetUpDevice);
test.before(loadReader);

const LINK = 'https://receipt.example/v1/1204?fp=2841905512';
const LONGEST = `https://receipt.example/${'a'.repeat(300 - 'https://receipt.example/'.length)}`;
const SHORT = 'Спасибо!';
const HOSTILE = `<b>${'Щ'.repeat(40)}</b> ${'z\u0335\u0322\u0301'.repeat(5)} 🧾`;
const PANELS = [
  [320, 240],
  [480, 320],
  [800, 480],
  [1024, 600],
  [1920, 1080],
  [390, 844],
  [480, 800],
] as const;

/** What is seen and not whole on the panel, or lies over the code. */
const ASTRAY = `(() => {
  const seen = [...document.querySelectorAll('.code, .mark, .hint, .purpose, .how')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().width > 0);
  const boxes = seen.map((e) => [e.getAttribute('class'), e.getBoundingClientRect()]);
  const code = document.querySelector('.code').getBoundingClientRect();
  return boxes.filter(([name, b]) => b.x < -0.5 || b.y < -0.5 || b.right > innerWidth + 0.5 || b.bottom > innerHeight + 0.5
    || (name !== 'code' && Math.min(code.right, b.right) - Math.max(code.x, b.x) > 1 && Math.min(code.bottom, b.bottom) - Math.max(code.y, b.y) > 1))
    .map(([name]) => name);
})()`;

const show = (terminal: string, id: string, json: object) =>
  call(`${terminal}/v1/payments/${id}/receipt/code`, { method: 'PUT', json: { holdSeconds: 120, ...json } });

it('panels of every size show a code that can be read, whole words, and no markup', async (device) => {
  const id = await sellByQR(device, 1000);
  await using page = await browsing.open(`${device.recognition}/display`);
  for (const [width, height] of PANELS) {
    await page.setViewportSize({ width, height });
    for (const json of [{ payload: LONGEST, words: HOSTILE }, { payload: LINK }]) {
      assert.is((await show(device.terminal, id, json)).status, 200);
      await until(`${width} by ${height}`, async () => (await decoded(page)) === json.payload);
      assert.equal(await page.evaluate(ASTRAY), [], `${width} by ${height}, ${json.payload.length} bytes`);
    }
    assert.is(await page.locator('.hint').isVisible(), true, 'it says that it is a receipt');
    await show(device.terminal, id, { payload: LINK, words: SHORT });
    await page.getByText(SHORT).waitFor();
  }
  assert.is(await page.locator('.picture b').count(), 0);
});

it('it is called a receipt, not a code to pay by, and leaves with the next sale', async (device) => {
  const id = await sellByQR(device, 1000);
  await using page = await browsing.open(`${device.recognition}/display`);
  await show(device.terminal, id, { payload: LINK, words: 'Спасибо!' });
  await until('the receipt', async () => (await decoded(page)) === LINK);
  assert.match(await page.locator('.words').innerText(), /Оплачено\. Ваш чек[\s\S]*Спасибо!/);
  assert.not.match(await page.locator('.words').innerText(), /К оплате/);
  assert.is(await page.locator('.code').getAttribute('aria-label'), 'QR-код чека');
  await call(`${device.terminal}/showQR`, { json: { amount: 4200, purpose: 'Milk' } });
  await until('the payment', async () => (await page.locator('.amount').innerText()).includes('42'));
  assert.not.match(await page.locator('.words').innerText(), /чек|Спасибо/);
  assert.is(await page.locator('.code').getAttribute('aria-label'), 'QR-код для оплаты');
});

test('a device that is killed while a receipt is shown comes back without it', async () => {
  using folder = temporaryFolder();
  const settings = { LANEWARE_SANDBOXBANK_ENABLED: 'true' };
  const first = await startFirmware(folder.path, { settings });
  await using _first = first.program;
  await setUp(first.urls);
  const id = await sellByQR({ ...first.urls, sandbox: first.urls.sandbox ?? '' }, 1000);
  await using page = await browsing.open(`${first.urls.recognition}/display`);
  await show(first.urls.terminal, id, { payload: LINK });
  await until('the receipt', async () => (await decoded(page)) === LINK);
  await first.program.kill('SIGKILL');
  await page.locator('.picture[data-view=lost]').waitFor();
  assert.is(await page.locator('.code path').getAttribute('d'), null, 'nothing of it is left in the page');
  const port = new URL(first.urls.recognition).port;
  const second = await startFirmware(folder.path, { settings: { ...settings, LANEWARE_RECOGNITION_PORT: port } });
  await using _second = second.program;
  await page.locator('.picture[data-view=clear]').waitFor();
  assert.is((await call(`${second.urls.recognition}/display/state`)).body.kind, 'clear');
});

test.run();
