/** The payer's page in real Chromium, on a phone: what a QR code of the sandbox bank leads to. */
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { Clock } from '../../../firmware/core/host/clock.ts';
import { browserSuite, PHONE } from '../../console/support.ts';
import { each } from '../../support.ts';
import { listed, patient, type Rig, register, sale, settle, withSandbox } from './support.ts';

const { test, browsing } = browserSuite("the payer's page in Chromium");
const it = each<[Rig]>(test, (run) => () => withSandbox(run));

/** Opens what a phone finds in the QR code. */
const onPhone = (url: string, work: (page: Page) => Promise<void>, locale = 'en-GB'): Promise<void> =>
  browsing.visit(url, { viewport: PHONE, locale, isMobile: true, hasTouch: true }, work, /404/);

/** A picture of it goes to SCREENSHOTS where that names a folder. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/pay-${name}.png` });
}

const textOf = (page: Page): Promise<string> => page.locator('body').innerText();

/** Everything is within the first screen: a tired person does not scroll. */
async function fits(page: Page): Promise<void> {
  const size = await page.evaluate<number[]>(
    '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]',
  );
  assert.equal(size, [PHONE.width, PHONE.height]);
}

it('the page shows amount and purpose, and one tap on Pay pays', async ({ sandbox, bank }) => {
  const { bankId, payload } = await register(
    bank,
    sale({ amount: 123_450, purpose: 'Lane 4, receipt 1093' }),
    patient(),
  );
  await onPhone(payload, async (page) => {
    const text = await textOf(page);
    assert.match(text, /₽1,234\.50/);
    assert.match(text, 'Lane 4, receipt 1093');
    await fits(page);
    await photograph(page, 'open');
    await page.getByRole('button', { name: /^Pay/ }).tap();
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
    await fits(page);
    await photograph(page, 'paid');
    assert.is(await page.getByRole('button').count(), 0);
  });
  assert.is((await bank.status({ id: bankId }, patient())).verdict, 'accepted');
  assert.is((await listed(sandbox))[0]?.charges, 1);
});

it('one tap on Decline declines', async ({ bank }) => {
  const { bankId, payload } = await register(bank, sale(), patient());
  await onPhone(payload, async (page) => {
    await page.getByRole('button', { name: 'Decline' }).tap();
    await page.getByRole('heading', { name: 'Declined' }).waitFor();
    await photograph(page, 'declined');
  });
  assert.is((await bank.status({ id: bankId }, patient())).verdict, 'rejected');
});

it('a page left open while the payment ended elsewhere shows the outcome, and takes no payment', async (rig) => {
  const { sandbox, bank } = rig;
  const { bankId, payload } = await register(bank, sale(), patient());
  await onPhone(payload, async (page) => {
    await settle(sandbox, bankId, 'decline');
    await page.getByRole('button', { name: /^Pay/ }).tap();
    await page.getByRole('heading', { name: 'Declined' }).waitFor();
  });
  assert.is((await listed(sandbox))[0]?.charges, 0);
});

it('a page left open shows the outcome without reloading, and says when the server is silent', async (rig) => {
  const { sandbox, bank } = rig;
  const { bankId, payload } = await register(bank, sale(), patient());
  await onPhone(payload, async (page) => {
    assert.is(await page.locator('meta[http-equiv]').count(), 0);
    await page.evaluate('document.body.tabIndex = 7');
    await page.route('**/state*', (route) => route.fulfill({ body: 'no JSON' }));
    await page.locator('#note', { hasText: 'No answer from the bank' }).waitFor();
    await page.unroute('**/state*');
    await page.locator('#note', { hasText: /^$/ }).waitFor({ state: 'attached' });
    assert.is(await page.evaluate('document.body.tabIndex'), 7, 'it is the same page still');
    await settle(sandbox, bankId, 'pay');
    await page.getByRole('heading', { name: 'Paid' }).waitFor();
  });
});

it('either language is one press away, and stays through the payment', async ({ bank }) => {
  const { payload } = await register(bank, sale(), patient());
  await onPhone(payload, async (page) => {
    assert.match(await page.locator('.test').innerText(), /^TEST/);
    await page.getByRole('link', { name: 'RU' }).tap();
    await page.getByText('настоящие деньги не списываются').waitFor();
    assert.match(await page.locator('.test').innerText(), /^ТЕСТ/);
    await page.getByRole('button', { name: /^Оплатить/ }).tap();
    await page.getByRole('heading', { name: 'Оплачено' }).waitFor();
  });
});

test('an expired code says so, and offers no button', async () => {
  let now = 0;
  const clock: Clock = { wall: () => Date.UTC(2026, 10, 20), monotonic: () => now, bootId: 'boot' };
  await withSandbox(
    async ({ bank }: Rig) => {
      const { payload } = await register(bank, sale({ ttl: 1 }), patient());
      now += 60_000;
      await onPhone(payload, async (page) => {
        await page.getByRole('heading', { name: 'Expired' }).waitFor();
        assert.is(await page.getByRole('button').count(), 0);
        await photograph(page, 'expired');
      });
    },
    { clock },
  );
});

it('a link that names no payment says so', async ({ sandbox }) => {
  await onPhone(`${sandbox.url}/pay/AD1`, async (page) => {
    await page.getByRole('heading', { name: 'No such payment' }).waitFor();
    await photograph(page, 'unknown');
  });
});

it('a Russian phone gets Russian words and amount; the largest amount and purpose still fit', async (rig) => {
  const { bank } = rig;
  const purpose = `${'Оплата заказа в магазине на углу, касса четыре. '.repeat(3).slice(0, 139)}.`;
  const { payload } = await register(bank, sale({ amount: 100_000_000, purpose }), patient());
  await onPhone(
    payload,
    async (page) => {
      assert.match(await textOf(page), /1\s000\s000,00\s₽/);
      assert.match(await textOf(page), 'Действует ещё 5 минут');
      assert.is(await page.getByRole('button', { name: 'Отказаться' }).count(), 1);
      await fits(page);
      await photograph(page, 'russian');
    },
    'ru-RU',
  );
});

it('a purpose made of markup is shown as it is, and nothing of it runs', async ({ bank }) => {
  const purpose = '<script>document.title="run"</script><b onclick=x>&amp;"\'</b><img src=x onerror=y>';
  const { payload } = await register(bank, sale({ purpose }), patient());
  await onPhone(payload, async (page) => {
    assert.is(await page.locator('.purpose').innerText(), purpose);
    assert.is(await page.locator('script:not([nonce]), img, .purpose *').count(), 0);
    assert.not.match(await page.title(), 'run');
  });
});

it("the answer's policy runs no script but its own; its language is the browser's wish", async (rig) => {
  const { bank } = rig;
  const { payload } = await register(bank, sale({ amount: 5 }), patient());
  for (const [header, language] of [
    ['ru-RU,ru;q=0.9,en;q=0.8', 'ru'],
    ['en-US,en;q=0.9,ru;q=0.8', 'en'],
    ['de,fr;q=0.5', 'en'],
    ['ru;q=0', 'en'],
    ['', 'en'],
  ] as const) {
    const response = await fetch(payload, { headers: { 'accept-language': header } });
    assert.is(response.headers.get('content-language'), language, header);
    assert.match(response.headers.get('content-security-policy') ?? '', "default-src 'none'");
    assert.match(response.headers.get('content-security-policy') ?? '', /script-src 'nonce-[\w-]{22}';/);
    assert.match(await response.text(), language === 'ru' ? /0,05\s₽/ : /₽0\.05/);
  }
});

test.run();
