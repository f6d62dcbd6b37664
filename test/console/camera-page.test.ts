/** The page of the camera in real Chromium: what is drawn is what the model gets, for any shape of the frame. */
import sharp from 'sharp';
import * as assert from 'uvu/assert';
import { Embedder } from '../../firmware/recognition/embedding/embedder.ts';
import { drawTray } from '../recognition/drawn-tray.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { replaced } from '../replaced.ts';
import { call, startTestDevice, type TestDevice, until } from '../support.ts';
import { findNothing } from './audit.ts';
import { browserSuite, button, PHONE } from './support.ts';

const { test, browsing } = browserSuite('page of the camera in Chromium');

const PUSHED = { LANEWARE_CAMERA_DRIVER: 'push', LANEWARE_MODEL_MANIFEST: 'null' };
const SEEING = { ...PUSHED, LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST };
const THING =
  '<rect x="640" y="200" width="220" height="240" fill="#b3302a"/><rect x="640" y="200" width="110" height="120" fill="#1f63b0"/><rect x="750" y="320" width="110" height="120" fill="#e8d23a"/>';

const put = ({ recognition }: TestDevice, jpeg: Buffer) =>
  call(`${recognition}/camera/frame`, {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg' },
    body: new Uint8Array(jpeg),
  });
/** A drawn tray in the size of a camera; stretched, so that a wrong shape is seen. */
const frame = async (things: string, width: number, height: number): Promise<Buffer> =>
  await sharp(await drawTray({ things }))
    .resize(width, height, { fit: 'fill' })
    .jpeg({ quality: 95 })
    .toBuffer();
const camera = (device: TestDevice) => `${device.recognition}/#/camera`;
const calibration = async ({ recognition }: TestDevice) => (await call(`${recognition}/api/get_calib`)).body.data;

/** Side of what the shipped model is given. */
const SIDE = 224;

/** What the model is given while `work` runs. */
async function givenIn(work: () => Promise<unknown>): Promise<readonly Uint8Array[]> {
  const { embed } = Embedder.prototype;
  const given: Uint8Array[] = [];
  using _ = replaced(Embedder.prototype, 'embed', function (this: Embedder, pixels) {
    given.push(pixels.slice());
    return embed.call(this, pixels);
  });
  await work();
  return given;
}

/** Mean distance of the levels of a part of a picture from what the model was given. */
async function distance(picture: Buffer, part: Box, given: Uint8Array): Promise<number> {
  const region = { left: part.x, top: part.y, width: part.width, height: part.height };
  const whole = Object.fromEntries(Object.entries(region).map(([name, value]) => [name, Math.round(value)]));
  const pixels = await sharp(picture)
    .extract(whole as unknown as Parameters<ReturnType<typeof sharp>['extract']>[0])
    .removeAlpha()
    .resize(SIDE, SIDE, { fit: 'fill' })
    .raw()
    .toBuffer();
  return given.reduce((sum, level, at) => sum + Math.abs(level - (pixels[at] ?? 0)), 0) / given.length;
}
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

