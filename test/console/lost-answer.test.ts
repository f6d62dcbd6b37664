/** A deed with money whose answer gets lost, or that is sent twice: it is carried out once, however often a person presses. */
import type { Page, Request } from 'playwright-core';
import * as assert from 'uvu/assert';
import { call, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { browserSuite, button } from './support.ts';

const { test, browsing } = browserSuite('answers that get lost in Chromium');

const all = async ({ terminal }: TestDevice) => (await call(`${terminal}/v1/payments`)).body.payments;
const refunds = async ({ terminal }: TestDevice, id: string) =>
  (await call(`${terminal}/v1/payments/${id}/refunds`)).body.refunds;

/** The device carries the first such call out, and the page never hears of it. @returns the keys of all of them */
async function loseFirst(page: Page, path: string): Promise<readonly (string | undefined)[]> {
  const keys: (string | undefined)[] = [];
  const note = (request: Request) => keys.push(request.headers()['idempotency-key']);
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    note(route.request());
    if (keys.length > 1) return route.continue();
    await route.fetch();
    await route.abort('connectionrefused');
  });
  return keys;
}

test('a sale whose answer is lost is the same sale when it is asked for again, and the next is another', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await browsing.visit(device.recognition, {}, async (page) => {
    const keys = await loseFirst(page, '**/v1/payments');
    const ask = async (amount = '55'): Promise<void> => {
      await page.getByLabel('Amount, roubles').fill(amount);
      await button(page, 'Show the code').click();
    };
    await until('it can be asked', () => button(page, 'Show the code').isEnabled());
    await ask();
    await page.locator('#ask .outcome.failed').waitFor();
    assert.is(await page.getByLabel('Amount, roubles').inputValue(), '55', 'nothing typed is lost');
    await ask();
    await page.locator('#ask .outcome.done').waitFor();
    assert.is((await all(device)).length, 1);
    await ask('66');
    await until('the next is sent', () => keys.length === 3);
    const [first, again, next] = keys;
    assert.is(first, again);
    assert.is.not(again, next);
  });
});

test('a sale that the device says is to be sent again has the key of before; one that is used up another', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const work = async (page: Page) => {
    const keys: (string | undefined)[] = [];
    await page.route('**/v1/payments', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 2) return route.continue();
      const json = { code: 'Internal.StorageFull', detail: 'no room', repeat: keys.length === 1 };
      await route.fulfill({ status: 503, json });
    });
    await until('it can be asked', () => button(page, 'Show the code').isEnabled());
    for (const count of [1, 2, 3]) {
      await page.getByLabel('Amount, roubles').fill('55');
      await button(page, 'Show the code').click();
      await until('it is sent', () => keys.length === count);
      await page.locator(count < 3 ? '#ask .outcome.failed' : '#ask .outcome.done').waitFor();
    }
    const [first, again, next] = keys;
    assert.is(first, again);
    assert.is.not(again, next);
  };
  await browsing.visit(device.recognition, {}, work, /status of 503/);
});

test('money whose return was asked for without an answer goes back once; two clicks at once are one', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'receipt 1' };
  const body = JSON.stringify({ amount: 5000 });
  const { id } = (await call(`${device.terminal}/v1/payments`, { method: 'POST', headers, body })).body;
  await call(`${device.recognition}/v1/sandbox/payments/${id}`, { json: { does: 'pay' } });
  await until('it is paid', async () => (await all(device))[0].state === 'ACCEPTED');
  await browsing.visit(`${device.recognition}/#/payments/${id}`, {}, async (page) => {
    const keys = await loseFirst(page, '**/refunds');
    const question = page.getByRole('dialog');
    const give = async (): Promise<void> => {
      await page.getByLabel('How much, roubles').fill('20');
      await button(page, 'Give back').click();
      await question.getByRole('button', { name: 'Give back' }).evaluate((yes: { click(): void }) => {
        yes.click();
        yes.click();
      });
    };
    await give();
    await until('the first was sent', () => keys.length === 1);
    await page.locator('.outcome.failed').first().waitFor();
    await give();
    await until('it was sent again', () => keys.length === 2);
    await page.locator('#payment .chip', { hasText: 'a part given back' }).waitFor();
    assert.is((await refunds(device, id)).length, 1);
    assert.is(keys[0], keys[1]);
    await button(page, 'Give back').click();
    await question.getByRole('button', { name: 'Leave it' }).press('Enter');
    await page.locator('button:focus', { hasText: 'Give back' }).waitFor(); // who leaves a question is where it was asked
    assert.is(await question.count(), 0);
  });
});

test.run();
