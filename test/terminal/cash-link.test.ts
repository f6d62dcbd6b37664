/** A printed code that each payment is put on: paid from the moment in which the bank hears of it, with or without a display. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FieldError } from '../../drivers/lib/errors.ts';
import type { OnlineBank } from '../../firmware/banks/bank.ts';
import { type BankProfile, openBank } from '../../firmware/banks/registry.ts';
import type { Pacing } from '../../firmware/payments/service/outcome/poll-schedule.ts';
import type { SandboxPayment } from '../../firmware/tools/sandbox-bank/payment.ts';
import { call, each, fieldsOf } from '../support.ts';
import { NOWHERE } from './banks/pools.ts';
import { buildSbpLink } from './banks/sbp-links.ts';
import { RAIFFEISENBANK as RAIF } from './conformance/banks.ts';
import { onRig, type Rig } from './conformance/rig.ts';
import { sellByQR, sendProfile } from './device-calls.ts';
import { NO_POLLS, openLane, refusal, unreachable, until } from './harness.ts';
import { memberOf } from './same-sales.ts';
import { withBanks } from './tbank.ts';

const test = suite('terminal: a cash link');

async function online(profile: BankProfile): Promise<OnlineBank> {
  const bank = await openBank(profile, NOWHERE);
  if (bank.kind !== 'online') throw new Error('expected an online bank');
  return bank;
}

interface LinkRig extends Rig {
  readonly link: string;
  /** Has the bank make another code and the profile name it, or none. Returns its link. */
  reprint(isPrinted: boolean): Promise<string | null>;
}

/** A rig whose profile has a printed code, which the bank has made. */
const onLink = (work: (rig: LinkRig) => Promise<void>, parts: Parameters<typeof onRig>[2] = {}) => {
  let cashLink: string | null = null;
  const bank = {
    ...RAIF,
    profile: (address: Parameters<typeof RAIF.profile>[0]): BankProfile => ({
      ...(RAIF.profile(address) as Extract<BankProfile, { bankName: 'Raiffeisenbank' }>),
      ...(cashLink !== null && { cashLink }),
    }),
  };
  return onRig(
    bank,
    async (rig) => {
      const reprint = async (isPrinted: boolean): Promise<string | null> => {
        const maker = await online(rig.setUp());
        const made = await maker.cashLinks?.create('Lane 3', AbortSignal.timeout(5000));
        await maker.close();
        cashLink = isPrinted ? (made?.payload ?? '') : null;
        rig.setUp();
        return cashLink;
      };
      await work({ ...rig, link: (await reprint(true)) ?? '', reprint });
    },
    parts,
  );
};
const it = each(test, onLink);
const onLinkWith = (pacing: Partial<Pacing>) => (work: (rig: LinkRig) => Promise<void>) => onLink(work, { pacing });
const unasked = each(test, onLinkWith(NO_POLLS));
const hasty = each(test, onLinkWith({ bankDeadlineMs: 600 }));
const hastyUnasked = each(test, onLinkWith({ ...NO_POLLS, bankDeadlineMs: 600 }));

const orders = ({ book }: Rig): SandboxPayment[] => book();
const open = (rig: Rig): [string | null, number][] =>
  orders(rig).flatMap(({ state, bankId, amount }) => (state === 'open' ? [[bankId, amount]] : []));
const pay = ({ sandbox }: Rig, order: SandboxPayment | undefined): void => {
  sandbox.payments.pay(order?.qrcId ?? '');
};

it('a payment is put on the printed code, shown on the display too, and followed to its end', async (rig) => {
  const { lane, rows, ends, link } = rig;
  await rig.show();
  assert.equal(lane.screen.picture.kind === 'qr' && lane.screen.picture.payload, link);
  const [order] = orders(rig);
  assert.equal([order?.bankId, order?.state], [rows()[0]?.orderId, 'open']);
  pay(rig, order);
  await ends('ACCEPTED');
  assert.is(orders(rig)[0]?.charges, 1);
  await rig.show(0, 500); // the next sale goes on the same code
  assert.is(orders(rig)[1]?.state, 'open');
  pay(rig, orders(rig)[1]);
  await ends('ACCEPTED', 1);
});

it('no display is needed', async (rig) => {
  rig.lane.display.unplug();
  await rig.show();
  pay(rig, orders(rig)[0]);
  await rig.ends('ACCEPTED');
});

