/** A fresh device as a process, and a person with a keyboard in Chromium: set up by one press, a sale paid, an item taught and recognised. */
import { keyboard } from '../console/hands.ts';
import { awaitSight, browserSuite, SEEING } from '../console/support.ts';
import { GOODS, TAKEN_AWAY, walk } from '../console/walk.ts';
import { startFirmware } from '../process.ts';
import { temporaryFolder } from '../support.ts';

const { test, browsing } = browserSuite('a walk in Chromium');

test('fresh, paid, an item taught and recognised, by the keyboard alone', async () => {
  using folder = temporaryFolder();
  const { program, urls } = await startFirmware(folder.path, { settings: SEEING });
  await using _ = program;
  await awaitSight(urls);
  await browsing.visit(urls.recognition, {}, (page) => walk(page, keyboard(page), urls, GOODS.slice(0, 1)), TAKEN_AWAY);
});

test.run();
