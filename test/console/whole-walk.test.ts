/** From a fresh device to a paid sale and three items that it recognises, without a line of a shell: by keys alone, then by a finger. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { drawTray } from '../recognition/drawn-tray.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { call, startTestDevice, type TestDevice, until } from '../support.ts';
import { finger, type Hands, keyboard } from './hands.ts';
import { browserSuite, PHONE, TILL } from './support.ts';

const { test, browsing } = browserSuite('the whole walk in Chromium');

const SEEING = { LANEWARE_CAMERA_DRIVER: 'push', LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST };

/** What is laid on the tray, seen from a side: the hands of whoever teaches, which no page has. */
const GOODS = [
  {
    plu: '101',
    name: 'Apples',
    look: (side: number) =>
      turned(
        side,
        '<circle cx="640" cy="360" r="130" fill="#c4161c"/>',
        `<circle cx="640" cy="300" r="${40 + side * 8}" fill="#e9c46a"/>`,
      ),
  },
  {
    plu: '102',
    name: 'Tea',
    look: (side: number) =>
      turned(
        side,
        '<rect x="440" y="280" width="400" height="160" fill="#f4f4ee"/>',
        `<rect x="${450 + (side % 5) * 60}" y="300" width="130" height="120" fill="#1f63b0"/>`,
      ),
  },
  {
    plu: '103',
    name: 'Grapes',
    look: (side: number) =>
      turned(
        side,
        [0, 1, 2, 3, 4, 5, 6, 7, 8]
          .map((n) => `<circle cx="${560 + (n % 3) * 80}" cy="${280 + Math.floor(n / 3) * 80}" r="46" fill="#2c8a4b"/>`)
          .join(''),
        `<circle cx="${560 + (side % 3) * 80}" cy="360" r="60" fill="#14401f"/>`,
      ),
  },
] as const;

function turned(side: number, body: string, face: string): string {
  return `<g transform="rotate(${side * 20} 640 360)">${body}${face}</g>`;
}

async function lay({ recognition }: TestDevice, things: string): Promise<void> {
  const body = new Uint8Array(await drawTray({ things }));
  await call(`${recognition}/camera/frame`, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body });
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** On a phone some pages stand behind the last sign of the bar. */
async function goTo(page: Page, hands: Hands, name: string): Promise<void> {
  const link = page.getByRole('navigation').getByRole('link', { name, exact: true });
  const more = page.locator('.rail .more');
  if (!(await link.isVisible()) && (await more.isVisible())) await hands.press(more);
  await hands.press(link);
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

async function pay(page: Page, hands: Hands): Promise<void> {
  await hands.press(button(page, 'Set up for trying'));
  await page.locator('#bank .soft', { hasText: 'Sandbox' }).waitFor();
  await goTo(page, hands, 'Lane');
  await hands.write(page.getByLabel('Amount, roubles'), '123,45');
  await hands.press(button(page, 'Show the code'));
  await hands.press(page.locator('#latest .play').getByRole('button').first());
  await page.locator('#latest .chip', { hasText: 'Paid' }).waitFor();
}

async function teach(page: Page, hands: Hands, device: TestDevice): Promise<void> {
  for (const { plu, name, look } of GOODS) {
    await goTo(page, hands, 'Teach');
    await hands.write(page.getByLabel('Name or PLU'), plu);
    await hands.write(page.getByLabel('Name of the new item'), name);
    await hands.press(button(page, `Teach ${plu} as a new item`));
    await page.locator('#collecting').waitFor();
    await lay(device, look(0));
    await page.getByText('A good look.').waitFor();
    await hands.hold(page.locator('button.hold'), async () => {
      for (let side = 1; !(await page.getByText('Enough: the item is taught').isVisible()); side++) {
        assert.ok(side < 24, 'five looks are found');
        await lay(device, look(side));
        // the first of them may have been on its way when the thing was turned
        for (const _ of ['under way', 'since']) await page.waitForResponse(/camera\/crop/);
      }
    });
    await lay(device, '');
  }
}

async function recognise(page: Page, hands: Hands, device: TestDevice): Promise<void> {
  await goTo(page, hands, 'Lane');
  await page.locator('#tray .chip', { hasText: 'Empty' }).waitFor();
  for (const { name, look } of GOODS) {
    await lay(device, look(2));
    await page.locator('#tray .things', { hasText: name }).waitFor();
    await page.locator('#tray .chip', { hasText: /^Sure$/ }).waitFor();
  }
}

for (const [way, hands, options] of [
  ['by the keyboard alone', keyboard, { viewport: TILL }],
  ['by touch', finger, { viewport: PHONE, hasTouch: true, isMobile: true }],
] as const)
  test(`fresh, paid, three items taught and recognised: ${way}`, async () => {
    await using device = await startTestDevice(SEEING);
    await lay(device, '');
    await until('the model', async () => (await call(`${device.recognition}/v1/recognition`)).status === 200);
    const refused: string[] = [];
    const walk = async (page: Page): Promise<void> => {
      page.on('response', (response) => {
        if (response.status() === 409) refused.push(new URL(response.url()).pathname);
      });
      const using = hands(page);
      await pay(page, using);
      await goTo(page, using, 'Camera');
      await using.press(button(page, 'Learn the empty tray'));
      await using.press(button(page, 'It is empty: learn it'));
      await page.getByText('The empty tray is learned.').waitFor();
      await teach(page, using, device);
      await recognise(page, using, device);
    };
    await browsing.visit(device.recognition, options, walk, /status of 409/);
    // what lay on the tray when the page looked may be taken away before it asks for the picture
    for (const path of refused) assert.is(path, '/v1/camera/crop');
    const { payments } = (await call(`${device.recognition}/v1/payments`)).body;
    assert.is(payments.length, 1);
    assert.is(payments[0].state, 'ACCEPTED');
    const items = (await call(`${device.recognition}/v1/items`)).body.items;
    assert.equal(
      items.map(({ id, templates }: { id: string; templates: number }) => [id, templates]),
      GOODS.map(({ plu }) => [plu, 5]),
    );
  });

test.run();