unasked('the sale before is taken off the printed code, and the same sale stays on it', async (rig) => {
  await rig.show();
  await rig.show();
  assert.equal(rig.rows().length, 1, 'the same sale');
  await rig.show(0, 500);
  assert.equal(fieldsOf(orders(rig), 'state'), ['cancelled', 'open']);
  assert.equal(
    rig.rows().map(({ status }) => status.state),
    ['CANCELED', 'PENDING'],
  );
});

hasty('a payment whose answer from the bank is lost is taken back there, or followed', async (rig) => {
  rig.spoil({ call: 'register', kind: 'silence', times: 10 });
  await refusal(rig.show());
  const [row] = rig.rows();
  assert.equal(
    { state: row?.status.state, seen: row?.status.seen, withdrawn: row?.status.withdrawn },
    { state: 'ERROR', seen: true, withdrawn: true },
  );
  assert.equal(row?.ref?.id, row?.orderId);
  assert.equal(fieldsOf(orders(rig), 'state'), ['cancelled']);
  rig.spoil({ call: 'register', kind: 'silence', times: 10 }, { call: 'cancel', kind: 'error', times: 10 });
  await refusal(rig.show(0, 500));
  const order = orders(rig)[1];
  assert.is(order?.state, 'open', 'a customer may pay it');
  pay(rig, order);
  rig.spoil();
  assert.is((await refusal(rig.show(0, 500))).member, 'PreviousPaid', 'the till that asks again gets the refusal');
  assert.equal([rig.rows()[1]?.status.state, rig.rows()[1]?.status.late], ['ACCEPTED', true]);
});

it('what the bank refuses is on no code, and an error', async (rig) => {
  rig.spoil({ call: 'register', kind: 'refuse', times: 10 });
  assert.is((await refusal(rig.show())).member, 'Refused');
  const [row] = rig.rows();
  assert.equal([row?.status.state, row?.status.withdrawn], ['ERROR', true]);
  assert.equal(
    orders(rig).filter(({ state }) => state === 'open'),
    [],
  );
});

unasked('a sale that cannot be taken off the code is named beside the next: it may be paid instead', async (rig) => {
  await rig.show();
  rig.spoil({ call: 'cancel', kind: 'error', times: 10 });
  const beside = await rig.lane.showQR(50_000, { ttl: rig.bank.ttl });
  assert.is(memberOf(beside), 'PreviousOpen');
  assert.match(beside?.message ?? '', /could not be taken off the printed code.*: 12300 kopecks \(123\.00 roubles\)$/);
  await rig.reprint(true);
  assert.is(await rig.lane.showQR(70_000, { ttl: rig.bank.ttl }), null, 'it is on no code that hangs there');
});

unasked('where another code is printed, the same sale goes to that, and off the one before', async (rig) => {
  await rig.show();
  const link = await rig.reprint(true);
  rig.spoil({ call: 'cancel', kind: 'error', times: 10 });
  assert.is((await refusal(rig.show())).member, 'PreviousOpen', 'one of both is paid');
  rig.spoil();
  await rig.show();
  assert.equal(open(rig), [[rig.rows()[1]?.orderId, 12_300]]);
  assert.is(rig.rows()[1]?.payload, link);
  await rig.reprint(false);
  await rig.show();
  assert.equal(open(rig).length, 1);
  assert.is(rig.rows()[2]?.ref?.kind, 'code');
  await rig.reprint(true);
  await rig.show();
  assert.equal(open(rig), [[rig.rows()[3]?.orderId, 12_300]]);
});

unasked('what the bank puts on the code for another amount is taken off it, and an error', async (rig) => {
  for (const fault of [null, 'drop'] as const) {
    const add = rig.sandbox.payments.register.bind(rig.sandbox.payments);
    rig.sandbox.payments.register = (made, link) => add({ ...made, amount: 777 }, link);
    if (fault !== null) rig.spoil({ call: 'register', kind: fault, times: 1 });
    assert.is((await refusal(rig.show())).member, 'Contradiction', String(fault));
    assert.equal([open(rig), rig.rows().at(-1)?.status.withdrawn], [[], true], String(fault));
    rig.sandbox.payments.register = add;
  }
  await rig.show();
  assert.equal(open(rig), [[rig.rows().at(-1)?.orderId, 12_300]]);
});

it('a payment that was on the code when the power was cut is asked about after it', async (rig) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const register = rig.pool.register.bind(rig.pool);
  rig.pool.register = async (...call) => {
    const registered = await register(...call);
    await promise;
    return registered;
  };
  const call = rig.show().catch(() => undefined);
  await until('the bank has heard of it', () => orders(rig).length > 0);
  const [row] = rig.rows();
  assert.equal([row?.status.state, row?.status.seen], ['PENDING', true], 'as a process after this one finds it');
  pay(rig, orders(rig)[0]);
  await rig.ends('ACCEPTED');
  resolve();
  await call;
});

