/** What comes in late, or unheard, is pointed out until a till has read of it or a person has looked into it. */
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BankError } from '../../firmware/banks/bank-error.ts';
import { paymentProblems } from '../../firmware/payments/health.ts';
import { call, each, fieldsOf, setUp, startTestDevice, type TestDevice } from '../support.ts';
import { newestAtBank, payNewest } from './device-calls.ts';
import {
  asked,
  callerNamed,
  type Lane,
  MINUTE_MS,
  NO_POLLS,
  onLane,
  onLaneWith,
  openLane,
  PACING,
  refusal,
  registered,
  report,
  restarted,
  unreachable,
  until,
} from './harness.ts';
import { memberOf } from './same-sales.ts';

const test = suite('terminal: late payments');
const it = each(test, onLane);
const unasked = each(test, onLaneWith({ pacing: NO_POLLS }));

const problems = (l: Lane) => paymentProblems(l, l.clock);

/** As a till does that reads the status. */
const read = ({ payments }: Lane): string => {
  const status = payments.status();
  payments.markHandled(status);
  return status.status;
};

/** A payment that was paid before another was asked for, and refused that one. */
async function refusedOnce(l: Lane): Promise<void> {
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  assert.is((await refusal(l.showQR(200))).member, 'PreviousPaid');
}

it('paid past its code: the display is silent, and the next call of the amount is refused once', async (l) => {
  await l.showQR(100);
  l.clock.now += 5 * MINUTE_MS + PACING.graceMs;
  await until('its code is over', () => l.ledger.last()?.status.state === 'CANCELED');
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  await until('it is paid', () => l.ledger.last()?.status.state === 'ACCEPTED');
  assert.equal(l.display.drawn.at(-1), { kind: 'status', status: 'success' });
  l.clock.now += MINUTE_MS;
  assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid');
  assert.is(l.bank.registered.length, 1, 'no second code for what was paid');
});

unasked('PreviousPaid refuses once, and is named until a till reads ACCEPTED of that payment', async (l) => {
  await refusedOnce(l);
  assert.is(l.ledger.queries.lateCount(), 1);
  assert.is(problems(l).length, 1);
  assert.is(l.payments.status().status, 'ACCEPTED');
  assert.is(l.ledger.queries.lateCount(), 1, 'an answer that was not received reports nothing');
  assert.is(read(l), 'ACCEPTED');
  assert.is(l.ledger.queries.lateCount(), 0);
  assert.equal(problems(l), []);
  assert.is(await l.showQR(200), null);
});

unasked('a till that repeats gets through, and each answer reports it until somebody has looked', async (l) => {
  await refusedOnce(l);
  for (const amount of [200, 300]) {
    const note = await l.showQR(amount);
    assert.is(memberOf(note), 'PreviousPaid');
    assert.match(note?.message ?? '', /^100 kopecks \(1\.00 roubles\) were accepted late/);
  }
  assert.is(problems(l).length, 1);
  assert.is(read(l), 'PENDING');
  assert.is(l.ledger.queries.lateCount(), 1, 'PENDING of another payment does not report this one');
  const [late] = l.ledger.queries.late(10);
  assert.ok(l.payments.acknowledge(late?.orderId ?? '', null));
  assert.equal(problems(l), []);
  assert.is(memberOf(await l.showQR(400)), undefined);
  assert.not(l.payments.acknowledge(late?.orderId ?? '', null), 'there is nothing to look into any more');
  assert.not(l.payments.acknowledge('none', null));
});

unasked('a refusal that no till has read does not count: the next call is refused too', async (l) => {
  for (const amount of [100, 200]) {
    const n = l.bank.registered.length;
    await l.showQR(100);
    l.bank.verdicts.set(l.bankId(n), 'accepted');
    for (let tries = 0; tries < 3; tries += 1) {
      assert.is((await refusal(l.showQR(amount, { gone: AbortSignal.abort() }))).member, 'PreviousPaid');
      const { status, failure } = l.payments.status();
      assert.equal([status, memberOf(failure)], ['ERROR', 'PreviousPaid']);
      assert.is(l.ledger.queries.unreported().length, 1);
    }
    assert.is((await refusal(l.showQR(amount))).member, 'PreviousPaid');
    assert.is(l.bank.registered.length, n + 1);
    assert.is(read(l), 'ACCEPTED');
  }
});

