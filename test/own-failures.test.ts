/** Work that fails by an error of the program: `/health` says so from the second time in a row, and the updater reads it there. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HealthBoard, WELL } from '../firmware/core/host/health.ts';
import type { Work } from '../firmware/core/host/own-failures.ts';
import { HttpFailure } from '../firmware/core/http/call/failure.ts';
import { markRepetition } from '../firmware/core/http/guard/caller.ts';
import { Refunds } from '../firmware/payments/refunds/refunds.ts';
import { PaymentService } from '../firmware/payments/service/payment-service.ts';
import { Terminal } from '../firmware/payments/terminal.ts';
import { TrayAnswers } from '../firmware/recognition/service/tray-answers.ts';
import { Member } from '../firmware/sync/member.ts';
import type { OwnDevice } from '../firmware/sync/own-device.ts';
import { syncFailure } from '../firmware/sync/sync-failure.ts';
import { onEachRouter } from './http/servers.ts';
import { replaced } from './replaced.ts';
import { call, setUp, startTestDevice, until } from './support.ts';

const test = suite('work that fails by an error of the program');

const PARTS = ['payments', 'model', 'sync'];
const boardOf = (): HealthBoard => {
  const health = new HealthBoard(() => ({
    ...{ version: '1', serial: '2', instance: '3', uptimeSeconds: 4 },
    ports: { terminal: 1, recognition: 2 },
  }));
  for (const part of PARTS) health.add(part, () => WELL);
  return health;
};

/** What the parts say, as "part: code level". */
const saidBy = (health: Pick<HealthBoard, 'report'>): string[] =>
  health
    .report()
    .parts.flatMap(({ part, state, reasons }) =>
      reasons.map(({ code, sales }) => `${part}: ${state} ${code} ${sales}`),
    );

const REPORTED: Readonly<Record<Work, string>> = {
  sale: 'payments: degraded sales-failing does-not-sell',
  refund: 'payments: degraded refunds-failing sells-look-later',
  cancellation: 'payments: degraded cancellations-failing sells-look-later',
  look: 'model: degraded looks-failing sells-look-later',
  synchronisation: 'sync: degraded synchronisation-failing sells-look-later',
};
const WORKS = Object.keys(REPORTED) as Work[];

test('each router and kind: two unexpected errors in a row are reported, until one succeeds', async () => {
  const health = boardOf();
  await onEachRouter(
    { own: health.own },
    (app) => {
      for (const work of WORKS)
        app.get(`/${work}/:how`, { config: { work } }, async (request) => {
          const { how } = request.params as { readonly how: string };
          if (how === 'fails') throw new TypeError('made up');
          if (how === 'refused') throw new HttpFailure('parameter', 'no');
          if (how === 'full') throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
          if (how === 'again') markRepetition(request);
          return {};
        });
    },
    async (router, url) => {
      for (const work of WORKS) {
        const after = async (...hows: readonly string[]): Promise<string[]> => {
          for (const how of hows) await call(`${url}/${work}/${how}`);
          return saidBy(health);
        };
        const said = [REPORTED[work]];
        assert.equal(
          await after('fails', 'refused', 'full', 'full', 'refused'),
          [],
          `${router}: one, and others' faults`,
        );
        assert.equal(await after('done', 'fails'), [], `${router}: one was done between`);
        assert.equal(await after('again', 'refused', 'fails'), said, router);
        assert.equal(await after('again', 'refused', 'full'), said, `${router}: none of these shows that it works`);
        assert.equal(await after('done'), [], router);
      }
    },
  );
});

test('several calls that end in one and the same error count once', () => {
  const { own } = boardOf();
  const error = new TypeError('made up');
  for (let n = 0; n < 3; n += 1) own.failed('sale', error);
  assert.equal(own.reasonsOf('payments'), []);
});

const fails = (): never => {
  throw new TypeError('made up');
};
const BREAKS: Readonly<Record<Exclude<Work, 'synchronisation'>, () => Disposable>> = {
  sale: () => replaced(Terminal.prototype, 'sell', fails),
  refund: () => replaced(Refunds.prototype, 'refund', fails),
  cancellation: () => replaced(PaymentService.prototype, 'cancel', fails),
  look: () => replaced(TrayAnswers.prototype, 'recognise', fails),
};

test('each call of a device that sells, gives back, cancels or looks is counted', async () => {
  await using device = await startTestDevice({ LANEWARE_CAMERA_DRIVER: 'replay' });
  await setUp(device);
  const { terminal, recognition } = device;
  const order = { amount: 100, purpose: 'milk' };
  let n = 0;
  const ask = (url: string, json: object) => {
    n += 1;
    return call(url, { json, headers: { 'content-type': 'application/json', 'idempotency-key': `key ${n}` } });
  };
  const sell = () => ask(`${terminal}/v1/payments`, order);
  const newest = async () => `${terminal}/v1/payments/${(await sell()).body.id}`;
  const calls: readonly (readonly [keyof typeof BREAKS, () => ReturnType<typeof call>])[] = [
    ['sale', sell],
    ['sale', () => ask(`${terminal}/showQR`, order)],
    ['refund', async () => ask(`${await newest()}/refunds`, { amount: 100 })],
    ['cancellation', async () => call(`${await newest()}/cancel`, { method: 'POST' })],
    ['look', () => call(`${recognition}/v1/recognition`)],
    ['look', () => call(`${recognition}/api/get_result`)],
  ];
  const isReported = async (work: Work): Promise<boolean> => {
    const { body } = await call(`${terminal}/health`);
    return saidBy({ report: () => body.health }).some((line) => line === REPORTED[work]);
  };
  for (const [at, [work, callNow]] of calls.entries()) {
    {
      using _broken = BREAKS[work]();
      for (const _ of [1, 2]) assert.is((await callNow()).status, 500, `${at}`);
      assert.ok(await isReported(work), `${at}: ${work}`);
    }
    const { status, body } = await callNow();
    const isDone = status < 300 && !(body.code < 0);
    assert.is(await isReported(work), !isDone, `${at}: ${work} ${status}`);
  }
});

test('a synchronisation that fails by its program is counted, and not as a lost master', async () => {
  const health = boardOf();
  const log = { info: () => undefined, warn: () => undefined };
  const device = { own: health.own, log, clock: { monotonic: () => 0 } } as unknown as OwnDevice;
  const none = {} as never;
  const member = new Member(device, none, none, none, fails, none, 1);
  member.start();
  await until('two rounds have failed', () => saidBy(health)[0] === REPORTED.synchronisation);
  assert.is(member.state.failure?.code, 'program');
  await member.stop();
});

test('an error of the line, the master or the storage is none of the program', () => {
  const odd = Object.assign(new TypeError('fetch failed'), { cause: new Error('refused') });
  const coded = Object.assign(new RangeError('port'), { code: 'ERR_SOCKET_BAD_PORT' });
  for (const error of [new Error('ECONNREFUSED'), odd, coded]) assert.is(syncFailure(error).code, 'unreachable');
});

test.run();