/** Breaks each connection by which a payment would be put on the code. */
const UNHEARD = { call: 'register', kind: 'drop-before', times: 100 } as const;
/** A sale that is refused, since its call to the bank is under way until it is let arrive. */
async function lostOnItsWay(rig: Rig): Promise<{ orderId: string; arrive: () => Promise<unknown> }> {
  const register = rig.pool.register.bind(rig.pool);
  let [bank, order]: Partial<Parameters<typeof register>> = [];
  rig.pool.register = (...call) => {
    [bank, order] = call;
    return Promise.reject(unreachable());
  };
  await refusal(rig.show());
  rig.pool.register = register;
  const arrive = async (): Promise<unknown> => bank && order && bank.begin(order, AbortSignal.timeout(5000));
  return { orderId: rig.rows()[0]?.orderId ?? '', arrive };
}
/** A sale of which the bank never hears. */
async function loseIt(rig: Rig): Promise<void> {
  rig.spoil(UNHEARD);
  await refusal(rig.show());
  rig.spoil();
}
/** The end of a payment's ttl and grace. */
const passTheEnd = (rig: Rig): void => rig.pass((rig.bank.ttl ?? 5) * 60 + 31);

hastyUnasked('a sale that the bank has never heard of is put on the code by its repetition, and once', async (rig) => {
  rig.spoil(UNHEARD);
  assert.is((await refusal(rig.show())).member, 'Unreachable');
  assert.is((await refusal(rig.show())).member, 'Unreachable', 'no success as long as the bank has nothing');
  assert.equal(orders(rig), []);
  rig.spoil();
  rig.pass(60);
  await rig.show();
  const [row, ...more] = rig.rows();
  assert.equal([open(rig), more], [[[row?.orderId, row?.amount]], []]);
  const expiry = Date.parse(orders(rig)[0]?.expiresAt ?? '');
  assert.ok(Math.abs(expiry - (row?.createdAt ?? 0) - (row?.ttl ?? 0) * 60_000) <= 2000, 'no longer than here');
  await rig.show();
  assert.is(orders(rig).length, 1, 'what the bank has confirmed is not asked for again');
  pay(rig, orders(rig)[0]);
  assert.is((await refusal(rig.show())).member, 'PreviousPaid');
  assert.is(orders(rig)[0]?.charges, 1);
});

hastyUnasked('a refusal of the repetition takes nothing back: the call before may be under way', async (rig) => {
  rig.spoil(UNHEARD);
  await refusal(rig.show());
  rig.spoil({ call: 'register', kind: 'refuse', times: 10 });
  assert.is((await refusal(rig.show())).member, 'Refused');
  assert.equal([rig.rows().length, rig.rows()[0]?.status.withdrawn], [1, false]);
  rig.spoil();
  const beside = await rig.lane.showQR(50_000, { ttl: rig.bank.ttl });
  assert.is(memberOf(beside), 'Unreachable', 'its outcome is unknown');
});

unasked('nor does a refusal after an attempt that was lost: the bank may carry that out yet', async (rig) => {
  const register = rig.pool.register.bind(rig.pool);
  const calls: Parameters<typeof register>[] = [];
  rig.pool.register = (...call) => {
    calls.push(call);
    return register(...call);
  };
  rig.spoil({ ...UNHEARD, times: 1 }, { call: 'register', kind: 'refuse', times: 10 });
  assert.is((await refusal(rig.show())).member, 'Refused');
  assert.equal([rig.rows()[0]?.status.state, rig.rows()[0]?.status.withdrawn], ['ERROR', false]);
  rig.spoil();
  for (const [bank, order] of calls) await bank.begin(order, AbortSignal.timeout(5000));
  pay(rig, orders(rig)[0]);
  assert.is((await refusal(rig.show())).member, 'PreviousPaid');
  assert.equal([rig.rows()[0]?.status.state, orders(rig).length], ['ACCEPTED', 1]);
});

it('what is paid before its call is answered is drawn no more', async (rig) => {
  const register = rig.pool.register.bind(rig.pool);
  rig.pool.register = async (...call) => {
    const registered = await register(...call);
    pay(rig, orders(rig)[0]);
    await rig.ends('ACCEPTED');
    return registered;
  };
  await rig.show();
  assert.is.not(rig.lane.screen.picture.kind, 'qr');
});