unasked('of calls that share a refusal one that is read is enough, and it counts once it is read', async (l) => {
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), 'accepted');
  const both = [l.showQR(100, { gone: AbortSignal.abort() }), l.showQR(100)].map(refusal);
  assert.equal(fieldsOf(await Promise.all(both), 'member'), ['PreviousPaid', 'PreviousPaid']);
  assert.equal(l.ledger.queries.unreported(), []);
  assert.is(read(l), 'ACCEPTED');

  await l.showQR(300);
  l.bank.verdicts.set(l.bankId(1), 'accepted');
  const listeners: (() => void)[] = [];
  const caller = { ...callerNamed(null), whenAnswered: (heard: () => void) => void listeners.push(heard) };
  await refusal(l.showQR(300, { caller }));
  assert.is(l.ledger.queries.unreported().length, 1, 'the answer is on its way');
  assert.is(l.payments.status().status, 'ERROR');
  await refusal(l.showQR(400));
  assert.is(await l.showQR(500).then(memberOf), 'PreviousPaid');
  for (const heard of listeners) heard();
  assert.is(l.payments.status().status, 'PENDING', 'another call has begun since: the status is its own');
});

test('that it is pointed out, and that it has refused a call, survives a restart', async () => {
  const before = await openLane({ pacing: NO_POLLS });
  await refusedOnce(before);
  await using after = await restarted(before, { pacing: NO_POLLS });
  assert.is(after.payments.status().status, 'ACCEPTED');
  assert.is(after.ledger.queries.lateCount(), 1);
  assert.is(memberOf(await after.showQR(200)), 'PreviousPaid');
  const [late] = after.ledger.queries.late(1);
  assert.ok(late?.status.late);
});

test('that ACCEPTED was read survives a restart', async () => {
  const before = await openLane({ pacing: NO_POLLS });
  await refusedOnce(before);
  read(before);
  await using after = await restarted(before, { pacing: NO_POLLS });
  assert.is(after.ledger.queries.lateCount(), 0);
  assert.is(await after.showQR(100), null);
});

it('that ACCEPTED was read is remembered on a full disk, and written when there is room', async (l) => {
  await l.showQR(100);
  assert.is(read(l), 'PENDING');
  await report(l, 'accepted');
  l.ledger.fullFor = ['setStatus'];
  read(l);
  assert.ok(l.ledger.queries.unreported().length === 1, 'the ledger could not take it');
  l.ledger.fullFor = [];
  assert.is(await l.showQR(100), null);
  assert.equal(l.ledger.queries.unreported(), []);
});

it('a call that goes on although no till has read of an acceptance points it out from then on', async (l) => {
  await l.showQR(100);
  read(l);
  await report(l, 'accepted');
  assert.is(l.ledger.queries.lateCount(), 0);
  l.clock.now += 24 * 3_600_000;
  const note = await l.showQR(200);
  assert.is(memberOf(note), 'PreviousPaid');
  assert.is(l.ledger.queries.lateCount(), 1);
  assert.is((await refusal(l.showQR(100))).member, 'PreviousPaid', 'the same amount may be that sale');
});

it('another picture gives nothing up', async (l) => {
  await l.showQR(100);
  await l.view.showInfo('opening hours');
  await l.view.showSymbol('failure');
  assert.ok(l.ledger.last()?.status.awaited);
  await l.terminal.displayStatus(2);
  assert.ok(l.ledger.last()?.status.awaited);
  await report(l, 'accepted');
  assert.is(l.ledger.queries.lateCount(), 0);
});

