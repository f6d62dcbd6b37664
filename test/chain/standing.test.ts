/** How lanes and stores stand at the hub: three levels, and one sentence each. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Inventory } from '../../firmware/chain/inventory.ts';
import { SILENT_MS } from '../../scripts/chain/exposition.ts';
import { levelOf, standingOf, storeStanding } from '../../scripts/chain/standing.ts';
import type { WatchedDevice } from '../../scripts/chain/watch.ts';

const test = suite('how the lanes of a chain stand');

const NOW = 10 * SILENT_MS;

function lane(serial: string, said: Partial<Inventory>, heardAt = NOW): WatchedDevice {
  const inventory: Inventory = {
    ...{ format: 1, serial, version: '1.2.3', instance: 'i', role: 'slave', state: 'ok', sales: 'sells', parts: [] },
    ...{ counts: { items: 1, templates: 2, openPayments: 3 }, uptimeSeconds: 1, at: '2026-01-01T00:00:00Z' },
    ...said,
  };
  return { account: 'A', serial, inventory, digest: null, heardAt };
}

const DISPLAY = { part: 'display', state: 'degraded', sales: 'does-not-sell', reason: 'it is gone' } as const;
const DISK = { part: 'disk', state: 'degraded', sales: 'sells-look-later', reason: 'worn' } as const;
const WELL = lane('W', { sales: 'sells' });
const LATER = lane('L', { sales: 'sells-look-later', parts: [DISK] });
const STOPPED = lane('S', { sales: 'does-not-sell', parts: [DISPLAY, DISK] });
const SILENT = lane('Q', { sales: 'sells' }, NOW - SILENT_MS);
const NEW: WatchedDevice = { ...WELL, inventory: null };

test('a lane stands at one of three levels, with one sentence', () => {
  assert.is(standingOf(WELL, NOW), 'sells');
  assert.is(standingOf(LATER, NOW), 'sells, look at it later; disk: worn');
  assert.is(standingOf(STOPPED, NOW), 'does not sell; display: it is gone (and 1 more)');
});

test('of a lane that is silent, or has reported nothing, no level is known', () => {
  assert.equal([levelOf(SILENT, NOW), levelOf(NEW, NOW)], [null, null]);
  assert.is(standingOf(SILENT, NOW), 'silent for 11 minutes');
  assert.is(standingOf(NEW, NOW), 'has reported nothing yet');
  assert.is(levelOf(lane('Q', { sales: 'sells' }, NOW - SILENT_MS + 1), NOW), 'sells');
});

test('a store stands as the worst of its lanes: one that nobody hears is worse than one to look at later', () => {
  assert.is(storeStanding([WELL, WELL], NOW), 'sells');
  assert.is(storeStanding([WELL, LATER], NOW), 'L sells, look at it later; disk: worn');
  assert.is(storeStanding([LATER, SILENT, WELL], NOW), 'Q silent for 11 minutes');
  assert.is(storeStanding([SILENT, STOPPED, LATER], NOW), 'S does not sell; display: it is gone (and 1 more)');
});

test.run();
