/** The way from a fresh device to a paid sale and items that it recognises, step by step, with the pages alone. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { call, type TestDevice } from '../support.ts';
import type { Hands } from './hands.ts';
import { button, show } from './support.ts';

type Place = Pick<TestDevice, 'recognition'>;

/** What is laid on the tray, seen from a side: the hands of the person who teaches, which no page has. */
export const GOODS = [
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

export type Good = (typeof GOODS)[number];

/** On a phone some pages stand behind the last sign of the bar. */
async function goTo(page: Page, hands: Hands, name: string): Promise<void> {
  const link = page.getByRole('navigation').getByRole('link', { name, exact: true });
  const more = page.locator('.rail .more');
  if (!(await link.isVisible()) && (await more.isVisible())) await hands.press(more);
  await hands.press(link);
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
}

async function pay(page: Page, hands: Hands): Promise<void> {
  await hands.press(button(page, 'Set up for testing'));
  await page.locator('#bank .soft', { hasText: 'Test bank' }).waitFor();
  await hands.press(page.getByRole('link', { name: 'Open Checkout' }));
  await hands.write(page.getByLabel('Amount (roubles)'), '123,45');
  await hands.press(button(page, 'Show QR code'));
  await hands.press(page.locator('#latest .play').getByRole('button').first());
  await page.locator('#latest .chip', { hasText: 'Paid' }).waitFor();
}

async function learnEmptyTray(page: Page, hands: Hands): Promise<void> {
  await goTo(page, hands, 'Set up');
  await page.getByText('Step 4 of 5').waitFor();
  await hands.press(page.getByRole('link', { name: 'Open Camera' }));
  await hands.press(button(page, 'Learn the empty tray'));
  await hands.press(button(page, 'Yes, learn it'));
  await page.getByText('Empty tray learned.').waitFor();
}

async function teach(page: Page, hands: Hands, device: Place, { plu, name, look }: Good): Promise<void> {
  await goTo(page, hands, 'Set up');
  await page.getByText('Step 5 of 5').waitFor();
  await hands.press(page.getByRole('link', { name: 'Teach items' }));
  await hands.write(page.getByLabel('Name or PLU'), plu);
  await hands.write(page.getByLabel('Name of the new item'), name);
  await hands.press(button(page, `Create and teach ${plu}`));
  await page.locator('#collecting').waitFor();
  await show(device, look(0));
  await page.getByText('Looks good.').waitFor();
  await hands.hold(page.locator('button.hold'), async () => {
    for (let side = 1; !(await page.getByText('Done. Take the item off').isVisible()); side++) {
      assert.ok(side < 24, 'five looks are found');
      await show(device, look(side));
      // the first of them may have been on its way when the thing was turned
      for (const _ of ['under way', 'since']) await page.waitForResponse(/camera\/crop/);
    }
  });
  await show(device, '');
}

async function recognise(page: Page, hands: Hands, device: Place, goods: readonly Good[]): Promise<void> {
  await goTo(page, hands, 'Set up');
  if (goods.length >= 3) await page.locator('#ready .primary', { hasText: 'Open Checkout' }).waitFor();
  await hands.press(page.getByRole('link', { name: 'Open Checkout' }));
  await page.locator('#tray .sign.empty').waitFor();
  for (const { name, look } of goods) {
    await show(device, look(2));
    await page.locator('#tray .one .tile', { hasText: name }).waitFor();
    await page.locator('#tray .one .chip', { hasText: 'Recognised' }).waitFor();
  }
}

/** What a browser says of a picture of something that was taken away before it was asked for. */
export const TAKEN_AWAY = /status of 409/;

/** Walks the whole way, and looks at what the device has of it then. */
export async function walk(page: Page, hands: Hands, device: Place, goods: readonly Good[]): Promise<void> {
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 409) refused.push(new URL(response.url()).pathname);
  });
  await pay(page, hands);
  await learnEmptyTray(page, hands);
  for (const good of goods) await teach(page, hands, device, good);
  await recognise(page, hands, device, goods);
  for (const path of refused) assert.is(path, '/console/api/camera/crop');
  const { payments } = (await call(`${device.recognition}/v1/payments`)).body;
  const sold = payments.map(({ state, amount }: { state: string; amount: number }) => [state, amount]);
  assert.equal(sold, [['ACCEPTED', 12_345]]);
  const { items } = (await call(`${device.recognition}/v1/items`)).body;
  const taught = items.map(({ id, templates }: { id: string; templates: number }) => [id, templates]);
  assert.equal(
    taught,
    goods.map(({ plu }) => [plu, 5]),
  );
}