for (const [shape, width, height] of [
  ['16:9', 1280, 720],
  ['4:3', 640, 480],
  ['1:1', 256, 256],
] as const) {
  test(`at ${shape} what is drawn as the model's look is what the model was given`, async () => {
    await using device = await startTestDevice(SEEING);
    await put(device, await frame('', width, height));
    await call(`${device.recognition}/api/set_calib`, { json: { left: 200, top: 30, width: 900, height: 660 } });
    await call(`${device.recognition}/api/learn_background`, { method: 'POST' });
    await put(device, await frame(THING, width, height));
    await call(`${device.recognition}/api/set_predict_speed`, { json: { speed: 'fast' } });
    const look = () => call(`${device.recognition}/v1/recognition`);
    await until('the model', async () => (await look()).status === 200);
    // the speed is measured meanwhile, with black pictures
    const given = (await givenIn(look)).find((pixels) => pixels.some((level) => level > 0)) ?? new Uint8Array();
    assert.is(given.length, SIDE * SIDE * 3);
    await using page = await browsing.open(camera(device), { viewport: { width: 1440, height: 1000 } });
    await page.locator('.stage').waitFor();
    assert.is(await page.locator('.overlay .line-look').count(), 0, 'outlines of the model are for few');
    await page.getByText('Advanced').click();
    await page.locator('.overlay .line-look').first().waitFor();
    const box = (await page.locator('.overlay .line-look').first().boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
    const canvas = (await page.locator('.stage canvas').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 1 };
    assert.ok(Math.abs(canvas.width / canvas.height - width / height) < 0.01, 'the frame is shown in its own shape');
    const lined = await page.screenshot();
    const edge = { left: Math.round(box.x), top: Math.round(box.y) - 1, width: Math.round(box.width), height: 2 };
    const dashes = await sharp(lined).extract(edge).removeAlpha().raw().toBuffer();
    const isYellow = dashes.some((level, at) => at % 3 === 0 && level > 200 && (dashes[at + 2] ?? 255) < 90);
    assert.ok(isYellow, 'its line is seen there');
    await page.evaluate("document.querySelector('.overlay').style.visibility = 'hidden'");
    const picture = await page.screenshot();
    const near = await distance(picture, box, given);
    assert.ok(near < 8, `${near} levels from what the model was given`);
    for (const [x, y] of [
      [0.1, 0],
      [0, 0.1],
    ] as const) {
      const beside = { ...box, x: box.x + x * box.width, y: box.y + y * box.height };
      const far = await distance(picture, beside, given);
      assert.ok(far > near * 1.7, `a tenth beside it is another picture: ${far}, ${near}`);
    }
  });
}

test('an item on the tray is not learned as tray: the known one is shown, a changed one learned', async () => {
  await using device = await startTestDevice(SEEING);
  const show = async (things: string) => await put(device, await frame(things, 1280, 720));
  await show('');
  await call(`${device.recognition}/api/learn_background`, { method: 'POST' });
  await show(THING);
  const isEmpty = async () => (await call(`${device.recognition}/console/api/camera`)).body.tray === 'empty';
  await using page = await browsing.open(camera(device), { viewport: PHONE }, /status of 409/);
  await button(page, 'Learn the empty tray').click();
  await button(page, 'Yes, learn it').click();
  await page.getByText('The tray does not look empty.').waitFor();
  const known = page.locator('#learning img');
  const width = () => page.evaluate<number>("document.querySelector('#learning img').naturalWidth");
  await known.waitFor();
  await until('its picture', async () => (await width()) > 0);
  assert.not(await isEmpty());
  await button(page, 'Nothing is on it: learn it').click();
  await page.getByText('Empty tray learned.').waitFor();
  assert.is(await known.count(), 0);
  assert.ok(await isEmpty());
});

test('it recovers by itself from a picture that is not there, and from a call that fails', async () => {
  await using device = await startTestDevice(PUSHED);
  await using page = await browsing.open(camera(device), {}, /status of 503|ERR_FAILED/);
  await page.locator('#camera .problem', { hasText: 'No picture from the camera yet' }).waitFor();
  assert.is(await page.locator('.stage').count(), 0, 'no picture of before stands there');
  await put(device, await frame(THING, 640, 360));
  await page.locator('.stage').waitFor();
  assert.is(await page.locator('#camera .problem').count(), 0);
  let failures = 0;
  await page.route('**/console/api/camera/frame', async (route) => {
    failures += 1;
    await (failures === 1 ? route.abort() : route.continue());
  });
  await page.locator('#camera .problem', { hasText: 'The device is not answering' }).waitFor();
  await page.locator('.stage').waitFor();
  assert.is(await page.locator('#camera .problem').count(), 0);
});

test('the area is dragged, resized, moved by keys and typed, and saved in the frame’s pixels', async () => {
  await using device = await startTestDevice(PUSHED);
  await put(device, await frame(THING, 640, 480));
  await call(`${device.recognition}/api/set_calib`, { json: { left: 400, top: 150, width: 600, height: 300 } });
  await using page = await browsing.open(camera(device));
  await page.getByText('Exact values').click();
  await page.getByText('300 × 200 pixels, 200 from the left and 100 from the top').waitFor();
  await button(page, 'Change area').click();
  const numbers = async () =>
    await Promise.all(['left', 'top', 'width', 'height'].map((name) => page.locator(`#area-${name}`).inputValue()));
  assert.equal(await numbers(), ['200', '100', '300', '200']);
  const grip = page.getByRole('application', { name: 'Recognition area' });
  await until('the area has the focus', () =>
    grip.evaluate((element) => element === element.ownerDocument.activeElement),
  );
  for (const key of ['ArrowRight', 'ArrowDown', 'Shift+ArrowLeft', 'Shift+ArrowUp']) await page.keyboard.press(key);
  assert.equal(await numbers(), ['206', '105', '294', '195']);
  const canvas = (await page.locator('.stage canvas').boundingBox()) ?? { x: 0, y: 0, width: 1, height: 1 };
  const scale = canvas.width / 640;
  const drag = async (fromX: number, fromY: number, byX: number, byY: number) => {
    await page.mouse.move(canvas.x + fromX * scale, canvas.y + fromY * scale);
    await page.mouse.down();
    await page.mouse.move(canvas.x + (fromX + byX) * scale, canvas.y + (fromY + byY) * scale, { steps: 5 });
    await page.mouse.up();
  };
  const is = (name: string, value: number) =>
    until(
      `${name} about ${value}`,
      async () => Math.abs(Number(await page.locator(`#area-${name}`).inputValue()) - value) <= 2,
    );
  await drag(350, 200, 40, 60);
  await is('left', 246);
  await is('top', 165);
  await drag(246, 165, -100, -100);
  await is('left', 146);
  await is('top', 65);
  await is('width', 394);
  await drag(300, 200, -900, 900);
  await is('left', 0);
  assert.is((await numbers())[1], String(480 - Number((await numbers())[3])), 'never outside of the frame');
  await page.locator('#area-width').fill('5000');
  const drawn = (await call(`${device.recognition}/console/api/camera`)).body.frame.number;
  await put(device, await frame('', 640, 480));
  await page.waitForResponse(async (response) => Number(response.headers()['laneware-frame']) > drawn);
  await page.waitForResponse(/camera\/frame$/);
  assert.is(await page.locator('#area-width').inputValue(), '5000', 'what is being typed is left alone');
  await grip.focus();
  await is('width', 640);
  assert.equal((await calibration(device)).width, 600, 'nothing is sent before it is kept');
  const [, top, , height] = (await numbers()).map(Number);
  await button(page, 'Save area').click();
  await page.locator('#area .outcome', { hasText: 'Area saved' }).waitFor();
  const sight = (await call(`${device.recognition}/console/api/camera`)).body;
  assert.equal(sight.area, { left: 0, top, width: 640, height }, 'to the pixel');
});

test('a finger drags the area, and while it is not being changed a finger scrolls the page', async () => {
  await using device = await startTestDevice(PUSHED);
  await put(device, await frame(THING, 1280, 720));
  await call(`${device.recognition}/api/set_calib`, { json: { left: 400, top: 200, width: 400, height: 300 } });
  await using page = await browsing.open(camera(device), { viewport: PHONE, hasTouch: true, isMobile: true });
  await page.locator('.stage').waitFor();
  assert.is(await page.locator('.grip').count(), 0);
  await button(page, 'Change area').tap();
  await page.locator('.stage').scrollIntoViewIfNeeded();
  const canvas = (await page.locator('.stage canvas').boundingBox()) ?? { x: 0, y: 0, width: 1, height: 1 };
  const at = (x: number, y: number) => ({
    x: canvas.x + (x / 1280) * canvas.width,
    y: canvas.y + (y / 720) * canvas.height,
  });
  const touch = await page.context().newCDPSession(page);
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(600, 350)] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(650, 350)] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(700, 400)] });
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await until(
    'the area is moved',
    async () => Math.abs(Number(await page.locator('#area-left').inputValue()) - 500) < 8,
  );
});