it('while the bank does not report a payment, PENDING says so, until its next answer', async (l) => {
  const current = () => {
    const { status, failure } = l.payments.status();
    return [status, failure?.category, memberOf(failure)];
  };
  await l.showQR(100);
  l.bank.verdicts.set(l.bankId(0), unreachable());
  await asked(l);
  assert.equal(current(), ['PENDING', 'Bank', 'Unreachable']);
  l.bank.verdicts.set(l.bankId(0), new BankError('refused', 'the bank refused (HTTP 404)', { bankCode: 'E7' }));
  await asked(l);
  assert.equal(current(), ['PENDING', 'Bank', 'Refused']);
  assert.match(l.payments.status().failure?.message ?? '', /HTTP 404.*E7/);
  l.bank.verdicts.set(l.bankId(0), 'pending');
  await asked(l);
  assert.equal(current(), ['PENDING', undefined, undefined]);
});

unasked('a code drawn after the till hung up is not awaited; one that another till waits for is', async (l) => {
  const gone = new AbortController();
  l.bank.hold();
  const first = l.showQR(100, { gone: gone.signal });
  await registered(l);
  gone.abort();
  l.bank.release();
  await first;
  assert.not(l.ledger.last()?.status.awaited);
  l.bank.hold();
  const both = [l.showQR(200, { gone: gone.signal }), l.showQR(200)];
  await registered(l, 2);
  l.bank.release();
  await Promise.all(both);
  assert.ok(l.ledger.last()?.status.awaited);
});

const payment = async ({ recognition }: TestDevice) => (await call(`${recognition}/console/api/overview`)).body.payment;

/** Sends a call and closes the connection as a till does whose time limit is over. */
async function callAndHangUp(url: string, json: object, come: () => Promise<unknown>, next = ''): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const body = JSON.stringify(json);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}${next}`,
  );
  await come();
  socket.destroy();
}

test('over HTTP: a code whose till hangs up before it is drawn is there, marked as not awaited', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const { terminal, sandbox } = device;
  await call(`${sandbox}/sandbox/faults`, { json: { faults: [{ call: 'register', kind: 'delay', ms: 300 }] } });
  await callAndHangUp(`${terminal}/showQR`, { amount: 700 }, () =>
    until('the bank has heard of it', async () => (await newestAtBank(device)) !== undefined),
  );
  await until('the code is drawn', async () => (await payment(device)).onDisplay);
  await until('it is marked', async () => (await payment(device)).awaited === false);
  const again = await call(`${terminal}/showQR`, { json: { amount: 700 } });
  assert.equal(
    { status: again.status, error_category: again.body.error_category, error_code: again.body.error_code },
    { status: 200, error_category: 'Bank', error_code: 5 },
  );
  assert.is((await payment(device)).awaited, true);
  assert.is((await call(`${sandbox}/sandbox/payments`)).body.length, 1);
});

test('over HTTP: a status whose answer the till did not get is not read', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const { terminal, sandbox } = device;
  await call(`${terminal}/showQR`, { json: { amount: 500 } });
  const { orderId } = await payment(device);
  await call(`${sandbox}/sandbox/faults`, { json: { faults: [{ call: 'cancel', kind: 'refuse' }] } });
  await call(`${terminal}/clearScreen`, { method: 'POST' });
  await payNewest(device);
  const late = async () => (await call(`${terminal}/v1/payments?late=true`)).body.payments;
  await until('it is late', async () => (await late()).length === 1);
  assert.is((await call(`${terminal}/showQR`, { json: { amount: 600 } })).body.error_code, 4);
  // the answer about the status waits behind that of the call before it on the same connection
  await call(`${sandbox}/sandbox/faults`, { json: { faults: [{ call: 'register', kind: 'delay', ms: 300 }] } });
  const status = 'GET /getDynamicQRStatus HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  await callAndHangUp(
    `${terminal}/showQR`,
    { amount: 600 },
    () => until('the bank has heard of it', async () => (await newestAtBank(device)).amount === 600),
    status,
  );
  await until('the code is drawn', async () => (await payment(device)).onDisplay);
  assert.equal(fieldsOf(await late(), 'id'), [orderId]);
});

test.run();
