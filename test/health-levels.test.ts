/** Whether the lane sells: each reason that a part can give has one of three levels, and so have the part and the device. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ReasonRecords, reasonsFrom, type Sales } from '../drivers/lib/records.ts';
import { countHealth } from '../firmware/core/host/count-health.ts';
import { degraded, failed, HealthBoard, okWith, type Verdict, WELL } from '../firmware/core/host/health.ts';
import { Metrics } from '../firmware/core/host/metrics.ts';
import { REASONS } from '../firmware/device/composition/page-data.ts';

const test = suite('health: whether the lane sells');

/** By hand, beside the tables of the product: a reason that moves to another level moves here, too. */
const TABLE: Readonly<Record<Sales, readonly string[]>> = {
  sells: ['camera-none', 'barcodes-off', 'native-failed', 'tls-off', 'tls-on', 'update-running', 'update-waiting'],
  'sells-look-later': [
    ...[
      'settings-doubtful',
      'bank-stale',
      'bank-refused',
      'bank-link-unusual',
      'bank-test',
      'bank-other-closed',
      'bank-other-unauthorised',
    ],
    ...['certificate-client-early', 'certificate-client-ending', 'certificate-authority-ending'],
    ...['certificate-bank-ending', 'payments-late', 'payments-silent', 'payments-untold', 'refunds-undecided'],
    ...['refunds-done-after-all', 'refunds-refused-after-all', 'refunds-unexplained', 'ledger-aside', 'ledger-beside'],
    ...['ledger-damaged', 'ledger-lost', 'ledger-conflicting', 'ledger-repaired', 'ledger-journal'],
    ...[
      'ledger-rule',
      'ledger-copy',
      'webhooks-unkept',
      'webhook-failing',
      'webhook-given-up',
      'camera-unfed',
      'camera-lost',
    ],
    ...['camera-silent', 'tray-misfit', 'model-loading', 'model-stopped', 'barcodes-lost', 'templates-unopened'],
    ...['templates-damaged', 'templates-gone', 'templates-unpictured', 'templates-preparing', 'templates-aside'],
    ...[
      'recognition-settings-damaged',
      'items-unopened',
      'items-damaged',
      'items-gone',
      'items-aside',
      'items-altered',
    ],
    ...['sync-settings-damaged', 'sync-devices-damaged'],
    ...[
      'sync-twice',
      'sync-deletes',
      'sync-fills',
      'sync-failing',
      'sync-silent',
      'sync-late',
      'lane-payments',
      'clock-behind',
      'zone-unset',
      'config-unknown',
    ],
    ...['config-last-good'],
    ...[
      'bank-consents',
      'access-loopback',
      'access-unencrypted',
      'access-unclaimed',
      'access-lost',
      'console-pins-lost',
      'network-lost',
    ],
    ...[
      'card-refused',
      'card-unpaired',
      'card-token',
      'tls-troubled',
      'pins-lost',
      'pins-unreachable',
      'audit-unkept',
      'audit-damaged',
    ],
    ...['chain-away', 'chain-credentials', 'chain-certificate', 'chain-refuses'],
    ...['disk-full', 'disk-files', 'disk-faulty'],
    ...[
      'disk-worn',
      'database-held',
      'root-repaired',
      'root-troubled',
      'root-writable',
      'supply-low',
      'supply-was-low',
      'board-slow',
    ],
    ...['board-was-slow', 'board-hot', 'board-unwatched', 'update-undone', 'update-undone-load', 'update-load'],
    ...['update-ends', 'update-put-off'],
  ],
  'does-not-sell': [
    ...['settings-missing', 'settings-unreadable', 'settings-unconfirmed', 'storage-full', 'storage-refused'],
    ...['root-absent', 'display-lost', 'bank-closed', 'bank-silent', 'bank-unauthorised', 'bank-unreachable'],
    ...['bank-refuses', 'bank-contradicts', 'bank-certificate-doubted', 'payments-unanswered'],
    ...['certificate-client-ended', 'certificate-authority-ended', 'certificate-authority-early'],
    ...['certificate-bank-ended', 'certificate-bank-early'],
  ],
};

test('each reason has its level, and none is forgotten', () => {
  const records: ReasonRecords = REASONS;
  assert.equal(Object.keys(records).toSorted(), Object.values(TABLE).flat().toSorted());
  for (const [level, own] of Object.entries(TABLE))
    for (const code of own) assert.is(records[code]?.level, level, code);
});

const reasonOf = reasonsFrom(REASONS);
const LATE = degraded(reasonOf('payments-late', { n: 1 }, 'one is late'));
const GONE = degraded(reasonOf('display-lost', { detail: '' }, 'the display is gone'));
const TEMPLATES = failed(reasonOf('templates-gone', {}, 'the templates are gone'));
const NONE = okWith(reasonOf('camera-none', {}, 'no camera'));
const BOTH = degraded(...LATE.reasons, ...GONE.reasons);

/** A device with these parts, in the words of `/health` and the figures of `/metrics`. */
async function deviceOf(...verdicts: readonly Verdict[]) {
  const health = new HealthBoard(() => ({
    ...{ version: '1', serial: '2', instance: '3', uptimeSeconds: 4 },
    ports: { terminal: 1, recognition: 2 },
  }));
  for (const [at, verdict] of verdicts.entries()) health.add(`part ${at}`, () => verdict);
  const metrics = new Metrics();
  countHealth(metrics, { health, version: '1', serial: '2', clock: { behindMs: 0 } });
  const { sales, parts } = health.report();
  return {
    sales,
    parts: parts.map((part) => part.sales),
    figure: /^laneware_sales (\d)$/m.exec(await metrics.registry.metrics())?.[1],
  };
}

test('the device is as its worst part, a part as its worst reason; a part that has failed may still let the lane sell', async () => {
  assert.equal(await deviceOf(), { sales: 'sells', parts: [], figure: '0' });
  assert.equal(await deviceOf(WELL, NONE), { sales: 'sells', parts: ['sells', 'sells'], figure: '0' });
  const later = 'sells-look-later';
  assert.equal(await deviceOf(WELL, LATE, TEMPLATES), { sales: later, parts: ['sells', later, later], figure: '1' });
  const none = 'does-not-sell';
  assert.equal(await deviceOf(LATE, GONE, WELL), { sales: none, parts: [later, none, 'sells'], figure: '2' });
  assert.equal(await deviceOf(BOTH), { sales: none, parts: [none], figure: '2' });
});

test.run();
