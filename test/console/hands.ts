/** Two ways to use a page: by the keys of a keyboard alone, and by a finger alone. */
import type { Locator, Page } from 'playwright-core';
import { until } from '../support.ts';

export interface Hands {
  press(what: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  hold(button: Locator, work: () => Promise<void>): Promise<void>;
}

/** More stops than any page has, there and back. */
const MOST_STOPS = 200;

const hasFocus = (what: Locator) => what.evaluate((element) => element.ownerDocument.activeElement === element);

/** By Tab, as somebody without a mouse; a pointer is never used. */
export function keyboard(page: Page): Hands {
  const reach = async (what: Locator): Promise<void> => {
    await what.waitFor();
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      if (await hasFocus(what)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab never leads to ${String(what)}`);
  };
  return {
    async press(what) {
      await until('it can be pressed', () => what.isEnabled());
      await reach(what);
      await page.keyboard.press('Enter');
    },
    async write(field, text) {
      await reach(field);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    async hold(button, work) {
      await reach(button);
      await page.keyboard.down('Space');
      await work();
      await page.keyboard.up('Space');
    },
  };
}

/** By taps; what is written comes from the keyboard that a phone shows. */
export function finger(page: Page): Hands {
  return {
    press: (what) => what.tap(),
    async write(field, text) {
      await field.tap();
      await field.fill('');
      await field.pressSequentially(text);
    },
    async hold(button, work) {
      await button.scrollIntoViewIfNeeded();
      const box = await button.boundingBox();
      if (box === null) throw new Error('there is nothing to hold');
      const touch = await page.context().newCDPSession(page);
      const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
      await work();
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    },
  };
}