hastyUnasked('the sale that is asked for again takes the place of the one on the code', async (rig) => {
  await loseIt(rig);
  await rig.show(0, 500);
  await rig.show();
  assert.equal(open(rig), [[rig.rows()[0]?.orderId, 12_300]]);
  assert.equal(
    rig.rows().map(({ status }) => status.state),
    ['PENDING', 'CANCELED'],
  );
});

hastyUnasked('what the bank has not heard of in its time is over, and the same sale a new one', async (rig) => {
  await loseIt(rig);
  rig.pass(200);
  assert.is((await refusal(rig.show())).member, 'PreviousOpen', 'too late to show it, too early to be sure');
  passTheEnd(rig);
  await rig.show();
  assert.equal(open(rig), [[rig.rows()[1]?.orderId, 12_300]]);
});

unasked('an order that comes to the bank after all, and is paid, is accepted however late', async (rig) => {
  const { orderId, arrive } = await lostOnItsWay(rig);
  passTheEnd(rig);
  assert.is((await rig.lane.payments.cancel(orderId)).outcome, 'withdrawn');
  await arrive();
  pay(rig, orders(rig)[0]);
  await rig.lane.stop();
  const { clock, pool, lane } = rig;
  const after = await openLane({ db: lane.db, clock, real: { pool, profile: rig.setUp() } });
  try {
    await rig.ends('ACCEPTED');
    assert.is(rig.rows()[0]?.status.late, true);
  } finally {
    await after.stop();
  }
});

hastyUnasked('a payment that the bank does not know counts as taken back once its time is over', async (rig) => {
  await loseIt(rig);
  const orderId = rig.rows()[0]?.orderId ?? '';
  assert.is((await rig.lane.payments.cancel(orderId)).outcome, 'unknown');
  assert.is(rig.rows()[0]?.status.withdrawn, false);
  passTheEnd(rig);
  assert.is((await rig.lane.payments.cancel(orderId)).outcome, 'withdrawn');
  assert.is(rig.rows()[0]?.status.withdrawn, true);
});

it('an order that the bank has confirmed is not over for not being found: another may be asked', async (rig) => {
  await rig.show();
  let questions = 0;
  rig.sandbox.payments.byBankId = () => {
    questions += 1;
    return null;
  };
  passTheEnd(rig);
  const before = questions;
  await until('more questions', () => questions > before + 3);
  await refusal(rig.show());
  assert.equal([rig.rows().length, rig.rows()[0]?.status.state], [1, 'PENDING']);
  assert.is((await rig.lane.payments.cancel(rig.rows()[0]?.orderId ?? '')).outcome, 'not-possible');
});

unasked('an order that comes just after the bank did not find it is not taken for withdrawn', async (rig) => {
  const { orderId, arrive } = await lostOnItsWay(rig);
  await arrive();
  passTheEnd(rig);
  const { payments } = rig.sandbox;
  const find = payments.byBankId.bind(payments);
  payments.byBankId = (...which) => {
    payments.byBankId = (...again) => {
      const found = find(...again);
      return found && { ...found, state: 'processing' };
    };
    return find(which[0], which[1], 'none');
  };
  assert.is((await rig.lane.payments.cancel(orderId)).outcome, 'unknown');
  assert.is(rig.rows()[0]?.status.withdrawn, false);
});

unasked('a sale that a power cut kept from the bank is put on the code by the next call, or ends', async (rig) => {
  const { clock, pool, lane } = rig;
  const register = pool.register.bind(pool);
  const { promise: powerCut, reject: release } = Promise.withResolvers<never>();
  pool.register = () => powerCut;
  const call = rig.show().catch(() => undefined);
  await until('the intent', () => rig.rows()[0]?.ref != null);
  pool.register = register;
  const after = await openLane({ db: lane.db, clock, real: { pool, profile: rig.setUp() } });
  try {
    assert.is(after.payments.status().status, 'PENDING');
    await after.showQR(12_300, { ttl: rig.bank.ttl });
    assert.equal(open(rig), [[rig.rows()[0]?.orderId, 12_300]]);
    pay(rig, orders(rig)[0]);
    await rig.ends('ACCEPTED');
    after.payments.markHandled(after.payments.status());
    pool.register = () => powerCut;
    void after.showQR(50_000, { ttl: rig.bank.ttl }).catch(() => undefined);
    await until('the next intent', () => rig.rows()[1]?.ref != null);
    passTheEnd(rig);
    await rig.ends('CANCELED', 1);
  } finally {
    release(unreachable());
    await call;
    await after.stop();
  }
});

