/** The page of a scale in real Chromium: recognised, chosen, taken back, sought, several, dark screens of every size. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { EventReader } from '../events.ts';
import { BLUE, halves, RED } from '../recognition/drawn-tray.ts';
import { atEnd, call, each, opening, startTestDevice, type TestDevice, until } from '../support.ts';
import { findNothing } from './audit.ts';
import {
  awaitSight,
  browserSuite,
  button,
  focused,
  Gate,
  learnEmptyTray,
  PHONE,
  REFUSED,
  RU,
  SEEING,
  settled,
  show,
} from './support.ts';

const { test, browsing } = browserSuite('page of a scale in Chromium');
const it = each(test, opening(learned));

const SCREENS = [
  { width: 1024, height: 600 },
  { width: 1280, height: 800 },
  { width: 600, height: 1024 },
  PHONE,
] as const;
/** How many tiles are on the screen with all that is said on them, nothing cut off. */
const WHOLE = `[...document.querySelectorAll('.tiles .tile')].filter((tile) => {
  const { top, bottom } = tile.getBoundingClientRect();
  const words = tile.querySelector('.words').getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && words.bottom <= bottom && words.top > top;
}).length`;
const ITEMS = { red: ['Tomatoes', 19_900, RED], blue: ['Milk', 8990, BLUE] } as const;
const RUSSIAN = ['Помидоры', 'Молоко', 'Бананы', 'Сливы', 'Кукуруза', 'Хлеб ржаной', 'Лук-порей'];
const GREEN = ['#2c8a4b', '#3fae63'] as const;
/** With those above as many as a screen shows. */
const MORE = {
  plums: ['#5b2a86', '#7a3fb0'],
  corn: ['#d9b21f', '#f0d75a'],
  rye: ['#5a3a1e', '#8a6238'],
  leek: GREEN,
} as const;
const alone = (colours: readonly [string, string]) => halves(480, 200, 300, colours);

async function teach(device: TestDevice, id: string, things: string, times: number): Promise<void> {
  await show(device, things);
  for (let time = 0; time < times; time++)
    await call(`${device.recognition}/v1/items/${id}/templates`, { method: 'POST' });
}

async function learned(): Promise<TestDevice> {
  const device = await startTestDevice(SEEING);
  await learnEmptyTray(device);
  for (const [id, [name, price, colours]] of Object.entries(ITEMS)) {
    await call(`${device.recognition}/v1/items/${id}`, { method: 'PUT', json: { name, price, plu: `4${price}` } });
    await teach(device, id, alone(colours), 3);
  }
  await call(`${device.recognition}/v1/items/4011`, { method: 'PUT', json: { name: 'Bananas', price: 12_990 } });
  await show(device, '');
  return device;
}

const open = (page: Page) => page.locator('.scale-page').waitFor();
const sign = (page: Page, text: string) => page.locator('.sign p', { hasText: text }).waitFor();
const one = (page: Page, text: string) => page.locator('.one', { hasText: text }).waitFor();
const tile = (page: Page, name: string) => page.locator('.tiles .tile', { hasText: name });

/** A tile to choose from, or the one that is certain. */
async function seen(page: Page, offered: string, certain: string): Promise<void> {
  const either = tile(page, offered).or(page.locator('.one', { hasText: certain }));
  await either.first().waitFor();
}

/** Tiles to choose from, whether or not it was certain. */
async function choosing(page: Page): Promise<void> {
  await seen(page, 'Tomatoes', 'Tomatoes');
  if ((await page.locator('.one').count()) > 0) await button(page, 'Not this item').click();
}

interface Said {
  readonly type: string;
  readonly chosen?: { readonly recognition: string };
  readonly takenBack?: { readonly recognition: string };
}

/** The recognition that the next event of a type names. */
async function recognitionOf(events: EventReader<Said>, type: string): Promise<string | undefined> {
  for (;;) {
    const event = await events.next();
    if (event === null) throw new Error('the stream has ended');
    const { chosen, takenBack } = event.data;
    if (event.name === type) return (chosen ?? takenBack)?.recognition;
  }
}

