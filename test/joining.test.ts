/** The parts of a device: the order in which they are opened, started and closed. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PartList } from '../firmware/device/composition/joining.ts';

const test = suite('parts of a device');

/** Two parts that note what happens to them. */
function noting() {
  const noted: string[] = [];
  const note = (what: string) => () => void noted.push(what);
  const waiting = (what: string) => async () => {
    await Promise.resolve();
    noted.push(what);
  };
  const money = {
    name: 'money',
    open: async ({ place }: { place: string }) => {
      await waiting('money opened')();
      const running = {
        start: waiting('money started'),
        halt: waiting('money halted'),
        close: waiting('money closed'),
      };
      return [{ purse: `purse at ${place}` }, running] as const;
    },
  };
  const page = {
    name: 'page',
    open: ({ purse }: { purse: string }) => {
      noted.push(`page opened with ${purse}`);
      const running = { start: note('page started'), serve: note('page served'), close: note('page closed') };
      return [{}, running] as const;
    },
  };
  return { noted, waiting, list: new PartList<{ place: string }>().join(money).join(page) };
}

test('each part is opened and started after those before it, and closed before them', async () => {
  const { noted, waiting, list } = noting();
  const opening = await list.open({ place: 'the shop' });
  assert.equal(opening.device, { place: 'the shop', purse: 'purse at the shop' });
  await opening.start();
  opening.serve();
  assert.equal(noted.splice(0), [
    'money opened',
    'page opened with purse at the shop',
    'money started',
    'page started',
    'page served',
  ]);
  await opening.close(waiting('ports closed'));
  assert.equal(noted, ['money halted', 'ports closed', 'page closed', 'money closed']);
});

test('the same list opens a device again', async () => {
  const { noted, list } = noting();
  for (const place of ['one', 'other']) {
    const { device } = await list.open({ place });
    assert.is(device.purse, `purse at ${place}`);
  }
  assert.is(noted.length, 4);
});

test.run();
