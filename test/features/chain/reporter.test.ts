/** What a device reports to its chain. */
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HealthReport, PartHealth } from '../../../firmware/core/host/health.ts';
import { Metrics } from '../../../firmware/core/host/metrics.ts';
import { ChainReporter, REPORT_EVERY_MS } from '../../../firmware/features/chain/chain-reporter.ts';
import { ChainError } from '../../../firmware/features/chain/credentials.ts';
import { each, until } from '../../support.ts';

const test = suite('what a device reports to its chain');

const KIB = 1024;
const WELL: HealthReport = {
  ...{ state: 'ok', sales: 'sells', version: '1.2.3', serial: 'LW1', instance: 'i-1', uptimeSeconds: 5 },
  ports: { terminal: 1, recognition: 2 },
  parts: [{ part: 'camera', state: 'ok', sales: 'sells', reason: 'left out on purpose', reasons: [] }],
};

function openReporter(random = 0.999) {
  const reports: { kind: string; body: string | Uint8Array }[] = [];
  const metrics = new Metrics();
  metrics.gauge('laneware_temperature_celsius', 'Heat', () => 51.25);
  metrics.gauge('another_figure', 'Not reported', () => 1);
  const log: string[] = [];
  const place = {
    report: WELL,
    /** How often it has looked whether there is something to report. */
    looks: 0,
    line: true,
    /** There is another connection. */
    connect: (): void => undefined,
    now: 0,
    isIll: false,
  };
  const reporter = new ChainReporter({
    link: {
      onLine: (heard) => {
        place.connect = heard;
        return () => undefined;
      },
      report: async (kind, body) => {
        if (!place.line) throw new ChainError('away', 'made-up');
        reports.push({ kind, body });
      },
    },
    device: {
      metrics,
      role: () => 'slave' as const,
      health: {
        report: () => {
          place.looks += 1;
          if (place.isIll) throw new Error('made-up: the health is ill');
          return place.report;
        },
      },
      clock: { wall: () => Date.UTC(2026, 0, 1), monotonic: () => place.now },
    },
    log: (message) => log.push(message),
    random: () => random,
    scale: 0.0005,
  });
  reporter.start();
  const inventories = () =>
    reports.filter(({ kind }) => kind === 'inventory').map(({ body }) => JSON.parse(String(body)));
  const looksAgain = async (): Promise<void> => {
    const { looks } = place;
    await until('it looks some times', () => place.looks > looks + 2);
  };
  return { reporter, reports, place, log, inventories, looksAgain };
}

/** Each once the first inventory is reported. */
const it = each<[ReturnType<typeof openReporter>]>(test, (run) => async () => {
  const opened = openReporter();
  await until('the first', () => opened.inventories().length === 1);
  await run(opened);
  await opened.reporter.close();
});

it('the inventory is reported at start and when a part changes, not for what always changes', async ({
  place,
  inventories,
  looksAgain,
}) => {
  const [first] = inventories();
  assert.equal(first, {
    ...{ format: 1, serial: 'LW1', version: '1.2.3', instance: 'i-1', role: 'slave', state: 'ok' },
    ...{ sales: 'sells', parts: [] },
    ...{ uptimeSeconds: 5, at: '2026-01-01T00:00:00.000Z' },
  });
  place.report = { ...WELL, uptimeSeconds: 6 };
  await looksAgain();
  assert.is(inventories().length, 1);
  const ill = { part: 'disk', state: 'degraded', reason: `1 MB are free ${'x'.repeat(400)}` } as const;
  const sales = 'sells-look-later';
  const reasons = [{ code: 'disk-full', sales, about: { free: 1, needed: 200 } } as const];
  place.report = { ...WELL, state: 'degraded', parts: [...WELL.parts, { ...ill, sales, reasons }] };
  await until('the second', () => inventories().length === 2);
  const second = inventories()[1];
  assert.is(second.sales, 'sells', 'what the report says of the whole');
  assert.equal(second.parts, [{ ...ill, sales, reason: ill.reason }]);
  place.report = { ...place.report, parts: [{ ...ill, sales, reason: '2 MB are free', reasons }] };
  await looksAgain();
  assert.is(inventories().length, 2);
});

it('what stops the sale is reported at once, and stands before what can wait', async ({ place, inventories }) => {
  const wait = 'sells-look-later';
  const stops = 'does-not-sell';
  const partOf = (part: string, sales: PartHealth['sales']): PartHealth => ({
    ...{ part, sales, state: 'ok', reason: '', reasons: [] },
  });
  place.report = { ...WELL, sales: wait, parts: [partOf('disk', wait), partOf('display', wait)] };
  await until('the second', () => inventories().length === 2);
  place.report = { ...WELL, sales: stops, parts: [partOf('disk', wait), partOf('display', stops)] };
  await until('the third', () => inventories().length === 3);
  const reported = inventories()[2];
  assert.is(reported.sales, stops);
  const judged = reported.parts.map(({ part, sales }: { part: string; sales: string }) => [part, sales]);
  assert.equal(judged, [
    ['display', stops],
    ['disk', wait],
  ]);
  place.report = { ...place.report, parts: [partOf('display', stops), partOf('disk', stops)] };
  await until('a second part that stops it', () => inventories().length === 4);
});

test('both are reported each five minutes, at a moment that differs between devices', async () => {
  const { reporter, place, reports, looksAgain } = openReporter(0.5);
  const due = (REPORT_EVERY_MS * 0.0005) / 2;
  await until('the first', () => reports.length === 1);
  assert.is(reports[0]?.kind, 'inventory');
  place.now = due - 1;
  await looksAgain();
  assert.is(reports.length, 1);
  place.now = due;
  await until('the digest', () => reports.length === 3);
  const kinds = reports.slice(1).map(({ kind }) => kind);
  assert.equal(kinds, ['inventory', 'digest']);
  place.now = due + REPORT_EVERY_MS * 0.0005;
  await until('the next', () => reports.length === 5);
  await reporter.close();
});

test('the digest has the figures of the device in less than a kilobyte', async () => {
  const { reporter, reports } = openReporter(0);
  await until('it', () => reports.length >= 2);
  await reporter.close();
  const digest = reports.find(({ kind }) => kind === 'digest')?.body as Uint8Array;
  assert.ok(digest.length < KIB, String(digest.length));
  const text = gunzipSync(digest).toString();
  assert.match(text, /^laneware_temperature_celsius 51\.25$/m);
  assert.match(text, /^process_resident_memory_bytes \d+$/m);
  assert.not.match(text, /another_figure|^#|http_request|^$\n/m);
});

it('what has not changed is reported again over a new connection', async ({ place, inventories, looksAgain }) => {
  await looksAgain();
  assert.is(inventories().length, 1);
  place.connect();
  await until('the same', () => inventories().length === 2);
});

it('a report over a line that is down is made when it is back; the line itself says it is back', async ({
  place,
  log,
  inventories,
  looksAgain,
}) => {
  place.line = false;
  place.report = { ...WELL, state: 'failed' };
  await looksAgain();
  assert.is(inventories().length, 1);
  place.line = true;
  await until('what has changed', () => inventories().at(-1)?.state === 'failed');
  assert.equal(log, []);
});

it('a state that cannot be read is logged once, and reported when it can', async ({
  place,
  log,
  inventories,
  looksAgain,
}) => {
  place.isIll = true;
  await looksAgain();
  assert.is(log.length, 1);
  place.isIll = false;
  place.report = { ...WELL, state: 'failed' };
  await until('what has changed', () => inventories().at(-1)?.state === 'failed');
  assert.is(log.length, 1);
});

test.run();
