/** From a fresh device to a paid sale and three distinct items, by touch alone. By keys: `real/walk.test.ts`. */
import { startTestDevice } from '../support.ts';
import { finger } from './hands.ts';
import { awaitSight, browserSuite, PHONE, SEEING } from './support.ts';
import { GOODS, TAKEN_AWAY, walk } from './walk.ts';

const { test, browsing } = browserSuite('the whole walk in Chromium');

test('fresh, paid, three items taught and distinguished, by touch', async () => {
  await using device = await startTestDevice(SEEING);
  await awaitSight(device);
  const options = { viewport: PHONE, hasTouch: true, isMobile: true };
  await browsing.visit(device.recognition, options, (page) => walk(page, finger(page), device, GOODS), TAKEN_AWAY);
});

test.run();