it('recognised, taken back, chosen by a tap, and sought by its code; the till follows', async (device) => {
  await using page = await browsing.open(`${device.recognition}/scale`, {}, REFUSED);
  await sign(page, 'Place an item');
  await show(device, alone(RED));
  await choosing(page);
  await tile(page, 'Milk').click();
  await one(page, 'Milk');
  await page.locator('.chip', { hasText: 'Chosen' }).waitFor();
  await using events = await EventReader.open<Said>(`${device.recognition}/v1/recognition/events`);
  await button(page, 'Not this item').click();
  const first = await recognitionOf(events, 'item.taken_back');
  for (const pressed of ['Another item', 'Back', 'Another item']) {
    await button(page, pressed).click();
    if (pressed !== 'Back') assert.is(await focused(page), 'sought');
  }
  for (const key of ['4', '0', '1']) await button(page, key).click();
  await tile(page, 'Bananas').click();
  await one(page, 'Bananas');
  const other = await recognitionOf(events, 'item.chosen');
  assert.is.not(other, first, 'the first look was answered already');
  await button(page, 'Not this item').click();
  assert.is(await recognitionOf(events, 'item.taken_back'), other, 'what was chosen is taken back');
  const { body } = await call(`${device.recognition}/console/api/recognition/ranks?days=1`);
  const counted = body.positions.reduce((sum: number, count: number) => sum + count, body.none);
  assert.equal([counted, body.none], [2, 1], 'two taps, the second of an item that was not offered');
  await show(device, '');
  await sign(page, 'Place an item');
});

/** The share of the place of the tiles that they take. */
const TAKEN = `(() => {
  const area = ({ width, height }) => width * height;
  const place = area(document.querySelector('.on-scale').getBoundingClientRect());
  const tiles = [...document.querySelectorAll('.on-scale > .tiles .tile')];
  return tiles.reduce((sum, tile) => sum + area(tile.getBoundingClientRect()), 0) / place;
})()`;

/** Makes them six, of which a device that knows little has fewer. */
const SIX = `(() => {
  const list = document.querySelector('.on-scale > .tiles');
  while (list.children.length < 6) list.append(list.firstElementChild.cloneNode(true));
})()`;

it('what was learned and never named is found by its code; a few tiles share the whole place', async (device) => {
  await teach(device, '77013', alone(GREEN), 1);
  await show(device, alone(RED));
  await using page = await browsing.open(`${device.recognition}/scale`);
  await choosing(page);
  for (const viewport of SCREENS) {
    await page.setViewportSize(viewport);
    await page.evaluate(SIX);
    for (const shown of [6, 5, 4, 3, 2, 1]) {
      const isFew = `[...document.querySelectorAll('.tiles > li')].slice(${shown}).forEach((tile) => tile.remove())`;
      await page.evaluate(isFew);
      const least = shown === 5 ? 0.75 : 0.9;
      const taken = Number(await page.evaluate(TAKEN));
      assert.ok(taken > least, `${shown} tiles on ${JSON.stringify(viewport)}: ${taken}`);
    }
    await page.reload();
    await choosing(page);
  }
  await button(page, 'Another item').click();
  await page.locator('#sought').fill('7701');
  await page.locator('.hits .tile', { hasText: '77013' }).click();
  await one(page, '77013');
  await button(page, 'Not this item').click();
  await button(page, 'Another item').click();
  await page.locator('#sought').fill('4011');
  await page.locator('.hits .tile', { hasText: 'Bananas' }).waitFor();
  assert.is(await page.locator('.hits .tile').count(), 1, 'none twice');
});

