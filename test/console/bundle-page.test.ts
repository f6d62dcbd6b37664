/** The pages of a lane that runs its bundle: each in both languages without a complaint of the browser, and a whole walk. */
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { startFirmware } from '../process.ts';
import { releasePlace } from '../release-place.ts';
import { setUp, temporaryFolder } from '../support.ts';
import { keyboard } from './hands.ts';
import { awaitSight, browserSuite, live, RU, SEEING, settled } from './support.ts';
import { GOODS, TAKEN_AWAY, walk } from './walk.ts';

const { test, browsing } = browserSuite('the pages of a bundle');

const place = releasePlace();
const MAIN = join(place.path, 'bundle', 'main.js');
test.after(() => place[Symbol.dispose]());

const HASHES = [
  ...['lane', 'payments', 'items', 'teach', 'camera', 'store', 'integrate', 'welcome', 'device'],
  ...['health', 'self-test', 'updates', 'access', 'printed-codes', 'backup', 'log'].map((name) => `device/${name}`),
];
/** It has no camera. */
const NO_CAMERA = /status of 503/;

test('each page in both languages, of files that have the digest in their addresses', async () => {
  using folder = temporaryFolder();
  const { program, urls } = await startFirmware(folder.path, { main: MAIN });
  await using _ = program;
  await setUp(urls);
  for (const options of [{}, RU]) {
    const files = new Set<string>();
    await using page = await browsing.open(urls.recognition, options, NO_CAMERA);
    page.on('request', (request) => {
      if (request.url().includes('/console/assets/')) files.add(request.url());
    });
    for (const hash of HASHES) {
      await page.goto('about:blank');
      await page.goto(`${urls.recognition}/#/${hash}`);
      await live(page);
      await settled(page);
      assert.ok((await page.locator('main').innerText()).length > 40, hash);
    }
    for (const path of ['/scale', '/display', '/claim']) {
      await page.goto(urls.recognition + path);
      await settled(page);
    }
    const areNamed = [...files].every((file) => /\/assets\/[0-9a-f]{16}\//.test(file));
    assert.ok(areNamed, [...files].join());
    assert.is(files.size, 8, `three scripts and style sheets, the icon, and words: ${[...files].join()}`);
  }
});

test('fresh, paid, an item taught and recognised', async () => {
  using folder = temporaryFolder();
  const { program, urls } = await startFirmware(folder.path, { main: MAIN, settings: SEEING });
  await using _ = program;
  await awaitSight(urls);
  await browsing.visit(urls.recognition, {}, (page) => walk(page, keyboard(page), urls, GOODS.slice(0, 1)), TAKEN_AWAY);
});

test.run();
