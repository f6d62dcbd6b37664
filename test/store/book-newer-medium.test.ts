/**
 * An older image of the card is put back, database and journal, and the second medium is newer. Oracle: the list of what
 * was sold and given back.
 */
import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NOBODY } from '../../firmware/payments/model/refund.ts';
import { each, type TemporaryFolder, temporaryFolder } from '../support.ts';
import { NOW } from '../terminal/ledger-rig.ts';
import { change, type Device, onCopied, soldFrom } from './book-device.ts';

const test = suite('a book of money, and a second medium that is newer');

const DAY_MS = 86_400_000;
const copied = each(test, onCopied);

/** The image of a card. */
class Image implements Disposable {
  readonly #folder: TemporaryFolder = temporaryFolder();

  async take(device: Device): Promise<this> {
    await device.restart(() => cpSync(device.folder, this.#folder.path, { recursive: true }));
    return this;
  }

  putBack = (device: Device) => (): void => {
    for (const name of readdirSync(device.folder)) rmSync(join(device.folder, name), { recursive: true });
    cpSync(this.#folder.path, device.folder, { recursive: true });
  };

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

function giveBack({ money }: Device, n: number): void {
  const ids = { refundId: `r${n}`, tillId: `r${n}`, orderId: `order-${n}` };
  const refund = { ...ids, profile: 'p', bank: 'b', amount: 400, refundedBefore: 0, createdAt: NOW, requester: NOBODY };
  money.refunds.insert({ ...refund, refundedBy: null });
}

const asideIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.includes('.other-'));

/** The card has all again, database and journal, and the medium goes on being its copy. */
async function hasAll(device: Device, second: TemporaryFolder, last: number): Promise<void> {
  assert.equal([device.sold, device.problems], [soldFrom(1, last), []]);
  device.sell(last + 1);
  await device.rest();
  assert.equal(
    { folderAsideIn: asideIn(device.folder), pathAsideIn: asideIn(second.path), problems: device.problems },
    { folderAsideIn: [], pathAsideIn: [], problems: [] },
  );
  const names = readdirSync(device.journal);
  const twice = names.filter((name) => name.endsWith('.log') && names.includes(name.replace(/log$/, 'packed')));
  assert.equal(twice, [], 'a day is packed or not');
  await device.outlivesItsDatabase(last + 1);
  await device.keeper.compare();
  assert.is(device.breaks, 0);
}

for (const days of [0, 1, 3])
  copied(`an older image takes what it lacks before it is opened (${days} days)`, async (device, second) => {
    using image = new Image();
    device.sell(1, 3);
    await image.take(device);
    for (let day = 0; day <= days; day += 1) {
      device.sell(4 + day);
      if (day === 0) giveBack(device, 1);
      await device.keeper.compare();
      device.now += DAY_MS;
    }
    const { head, lastEvent } = device.book;
    await device.restart(image.putBack(device));
    assert.equal([device.book.head, device.book.lastEvent], [head, lastEvent]);
    assert.is(device.money.refunds.get('r1').amount, 400);
    await hasAll(device, second, 4 + days);
  });

copied('the last log of the image was already packed, or begun anew without a line', async (device, second) => {
  using image = new Image();
  device.sell(1, 3);
  device.now += DAY_MS;
  device.sell(4);
  await device.rest();
  await image.take(device);
  device.now += DAY_MS;
  device.sell(5);
  await device.rest();
  await device.restart(image.putBack(device));
  await hasAll(device, second, 5);
});

copied('the last line of the image is damaged, and its database is gone', async (device, second) => {
  using image = new Image();
  device.sell(1, 3);
  await image.take(device);
  device.sell(4, 5);
  await device.keeper.compare();
  await device.restart(() => {
    image.putBack(device)();
    change(device.log, (bytes) => bytes.fill(0, bytes.lastIndexOf('order-3'), bytes.lastIndexOf('}')));
    device.loseDatabase();
  });
  assert.equal(device.sold, soldFrom(1, 5));
  assert.equal(asideIn(second.path), []);
});

copied('an image without its journal', async (device, second) => {
  using image = new Image();
  device.sell(1, 3);
  await image.take(device);
  device.sell(4, 5);
  await device.keeper.compare();
  await device.restart(() => {
    image.putBack(device)();
    rmSync(device.journal, { recursive: true });
  });
  assert.equal([device.sold, asideIn(second.path)], [soldFrom(1, 5), []]);
});

copied('a medium that comes only after the start completes a book that has not gone on', async (device, second) => {
  using image = new Image();
  const away = `${second.path}-away`;
  device.sell(1, 3);
  await image.take(device);
  device.sell(4, 5);
  await device.keeper.compare();
  renameSync(second.path, away);
  await device.restart(image.putBack(device));
  assert.equal(device.sold, soldFrom(1, 3));
  renameSync(away, second.path);
  await device.rest();
  await hasAll(device, second, 5);
});

copied('a book that has gone on is another history: what the medium has is named and stays', async (device, second) => {
  using image = new Image();
  device.sell(1, 3);
  await image.take(device);
  device.sell(4, 5);
  await device.keeper.compare();
  device.second = null;
  await device.restart(image.putBack(device));
  device.sell(6);
  device.second = second.path;
  await device.restart();
  await device.rest();
  assert.equal(device.sold, [...soldFrom(1, 3), ...soldFrom(6, 6)]);
  assert.equal(device.problems, ['ledger-conflicting']);
  assert.is(asideIn(second.path).length, 2);
});

test.run();