test('what is no link of a printed code is refused by its field', async () => {
  const opened = (url: string, cashLink: string): Promise<unknown> =>
    openBank({ ...RAIF.profile({ url, folder: '' }), baseUrl: url, cashLink } as BankProfile, NOWHERE).catch(
      (cause: unknown) => cause,
    );
  const [here, theBank] = ['http://127.0.0.1:9', 'https://pay.raif.ru'];
  const one = buildSbpLink({ id: 'AD1A0042', type: '02', bank: '100000000007', sum: 10_000 });
  const fixed = buildSbpLink({ id: 'AS1A0042', type: '01', bank: '100000000007', sum: 10_000 });
  for (const [url, link, reason] of [
    [here, 'the sticker at lane 3', /does not lead to https:\/\/qr\.nspk\.ru/],
    [here, 'https://evil.example/AS1A0042', /does not lead/],
    [theBank, 'https://sub.nspk.ru/AS1A0042', /does not lead/],
    [theBank, 'http://127.0.0.1:9/pay/AS1A0042', /does not lead/],
    [theBank, one, /not for many payments/],
    [theBank, fixed, /with an amount/],
    [theBank, 'https://qr.nspk.ru/AS1A0042?type=01&type=01', /malformed/],
    [theBank, `https://qr.nspk.ru/AS1A0042?type=01&x=${'x'.repeat(3000)}`, /no QR code can hold/],
  ] as const) {
    const error = await opened(url, link);
    assert.ok(error instanceof FieldError && error.field === 'cashLink', link);
    assert.match(error.message, reason);
  }
  const good = buildSbpLink({ id: 'AS1A0042', type: '01', bank: '100000000007' });
  // what hangs in the shop with a wrong checksum is only warned about
  for (const link of [good, good.replace(/.$/, good.endsWith('0') ? '1' : '0'), 'https://qr.nspk.ru/AS1A0042']) {
    const bank = await opened(theBank, link);
    assert.is(bank instanceof FieldError, false, link);
    await (bank as OnlineBank).close();
  }
});

test('a sale by its key stays on its printed code, and is shown by none that is printed later', () =>
  withBanks(async (device) => {
    const raif = RAIF.profile({ url: device.sandbox, folder: '' });
    const print = async (): Promise<string> => {
      const { body } = await call(`${device.terminal}/v1/cash-links`, { json: {} });
      assert.is((await sendProfile(device, { ...raif, cashLink: body.link })).status, 200);
      return body.link;
    };
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' };
    const sell = () => call(`${device.terminal}/v1/payments`, { json: { amount: 12_300 }, headers });
    const shown = async () => (await call(`${device.recognition}/display/state`)).body.payload ?? null;
    assert.is((await sendProfile(device, raif)).status, 200);
    const link = await print();
    const first = await sell();
    assert.equal([first.status, first.body.payload], [201, link], first.text);
    await call(`${device.terminal}/showInfoQR`, { json: { infoQR: 'opening hours' } });
    const again = await sell();
    assert.equal(
      { status: again.status, id: again.body.id, shown: await shown() },
      { status: 200, id: first.body.id, shown: link },
    );
    await call(`${device.terminal}/showInfoQR`, { json: { infoQR: 'opening hours' } });
    await print();
    const later = await sell();
    assert.equal(
      [later.status, later.body.id, later.body.state, await shown()],
      [200, first.body.id, 'PENDING', 'opening hours'],
    );
    assert.is((await call(`${device.sandbox}/sandbox/payments`)).body.length, 1);
  }));

test('a technician has the bank make a code, sets it, and a till is paid by it', () =>
  withBanks(async (device) => {
    const raif = RAIF.profile({ url: device.sandbox, folder: '' });
    assert.is((await sendProfile(device, raif)).status, 200);
    const made = await call(`${device.terminal}/v1/cash-links`, { json: { description: 'Lane 3' } });
    assert.is(made.status, 200, made.text);
    assert.is((await sendProfile(device, { ...raif, cashLink: made.body.link })).status, 200);
    await sellByQR(device, 12_300);
    for (const json of [{ description: 7 }, { description: 'x'.repeat(141) }])
      assert.is((await call(`${device.terminal}/v1/cash-links`, { json })).status, 400);
    assert.is((await sendProfile(device, { bankName: 'Sandbox' })).status, 200);
    const refused = await call(`${device.terminal}/v1/cash-links`, { json: {} });
    assert.equal([refused.status, refused.body.code], [409, 'Bank.NoCashLinks']);
    assert.match(refused.body.detail, /Sandbox makes no codes to print/);
  }));

test.run();
