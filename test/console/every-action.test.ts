/** What a person has a page do, and what goes wrong with it on the way: it is done once, and nothing that was typed is lost. */
import type { Locator, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { call, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { browserSuite, button, Gate, live, paid, payment, setPin, typePin } from './support.ts';

const { test, browsing } = browserSuite('every action');

const [PIN, OTHER_PIN] = ['739105', '916370'];
/** What the browser says of calls that are refused, or lost, or that need a model. */
const PROVOKED = /status of (4\d\d|503)|ERR_FAILED/;

interface Action {
  readonly what: string;
  /** Makes what it is about. @returns where it is done */
  open(device: TestDevice): Promise<string>;
  /** What stands before it, as the choice of a form. */
  prepare?(page: Page): Promise<unknown>;
  readonly field: (page: Page) => Locator;
  readonly typed: string;
  /** All but the last press. */
  lead?(page: Page): Promise<void>;
  readonly last: (page: Page) => Locator;
  readonly path: string;
  readonly outcome: string;
  /** How often the device has done it. */
  done(device: TestDevice, hash: string): Promise<number>;
  /** It is sent with a key, by which the device knows it again. */
  readonly isKeyed: boolean;
}

const one = (isDone: boolean): number => (isDone ? 1 : 0);
const idIn = (hash: string): string => hash.split('/').at(-1) ?? '';

const ACTIONS: readonly Action[] = [
  {
    what: 'a sale',
    open: (device) => setUp(device).then(() => 'lane'),
    field: (page) => page.getByLabel('Amount (roubles)'),
    typed: '55',
    last: (page) => button(page, 'Show QR code'),
    path: '**/v1/payments',
    outcome: '#ask .outcome',
    done: async ({ terminal }) => (await call(`${terminal}/v1/payments`)).body.payments.length,
    isKeyed: true,
  },
  {
    what: 'a refund',
    open: async (device) => {
      await setUp(device);
      return `payments/${await paid(device, 5000)}`;
    },
    field: (page) => page.getByLabel('Refund amount (roubles)'),
    typed: '20',
    lead: (page) => button(page, 'Refund').click(),
    last: (page) => button(page.getByRole('dialog'), 'Refund'),
    path: '**/refunds',
    outcome: '.outcome',
    done: async (device, hash) => (await payment(device, idIn(hash))).refunds.length,
    isKeyed: true,
  },
  {
    what: 'the price of an item',
    open: async ({ recognition }) => {
      await call(`${recognition}/v1/items/7`, { method: 'PUT', json: { name: 'Tea' } });
      return 'items/7';
    },
    field: (page) => page.getByLabel('Price (roubles)'),
    typed: '99.90',
    last: (page) => button(page, 'Save'),
    path: '**/v1/items/7',
    outcome: '#naming .outcome',
    done: async ({ recognition }) => one((await call(`${recognition}/v1/items/7`)).body.price === 9990),
    isKeyed: false,
  },
  {
    what: 'a bank',
    open: async () => 'welcome',
    prepare: (page) => page.locator('#bank-name').selectOption('Static'),
    field: (page) => page.locator('#field-staticQR'),
    typed: 'https://example.org/pay',
    last: (page) => page.locator('#bank [type=submit]'),
    path: '**/console/api/settings',
    outcome: '#bank .outcome',
    done: async ({ recognition }) =>
      one((await call(`${recognition}/console/api/settings`)).body.settings.bankProfile !== ''),
    isKeyed: false,
  },
];

interface Scene {
  readonly page: Page;
  readonly device: TestDevice;
  readonly action: Action;
  type(): Promise<void>;
  press(): Promise<void>;
  ended(stage: 'done' | 'failed'): Promise<void>;
  done(): Promise<number>;
}

/** Runs `work` for each action, on a device and a page of its own. */
function forEach(what: string, work: (scene: Scene) => Promise<void>): void {
  for (const action of ACTIONS)
    test(`${action.what}: ${what}`, async () => {
      await using device = await startTestDevice();
      const hash = await action.open(device);
      const visit = async (page: Page) => {
        await live(page);
        await work({
          page,
          device,
          action,
          type: async () => {
            await action.prepare?.(page);
            await action.field(page).fill(action.typed);
          },
          press: async () => {
            await action.lead?.(page);
            await action.last(page).click();
          },
          ended: (stage) => page.locator(`${action.outcome}.${stage}`).first().waitFor({ state: 'attached' }),
          done: () => action.done(device, hash),
        });
      };
      await browsing.visit(`${device.recognition}/#/${hash}`, {}, visit, PROVOKED);
    });
}

/** Answers the first such action in another way. @returns the keys of all of them */
async function spoilFirst(page: Page, path: string, spoil: Parameters<Page['route']>[1]) {
  const keys: (string | undefined)[] = [];
  await page.route(path, async (route, request) => {
    if (request.method() === 'GET') return route.continue();
    keys.push(request.headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    await spoil(route, request);
  });
  return keys;
}

forEach('a lost answer is reported; pressed again it is the same one, and the next is another', async (scene) => {
  const { page, action, type, press, ended, done } = scene;
  const keys = await spoilFirst(page, action.path, async (route) => {
    await route.fetch();
    await route.abort('connectionrefused');
  });
  await type();
  await press();
  await ended('failed');
  assert.is(await action.field(page).inputValue(), action.typed, 'nothing typed is lost');
  await press();
  await ended('done');
  assert.is(await done(), 1);
  assert.is(keys[0], keys[1]);
  assert.is(keys[0] !== undefined, action.isKeyed);
  if (!action.isKeyed) return;
  await until('the next can be typed', async () => (await action.field(page).inputValue()) !== action.typed);
  await type();
  await press();
  await until('the next is sent', () => keys.length === 3);
  assert.is.not(keys[2], keys[1]);
});

forEach('a device that has no room says so; what is typed stands there, and is done when there is', async (scene) => {
  const { page, action, type, press, ended, done } = scene;
  const keys = await spoilFirst(page, action.path, (route) =>
    route.fulfill({ status: 503, json: { code: 'Internal.StorageFull', detail: 'no room' } }),
  );
  await type();
  await press();
  await ended('failed');
  assert.match(await page.locator(`${action.outcome}.failed`).first().innerText(), /\w/);
  assert.is(await done(), 0);
  assert.is(await action.field(page).inputValue(), action.typed);
  await press();
  await ended('done');
  assert.is(await done(), 1);
  assert.is(keys[0], keys[1], 'nobody knows what the device has done by then: the same key is sent again');
});

forEach('two presses at once are one, however long the answer takes', async ({ page, action, type, ended, done }) => {
  const gate = await Gate.at(page, action.path);
  await type();
  await action.lead?.(page);
  await until('it can be pressed', () => action.last(page).isEnabled());
  await action.last(page).evaluate((pressed: { click(): void }) => {
    pressed.click();
    pressed.click();
  });
  await until('it is sent', () => gate.count > 0);
  gate.letGo();
  await ended('done');
  assert.equal([gate.count, await done()], [1, 1]);
});

forEach('a session that ends under the hands takes nothing of what is typed from who signs in again', async (scene) => {
  const { page, device, action, type, press, ended, done } = scene;
  const setAnew = async (pin: string): Promise<void> => {
    await setPin(device, 'technician', pin);
    await page.locator('#sign-in').waitFor();
  };
  const signIn = async (pin: string): Promise<void> => {
    await typePin(page, pin);
    await live(page);
  };
  await setAnew(PIN);
  await signIn(PIN);
  await type();
  await setAnew(OTHER_PIN);
  assert.is(await page.locator('#page input').count(), 1, 'no field but that of the PIN is there for a stranger');
  await signIn(OTHER_PIN);
  assert.is(await action.field(page).inputValue(), action.typed);
  await press();
  await ended('done');
  assert.is(await done(), 1);
});

test.run();