it('a tap counts for what lay there when it was made, and the next thing can be tapped at once', async (device) => {
  await show(device, alone(RED));
  await using page = await browsing.open('about:blank');
  const gate = await Gate.at(page, '**/feedback', 'call', (method) => method === 'POST');
  await page.goto(`${device.recognition}/scale`);
  await choosing(page);
  await tile(page, 'Milk').click();
  await until('the tap', () => gate.count === 1);
  await page.locator('.on-scale[aria-busy=true]').waitFor();
  await show(device, alone(GREEN));
  await page.locator('.on-scale[aria-busy=false]').waitFor(); // the tap is not waited for: the tray has changed
  await tile(page, 'Tomatoes').click();
  await until('the next tap', () => gate.count === 2);
  gate.letGo();
  await one(page, 'Tomatoes');
  await until('both answers', () => gate.answered === 2);
  await settled(page);
  await one(page, 'Tomatoes');
});

it('what was answered otherwise before the tray changed is not booked for the next thing', async (device) => {
  await show(device, alone(RED));
  await using page = await browsing.open('about:blank', {}, REFUSED);
  const gate = await Gate.at(page, '**/feedback', 'call', (method) => method === 'POST');
  await page.goto(`${device.recognition}/scale`);
  await choosing(page);
  const { id } = (await call(`${device.recognition}/v1/recognition?wait=1`)).body;
  await tile(page, 'Milk').click();
  await until('the tap', () => gate.count === 1);
  await call(`${device.recognition}/v1/recognition/${id}/feedback`, { json: { item: '4011' } });
  await show(device, '');
  await sign(page, 'Place an item');
  await show(device, alone(GREEN));
  await page.locator('.tiles').waitFor();
  gate.letGo();
  await until('the answer', () => gate.answered === 1);
  await settled(page);
  assert.equal([gate.count, await page.locator('.one').count()], [1, 0]);
  assert.is(await page.locator('.outcome.failed').count(), 0, 'nor is it a failure of what lies there now');
});

it('a choice is on the other screen too, and after a reload; the focus stays, no tile moves', async (device) => {
  await show(device, alone(RED));
  await using page = await browsing.open(`${device.recognition}/scale`);
  const gate = await Gate.at(page, '**/feedback', 'call', (method) => method === 'POST');
  await choosing(page);
  const other = await page.context().newPage();
  await other.goto(`${device.recognition}/scale`);
  await seen(other, 'Milk', 'Tomatoes');
  const place = () => page.locator('.on-scale').boundingBox();
  const before = await place();
  await tile(page, 'Milk').focus();
  await page.keyboard.press('Enter');
  await page.getByText('One moment').waitFor();
  assert.equal(await place(), before);
  gate.letGo();
  await one(page, 'Milk');
  assert.is(await page.evaluate('document.activeElement.className'), 'on-scale');
  await one(other, 'Milk');
  await page.reload();
  await one(page, 'Milk');
  await page.locator('.chip', { hasText: 'Chosen' }).waitFor();
  await button(page, 'Not this item').click();
  await tile(other, 'Milk').waitFor();
});

it('an exact code comes before codes that contain it; a picture that fails becomes letters', async (device) => {
  for (const id of ['a', 'b', 'c', 'd', 'e', 'f'])
    await call(`${device.recognition}/v1/items/${id}`, {
      method: 'PUT',
      json: { name: `Pasta ${id}`, plu: `17${id}` },
    });
  await call(`${device.recognition}/v1/items/z`, { method: 'PUT', json: { name: 'Zucchini', plu: '17' } });
  await show(device, alone(GREEN));
  await using page = await browsing.open('about:blank', {}, REFUSED);
  await page.route('**/picture', (route) => route.fulfill({ status: 404 }));
  await page.goto(`${device.recognition}/scale`);
  await tile(page, 'Milk').locator('.letters').waitFor();
  await button(page, 'Another item').click();
  await page.locator('#sought').fill('17');
  await page.locator('.hits .tile').first().waitFor();
  assert.match(await page.locator('.hits .tile').first().innerText(), /Zucchini/);
  assert.is(await page.locator('.hits .tile').count(), 6);
  await page.getByRole('link', { name: 'Teach an item' }).click();
  await page.getByRole('link', { name: 'What is on the scale' }).click();
  await page.locator('.scale-page').waitFor();
});

