/**
 * A power cut takes commits from the database, and a block of the journal with them: two faults that come together.
 * Oracle: the list of what was sold.
 */
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { each, temporaryFolder } from '../support.ts';
import { altered, change, Device, onCopied, soldFrom } from './book-device.ts';

const test = suite('a book of money, a power cut that damages its journal');

const DAY_MS = 86_400_000;
const copied = each(test, onCopied);
const it = each(test, (run: (device: Device) => Promise<void> | void) => async (): Promise<void> => {
  using device = new Device();
  await run(device);
});

const asideIn = (device: Device): string[] => readdirSync(device.folder).filter((name) => name.includes('.other-'));

/** Where the line of a commit begins in a log, and where its JSON does. */
function lineIn(log: string, commit: number): { readonly from: number; readonly json: number; readonly end: number } {
  const bytes = readFileSync(log);
  const json = bytes.indexOf(`{"n":${commit},`);
  assert.ok(json > 0, `the log has no commit ${commit}`);
  return { from: bytes.lastIndexOf('\n', json) + 1, json, end: bytes.indexOf('\n', json) };
}

/** Sells, keeps the database of then, sells more, and puts that database back: commits are lost with the power. */
async function cutBetween(device: Device, damage: (log: string, commit: number) => void): Promise<void> {
  using kept = temporaryFolder();
  device.sell(1, 3);
  const { head } = device.book;
  await device.restart(() => copyFileSync(device.file(), join(kept.path, 'older')));
  device.sell(4, 6);
  await device.restart(() => {
    device.takeDatabase(join(kept.path, 'older'));
    damage(device.log, head);
  });
}

const flip = (bytes: Buffer, place: number): void => void bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);

const PLACES = {
  'its hash': ({ from }: ReturnType<typeof lineIn>) => from + 3,
  'its rows': ({ json }: ReturnType<typeof lineIn>) => json + 20,
  'its end': ({ end }: ReturnType<typeof lineIn>) => end,
};
for (const [name, placeOf] of Object.entries(PLACES))
  it(`one byte of the line at which the database stands is damaged: ${name}`, async (device) => {
    await cutBetween(device, (log, commit) => change(log, (bytes) => flip(bytes, placeOf(lineIn(log, commit)))));
    assert.equal(
      { sold: device.sold, aside: asideIn(device), problems: device.problems },
      { sold: soldFrom(1, 6), aside: [], problems: [] },
      'nothing is made anew',
    );
    await device.keeper.compare();
    device.sell(7);
    await device.outlivesItsDatabase(7);
  });

for (const behind of [0, 1])
  it(`a block around the database’s line is damaged, and ${behind} lines behind it`, async (device) => {
    await cutBetween(device, (log, commit) =>
      change(log, (bytes) => bytes.fill(0, lineIn(log, commit - 1).from + 50, lineIn(log, commit + behind).end - 5)),
    );
    assert.equal([device.sold, asideIn(device)], [soldFrom(1, 6), []]); // each line of a payment has its whole row
    await device.keeper.compare();
    assert.is(device.breaks, 1);
    await device.outlivesItsDatabase(6);
  });

copied('a line that was lost behind the database comes from the second medium', async (device, second) => {
  using kept = temporaryFolder();
  device.sell(1, 3);
  const { head } = device.book;
  await device.restart(() => copyFileSync(device.file(), join(kept.path, 'older')));
  device.sell(4, 6);
  await device.keeper.compare();
  assert.ok(readdirSync(second.path).includes('money.journal'));
  await device.restart(() => {
    device.takeDatabase(join(kept.path, 'older'));
    change(device.log, (bytes) => bytes.fill(0, lineIn(device.log, head + 1).from, lineIn(device.log, head + 4).end));
  });
  assert.equal([device.sold, asideIn(device)], [soldFrom(1, 6), []]);
  await device.keeper.compare();
  await device.outlivesItsDatabase(6);
});

for (const [name, sql] of [
  ['an altered', 'UPDATE payments SET amount = amount + 1 WHERE id = 2'],
  ['a lost', 'DELETE FROM payments WHERE id = 2'],
] as const)
  it(`the last line is damaged, and ${name} row of the database beside it`, async (device) => {
    device.sell(1, 4);
    const { head } = device.book;
    await device.restart(() => {
      altered(device, sql)();
      change(device.log, (bytes) => flip(bytes, lineIn(device.log, head).json + 20));
    });
    await device.keeper.compare();
    assert.equal([device.sold, asideIn(device)], [soldFrom(1, 4), []]);
    device.sell(5);
    await device.outlivesItsDatabase(5);
  });

it('the database is gone and the newest beginning is damaged: older files have its rows', async (device) => {
  device.sell(1, 20);
  await device.rest();
  device.now += DAY_MS;
  device.sell(21, 40);
  await device.rest();
  device.now += 100 * DAY_MS;
  device.sell(41);
  await device.rest();
  const rows = readdirSync(device.journal).findLast((name) => name.endsWith('.rows')) ?? 'none';
  change(join(device.journal, rows), (bytes) => bytes.fill(0, 600, 900));
  await device.restart(() => device.loseDatabase());
  assert.equal(device.sold, soldFrom(1, 41));
  assert.is(device.breaks, 1);
  await device.keeper.compare();
  await device.outlivesItsDatabase(41);
});

test.run();