test('the empty tray is learned after a question, and what lies there is shown with its box', async () => {
  await using device = await startTestDevice(SEEING);
  const show = async (things: string) => await put(device, await drawTray({ things }));
  const red = (x: number) => `<circle cx="${x}" cy="360" r="110" fill="#b3302a"/>`;
  const blue = (x: number) => `<rect x="${x}" y="240" width="180" height="200" fill="#1f63b0"/>`;
  await show('');
  await until('the model', async () => (await call(`${device.recognition}/v1/recognition`)).status === 200);
  await using page = await browsing.open(camera(device));
  await page.getByText('does not know the empty tray yet').waitFor();
  await button(page, 'Learn the empty tray').click();
  await button(page, 'Cancel').click();
  const isLearned = (await call(`${device.recognition}/console/api/camera`)).body.learned;
  assert.is(isLearned, false, 'the question was answered by no');
  await button(page, 'Learn the empty tray').click();
  await button(page, 'Yes, learn it').click();
  await page.getByText('Empty tray learned').waitFor();
  await show('');
  await page.getByText('The tray is empty.').waitFor();
  await call(`${device.recognition}/v1/items/4130`, { method: 'PUT', json: { name: 'Pink <b>Lady</b>' } });
  for (const [id, thing] of [
    ['4130', red(640)],
    ['blue', blue(550)],
  ] as const) {
    await show(thing);
    for (let time = 0; time < 3; time++)
      await call(`${device.recognition}/v1/items/${id}/templates`, { method: 'POST' });
  }
  await show(red(450) + blue(740));
  const advice = page.getByText(/^Several items: leave one\. 1: .*; 2: /);
  await advice.waitFor();
  assert.match(await advice.innerText(), 'Pink <b>Lady</b> (4130)', 'markup is text');
  assert.match(await advice.innerText(), 'blue');
  await until('a box for each', async () => (await page.locator('.overlay .line-thing').count()) === 2);
  await button(page, 'RU').click();
  await page.getByText(/^Товаров несколько: оставьте один\. 1: /).waitFor();
  // either may have been measured
  assert.is(await page.getByLabel('Обычная').isVisible(), false);
  await page.getByText('Дополнительно').click();
  await page.getByLabel('Обычная').check();
  await page.getByLabel('Быстрая').check();
  await page.getByText('Задана вручную').waitFor();
  const { parts } = (await call(`${device.recognition}/health`)).body.data;
  const { speed } = parts.find(({ part }: { part: string }) => part === 'model');
  assert.is(speed, 'fast');
});

test('without a camera the page says so, and nothing of it is wider than the narrowest phone', async () => {
  await using none = await startTestDevice();
  await browsing.visit(
    camera(none),
    {},
    (page) => page.getByText('This device has no camera').waitFor(),
    /status of 503/,
  );
  await using device = await startTestDevice(PUSHED);
  await put(device, await frame(THING, 256, 256));
  const narrow = { viewport: { width: 320, height: 640 }, locale: 'ru-RU' };
  await using page = await browsing.open(camera(device), narrow);
  await button(page, 'Изменить область').click();
  for (const door of ['Точные значения', 'Дополнительно']) await page.getByText(door).click();
  await findNothing(page, 'the area in numbers', null, (problem) => problem.includes('TEST0001'));
});

test.run();