it('several things: one tile each, each chosen for itself', async (device) => {
  await using page = await browsing.open(`${device.recognition}/scale`);
  await show(device, halves(320, 240, 220, RED) + halves(700, 240, 190, BLUE));
  await tile(page, 'Milk').waitFor();
  assert.is(await page.locator('.tiles .tile').count(), 2);
  for (const name of ['Tomatoes', 'Milk']) {
    await tile(page, name).first().click();
    await button(page, 'Back').waitFor();
    if ((await page.locator('.one').count()) > 0) await button(page, 'Not this item').click();
    await tile(page, name).first().click();
    await page.locator('.tile.known', { hasText: name }).waitFor();
  }
  assert.is(await page.locator('.tile.known').count(), 2);
  const displaced = `[...document.querySelectorAll('.tile')].filter(
    (tile) => tile.getBoundingClientRect().top !== tile.parentElement.getBoundingClientRect().top).length`;
  assert.is(await page.evaluate(displaced), 0, 'a chosen one stands where it stood');
});

it('typed text outlives a small move, the tap means the new place, another thing clears it', async (device) => {
  const at = (x: number) => halves(x, 200, 300, GREEN);
  const state = async () => (await call(`${device.recognition}/v1/recognition?wait=1`)).body.number;
  await show(device, at(480));
  await using page = await browsing.open(`${device.recognition}/scale`);
  await choosing(page);
  await button(page, 'Another item').click();
  await page.locator('#sought').fill('4011');
  await tile(page, 'Bananas').waitFor();
  const before = await state();
  await show(device, at(500));
  await until('another look', async () => (await state()) > before);
  await settled(page);
  assert.is(await page.locator('#sought').inputValue(), '4011');
  assert.equal([await focused(page), await page.locator('.asks').innerText()], ['sought', 'Find the item']);
  await tile(page, 'Bananas').click();
  await one(page, 'Bananas');
  await button(page, 'Not this item').click();
  await button(page, 'Another item').click();
  await page.locator('#sought').fill('4011');
  await show(device, '');
  await sign(page, 'Place an item');
  await show(device, at(480));
  await choosing(page);
  assert.is(await page.locator('#sought').count(), 0);
});

test('what is certain of several is chosen already, and can be taken back', async () => {
  await using device = await startTestDevice(SEEING);
  await learnEmptyTray(device);
  const leaf = (x: number) => `<circle cx="${x}" cy="360" r="120" fill="#2c8a4b"/>`;
  for (const [id, things] of [
    ['Tomatoes', halves(480, 200, 300, RED)],
    ['Lettuce', leaf(640)],
  ] as const)
    await teach(device, id, things, 6); // with fewer a lead may be too small to be certain
  await show(device, halves(320, 240, 220, RED) + leaf(820));
  await using page = await browsing.open(`${device.recognition}/scale`);
  const recognised = page.locator('.tile.known', { hasText: 'Recognised' });
  await recognised.nth(1).waitFor();
  const asks = page.locator('.asks');
  assert.is(await asks.innerText(), '', 'nothing is asked');
  await recognised.filter({ hasText: 'Tomatoes' }).click();
  await one(page, 'Tomatoes');
  await button(page, 'Back').click();
  await recognised.filter({ hasText: 'Tomatoes' }).click();
  await button(page, 'Not this item').click();
  await tile(page, 'Tomatoes').waitFor();
  await button(page, 'Back').click();
  await tile(page, 'Tap to choose').click();
  await tile(page, 'Lettuce').click();
  await page.locator('.tile.known', { hasText: 'Chosen' }).waitFor();
  assert.is(await recognised.count(), 1);
});

