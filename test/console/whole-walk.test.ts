/** From a fresh device to a paid sale and three distinct items, by touch alone. By keys: `real/walk.test.ts`. */
import * as assert from 'uvu/assert';
import { startTestDevice } from '../support.ts';
import { finger, type Hands } from './hands.ts';
import { awaitSight, browserSuite, PHONE, SEEING } from './support.ts';
import { GOODS, TAKEN_AWAY, walk } from './walk.ts';

/** From the first page to the third item, without a document. */
const MOST_PRESSES = 24;

const { test, browsing } = browserSuite('the whole walk in Chromium');

test('fresh, paid, three items taught and distinguished, by touch', async () => {
  await using device = await startTestDevice(SEEING);
  await awaitSight(device);
  const options = { viewport: PHONE, hasTouch: true, isMobile: true };
  await using page = await browsing.open(device.recognition, options, TAKEN_AWAY);
  const hands = finger(page);
  let presses = 0;
  const counted: Hands = {
    ...hands,
    press: (what) => {
      presses += 1;
      return hands.press(what);
    },
  };
  await walk(page, counted, device, GOODS);
  assert.ok(presses <= MOST_PRESSES, `${presses} presses`);
});

test.run();
