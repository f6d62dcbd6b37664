/** Whether the lane sells: each reason that a part can give has one of three levels, and so have the part and the device. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Level, type ReasonRecords, reasonsFrom } from '../drivers/lib/records.ts';
import { REASONS } from '../firmware/console/page-data.ts';
import { countHealth } from '../firmware/core/host/count-health.ts';
import { degradedBy, failed, HealthBoard, okWith, type Verdict, WELL } from '../firmware/core/host/health.ts';
import { Metrics } from '../firmware/core/host/metrics.ts';

const test = suite('health: whether the lane sells');

/** By hand, beside the tables of the product: a reason that comes to them or leaves them does so here, too. */
const TABLE: Readonly<Record<Exclude<Level, 'degraded'>, readonly string[]>> = {
  info: ['camera-none', 'native-failed', 'tls-off', 'tls-on', 'update-running', 'update-waiting', 'voice-no-page'],
  blocking: [
    ...['settings-missing', 'settings-unreadable', 'settings-unconfirmed', 'storage-full', 'storage-refused'],
    ...[
      'storage-foreign',
      'root-absent',
      'display-held',
      'display-lost',
      'bank-closed',
      'bank-silent',
      'bank-unauthorised',
      'bank-unreachable',
    ],
    ...['bank-refuses', 'bank-contradicts', 'bank-certificate-doubted', 'payments-unanswered', 'sales-failing'],
    ...['certificate-client-ended', 'certificate-authority-ended', 'certificate-authority-early'],
  ],
};

test('each reason has its level: those of the table theirs, all others may wait', () => {
  const records: ReasonRecords = REASONS;
  const withLevel = (wanted: Level) => Object.keys(records).filter((code) => records[code]?.level === wanted);
  assert.equal(withLevel('info').toSorted(), TABLE.info.toSorted());
  assert.equal(withLevel('blocking').toSorted(), TABLE.blocking.toSorted());
});

const reasonOf = reasonsFrom(REASONS);
const LATE = degradedBy(reasonOf('payments-late', { n: 1 }, 'one is late'));
const GONE = degradedBy(reasonOf('display-lost', { detail: '' }, 'the display is gone'));
const TEMPLATES = failed(reasonOf('templates-gone', {}, 'the templates are gone'));
const NONE = okWith(reasonOf('camera-none', {}, 'no camera'));
const BOTH = degradedBy(...LATE.reasons, ...GONE.reasons);

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

test('the device is as its worst part, a part as its worst reason; a failed part may let it sell', async () => {
  assert.equal(await deviceOf(), { sales: 'sells', parts: [], figure: '0' });
  assert.equal(await deviceOf(WELL, NONE), { sales: 'sells', parts: ['sells', 'sells'], figure: '0' });
  const later = 'sells-look-later';
  assert.equal(await deviceOf(WELL, LATE, TEMPLATES), { sales: later, parts: ['sells', later, later], figure: '1' });
  const none = 'does-not-sell';
  assert.equal(await deviceOf(LATE, GONE, WELL), { sales: none, parts: [later, none, 'sells'], figure: '2' });
  assert.equal(await deviceOf(BOTH), { sales: none, parts: [none], figure: '2' });
});

test.run();