test('in the dark an item can be sought, and taught', async () => {
  await using device = await startTestDevice(SEEING);
  await awaitSight(device);
  await call(`${device.recognition}/v1/items/4011`, { method: 'PUT', json: { name: 'Bananas' } });
  await show(device, alone(RED), [0.1, 0.1, 0.1]);
  await using page = await browsing.open(`${device.recognition}/scale`);
  await sign(page, 'Too dark');
  await page.getByRole('link', { name: 'Teach an item' }).waitFor();
  await button(page, 'Another item').click();
  await page.locator('#sought').fill('4011');
  await tile(page, 'Bananas').click();
  await one(page, 'Bananas');
});

it('any screen shows six tiles at once, nothing moves while drawn, and axe finds nothing', async (device) => {
  for (const [id, colours] of Object.entries(MORE)) await teach(device, id, alone(colours), 1);
  const unsure = '<circle cx="640" cy="360" r="150" fill="#2c8a4b"/>';
  for (const viewport of SCREENS)
    await browsing.visit('about:blank', { viewport }, async (page) => {
      await show(device, unsure);
      await page.addInitScript(
        'window.shift = 0; new PerformanceObserver((list) => { for (const each of list.getEntries()) window.shift += each.value; }).observe({ type: "layout-shift", buffered: true })',
      );
      await page.goto(`${device.recognition}/scale`);
      await page.locator('.tiles .tile').first().waitFor();
      const fits =
        'document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth';
      assert.is(await page.evaluate(fits), true, JSON.stringify(viewport));
      assert.is(await page.evaluate(WHOLE), 6, JSON.stringify(viewport));
      await show(device, '');
      await sign(page, 'Place an item');
      await show(device, alone(RED));
      await page.locator('.on-scale .tile').first().waitFor();
      await settled(page);
      assert.is(await page.evaluate('window.shift'), 0, JSON.stringify(viewport));
    });
  const names = ['red', 'blue', '4011', ...Object.keys(MORE)].map((id, at) => [id, RUSSIAN[at]] as const);
  for (const [options, other, isRussian] of [
    [{}, 'Another item', false],
    [RU, 'Найти товар', true],
  ] as const) {
    await show(device, unsure);
    for (const [id, name] of isRussian ? names : [])
      await call(`${device.recognition}/v1/items/${id}`, { method: 'PUT', json: { name, plu: '1', price: 12_990 } });
    await using page = await browsing.open(`${device.recognition}/scale`, options);
    await page.locator('.tiles .tile').first().waitFor();
    await findNothing(page, `tiles ${isRussian}`, null);
    await button(page, other).click();
    await page.locator('#sought').fill(isRussian ? 'о' : 'o');
    await page.locator('.hits .tile').first().waitFor();
    await page.locator('.hits img').first().waitFor();
    await findNothing(page, `search ${isRussian}`, null);
  }
});

test('a device whose model does not run says that the tray is unknown, and is not waited for', async () => {
  await using device = await startTestDevice({ LANEWARE_CAMERA_DRIVER: 'push' }); // and the manifest of no model
  await show(device, alone(RED));
  await using page = await browsing.open(`${device.recognition}/scale`);
  await page.locator('.advice', { hasText: 'The tray cannot be seen' }).waitFor();
  assert.is(await page.locator('.sign').count(), 0);
});

test('in Russian, and a device that does not answer leaves nothing to tap', async () => {
  const device = await learned();
  let isGone = false;
  const go = async () => {
    if (!isGone) await device[Symbol.asyncDispose]();
    isGone = true;
  };
  await using _end = atEnd(() => go());
  await show(device, alone(BLUE));
  await using page = await browsing.open(`${device.recognition}/scale`, RU);
  await open(page);
  await seen(page, 'Milk', 'Milk');
  await go();
  await sign(page, 'Устройство не отвечает');
  assert.is(await page.locator('.scale-page .tile').count(), 0);
  await page.locator('.banner').waitFor();
});

test.run();
