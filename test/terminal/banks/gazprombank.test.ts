import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type BankError, type RefundOrder, UNREPORTED } from '../../../firmware/terminal/banks/bank.ts';
import { GazprombankBank } from '../../../firmware/terminal/banks/gazprombank/gazprombank.ts';
import { openBank } from '../../../firmware/terminal/banks/registry.ts';
import { each } from '../../support.ts';
import { bankContract, onWire, type WireRig } from './contract.ts';
import { bankError, begun, O1, partBack, patient, reportOf, sale } from './support.ts';
import {
  type Asked,
  changed,
  codeId,
  type Fault,
  instead,
  LONG_NUMBER,
  linkTo,
  lost,
  type Reply,
  startWireBank,
  withNumbers,
} from './wire-bank.ts';

const test = suite('gazprombank');

const PASSWORD = 'password-of-the-shop';
const IDS = { account: '40702810293001099999', merchantId: 'MA0000084118' } as const;

const done = (more: object): Reply => ({ body: { code: '000', message: 'Запрос обработан успешно', ...more } });
const no = (code: string): Reply => ({
  body: { code, message: 'reported by the bank', transactionId: '000000069099' },
});

interface Code {
  status: string;
  trxId: string | null;
  isBlocked: boolean;
}

interface Draft {
  readonly of: unknown;
  readonly amount: unknown;
  status: string;
  confirmations: number;
}

/** What the bank has in its books, and how it answers by them. */
class Books {
  readonly codes = new Map<string, Code>();
  readonly drafts = new Map<string, Draft>();
  /** Whether it is the gateway of 2021. */
  isOld = false;

  answer({ call, json = {} }: Asked): Reply {
    switch (call) {
      case 'POST /merchant/qrc-data':
        return this.#register(Number(json.amount));
      case 'POST /merchant/qrc-status':
        return this.isOld ? { status: 404, body: '<html>' } : this.#states(json.qrcIds as string[]);
      case 'PUT /payment/v1/qrc-status':
        return this.isOld ? this.#states(json.qrcIds as string[]) : { status: 404, body: '' };
      case 'POST /merchant/qrc-block':
        return this.#block(String(json.qrcId));
      case 'POST /merchant/transfer/return/prepare':
        return this.#prepare(json);
      case 'POST /merchant/transfer/return/confirm':
        return this.#confirm(String(json.transactionId));
      case 'POST /operation/info': {
        const id = String(json.transactionId);
        const draft = this.drafts.get(id);
        return draft === undefined
          ? no('404')
          : done({ transactionId: id, type: 'QR_RETURNING', status: draft.status });
      }
    }
    throw new Error(`no answer is written for ${call}`);
  }

  #register(amount: number): Reply {
    const qrcId = codeId(this.codes.size + 1);
    this.codes.set(qrcId, { status: 'NOT_STARTED', trxId: null, isBlocked: false });
    return done({ transactionId: '000000069055', data: { qrcId, payload: linkTo(qrcId, amount), status: 'CREATED' } });
  }

  #states(ids: readonly string[]): Reply {
    const data = ids.map((qrcId) => {
      const code = this.codes.get(qrcId);
      const known = code && { status: code.status, ...(code.trxId !== null && { trxId: code.trxId }) };
      return { qrcId, code: 'RQ00000', message: 'Запрос обработан успешно', ...known };
    });
    return done({ transactionId: '000000069059', data });
  }

  #block(qrcId: string): Reply {
    const code = this.codes.get(qrcId);
    if (code === undefined || code.isBlocked || code.status !== 'NOT_STARTED') return no('017');
    code.isBlocked = true;
    return done({ transactionId: '1' });
  }

  #prepare({ transactionId, amount }: Record<string, unknown>): Reply {
    const id = `00000007000${this.drafts.size}`;
    this.drafts.set(id, { of: transactionId, amount, status: 'DRAFT', confirmations: 0 });
    return done({ transactionId: id });
  }

  #confirm(id: string): Reply {
    const draft = this.drafts.get(id);
    if (draft?.status !== 'DRAFT') return no('021');
    draft.confirmations += 1;
    draft.status = 'IN_PROGRESS';
    return done({ transactionId: id });
  }
}

type Rig = WireRig<Books, GazprombankBank>;

const withBank = (work: (rig: Rig) => Promise<void>): Promise<void> =>
  onWire(
    new Books(),
    (baseUrl, log) => new GazprombankBank({ ...IDS, baseUrl, login: 'LA0000006784', password: PASSWORD, log }),
    work,
  );
const it = each<[Rig]>(test, (run) => () => withBank(run));

const refundOf = (changes: Partial<RefundOrder> = {}): RefundOrder =>
  partBack({ ref: { id: codeId(1) }, trxId: '000000069057', ...changes });
const only = <T>(things: ReadonlyMap<string, T>): T => {
  const [thing] = things.values();
  if (thing === undefined) throw new Error('nothing is there');
  return thing;
};

it('a code is registered with the fields and headers of the gateway', async ({ wire, bank }) => {
  const { ref, payload } = await begun(bank, { ...O1, ttl: 15 });
  assert.equal([ref, payload], [{ id: codeId(1) }, linkTo(codeId(1), 12_345)]);
  const { headers, json } = wire.asked[0] as Asked;
  assert.equal([headers.login, headers.password], ['LA0000006784', PASSWORD]);
  assert.equal(json, {
    ...IDS,
    templateVersion: '01',
    qrcType: '02',
    amount: '12345',
    currency: 'RUB',
    paymentPurpose: 'Кофе и булочка',
    qrTtl: '15',
  });
  await begun(bank, sale({ purpose: null }));
  assert.not.ok(Object.hasOwn(wire.asked[1]?.json as object, 'paymentPurpose'));
});

const STATUS = 'POST /merchant/qrc-status';
const registered = (data: object, more: object = { code: '000' }) => instead(200, { ...more, data });
/** The honest state of the code, changed. */
const stating =
  (change: (state: object) => readonly object[]): Fault =>
  (honest) => {
    const { body, ...reply } = honest();
    const { data, ...rest } = body as { readonly data: readonly [object] };
    return { ...reply, body: { ...rest, data: change(data[0]) } };
  };
const stated = (fields: object) => stating((state) => [{ ...state, ...fields }]);

bankContract<Books, GazprombankBank, Partial<Code>>(test, {
  withBank,
  secrets: [PASSWORD],
  register: 'POST /merchant/qrc-data',
  state: STATUS,
  failures: [
    [instead(500, { code: '999', message: PASSWORD }), 'unreachable'],
    [instead(200, { code: '012', message: `the password ${PASSWORD} is wrong` }), 'refused'],
    [instead(200, { code: 0, message: 'a number is no success' }), 'refused'],
    [registered({ qrcId: codeId(1), payload: linkTo(codeId(1), 1) }), 'contradiction'],
    [registered({ qrcId: codeId(2), payload: linkTo(codeId(1), 12_345) }), 'contradiction'],
    [registered({ qrcId: codeId(1) }), 'contradiction'],
    [registered({ qrcId: codeId(1), payload: linkTo(codeId(1), 12_345) }, {}), 'contradiction'],
  ],
  put: ({ codes }, state) => Object.assign([...codes.values()].at(-1) ?? {}, { isBlocked: false, ...state }),
  verdicts: [
    [{ status: 'NOT_STARTED' }, 'pending'],
    [{ status: 'RECEIVED' }, 'processing'],
    [{ status: 'IN_PROGRESS' }, 'processing'],
    [{ status: 'REJECTED' }, 'rejected'],
    [{ status: 'SOMETHING_NEW' }, 'processing'],
    [{ status: 'DONE' }, 'processing'],
  ],
  paid: { status: 'ACCEPTED', trxId: '000000069057' },
  accepted: { ...UNREPORTED, trxId: '000000069057' },
  untrue: [
    [stating(() => [])],
    [stated({ qrcId: codeId(9) })],
    // an error of its own, or another sum or currency than ours, where it reports them
    ...['RQ05000', '012', 0].map((code) => [stated({ code })] as const),
    [stated({ code: '012', status: 'REJECTED' })],
    [stated({ amount: '12346' })],
    [stated({ amount: '123.45' })],
    [stated({ currency: 'USD' })],
    [stating((state) => [state, { ...state, qrcId: 'x' }])],
    [changed({ data: null })],
  ],
  true: [{ code: '000' }, { code: null }, { amount: 12_345, currency: 'RUB' }, { amount: null }].map(stated),
  long: withNumbers(({ data, ...body }) => ({
    ...body,
    data: [{ ...(data as object[])[0], trxId: `#${LONG_NUMBER}` }],
  })),
  afterLost: 2,
  codesOf: ({ codes }) => codes.size,
  cancels: [
    [{ status: 'NOT_STARTED' }, 'withdrawn'],
    [{ status: 'IN_PROGRESS' }, 'already-paid'],
    [{ status: 'ACCEPTED' }, 'already-paid'],
    [{ status: 'REJECTED' }, 'not-possible'],
  ],
  refund: null,
});

it('states are asked for at the newer path, by the id of the code', async ({ wire, bank, logged }) => {
  const { ref } = await begun(bank);
  await reportOf(bank, ref);
  assert.equal([wire.calls.slice(1), wire.asked.at(-1)?.json, logged], [[STATUS], { qrcIds: [ref.id] }, []]);
});

test('a profile as another driver has it, without login and password, is asked without these headers', async () => {
  const books = new Books();
  await using wire = await startWireBank((asked) => books.answer(asked));
  const profile = { bankName: 'Gazprombank', ...IDS, baseUrl: wire.url } as const;
  const bank = await openBank(profile, { cftBaseUrl: null, sandboxBaseUrl: null });
  if (bank.kind !== 'online') throw new Error('expected an online bank');
  await bank.begin(O1, patient());
  assert.equal([wire.asked[0]?.headers.login, wire.asked[0]?.headers.password], [undefined, undefined]);
  await bank.close();
});

for (const status of [404, 405]) {
  it(`a gateway that answers the newer path with ${status} is asked at the older one from then on, logged once`, async ({
    wire,
    books,
    bank,
    logged,
  }) => {
    const { ref } = await begun(bank);
    books.isOld = true;
    only(books.codes).status = 'ACCEPTED';
    wire.once('POST /merchant/qrc-status', instead(status, 'nothing here'));
    for (let times = 0; times < 2; times++) assert.is((await reportOf(bank, ref)).verdict, 'accepted');
    assert.equal(wire.calls.slice(1), [
      'POST /merchant/qrc-status',
      'PUT /payment/v1/qrc-status',
      'PUT /payment/v1/qrc-status',
    ]);
    assert.is(logged.length, 1);
    assert.match(logged[0] ?? '', /nothing at POST \/merchant\/qrc-status.*PUT \/payment\/v1\/qrc-status/);
  });
}

it('a path is given up only where the other has answered', async ({ wire, bank, logged }) => {
  const { ref } = await begun(bank);
  wire.once('POST /merchant/qrc-status', instead(404, ''));
  await bankError('refused', bank.status(ref, patient()));
  for (const fault of [instead(500, ''), instead(403, ''), instead(200, { code: '007', message: 'no' })]) {
    wire.once('POST /merchant/qrc-status', fault);
    await bank.status(ref, patient()).catch(() => undefined);
  }
  assert.is((await reportOf(bank, ref)).verdict, 'pending');
  assert.is(wire.calls.filter((call) => call.startsWith('PUT')).length, 1);
  assert.equal(logged, []);
});

it('a code that the bank does not know is reported as such, in its words', async ({ wire, bank }) => {
  const { ref } = await begun(bank);
  const data = [{ qrcId: ref.id, code: 'RQ05000', message: `no such code for ${PASSWORD}` }];
  wire.once('POST /merchant/qrc-status', changed({ data }));
  const error = await bankError('refused', reportOf(bank, ref));
  assert.equal(
    [error.bankCode, error.message],
    ['RQ05000', 'the bank returned no state of the code (no such code for <PASSWORD>)'],
  );
});

it('a numeric error code is reported like any other, in the words of the bank alone', async ({ wire, bank }) => {
  wire.once('POST /merchant/qrc-data', instead(200, { code: 12, message: 'busy', description: 'of the field' }));
  const { bankCode, message } = await bankError('refused', begun(bank));
  assert.equal([bankCode, message], ['12', 'the bank refused (HTTP 200: busy)']);
});

it('a code is withdrawn by the code of a success alone', async ({ wire, bank }) => {
  const { ref } = await begun(bank);
  wire.once('POST /merchant/qrc-block', lost);
  await bankError('unreachable', bank.cancel(ref, patient()));
  // blocked already, but the bank does not say so
  assert.is(await bank.cancel(ref, patient()), 'not-possible');
  wire.once('POST /merchant/qrc-block', instead(200, {}));
  await bankError('contradiction', bank.cancel(ref, patient()));
  wire.once('POST /merchant/qrc-status', changed({ data: [{ qrcId: 'x', status: 'ACCEPTED' }] }));
  await bankError('contradiction', bank.cancel(ref, patient()));
});

it('a refund is a draft first, and confirmed once, no matter which answers are lost', async ({ wire, books, bank }) => {
  wire.once('POST /merchant/transfer/return/prepare', lost);
  await bankError('unreachable', bank.refund(refundOf(), patient()));
  const prepared = await bank.refund(refundOf({ isRepeated: true }), patient());
  assert.equal(prepared, { state: 'pending', bankRefundId: '000000070001', reason: null });
  assert.equal(wire.asked.at(-1)?.json, { transactionId: '000000069057', amount: '2345', currency: 'RUB' });
  assert.ok(
    [...books.drafts.values()].every(({ confirmations }) => confirmations === 0),
    'nothing has gone back',
  );

  const { bankRefundId } = prepared;
  const draft = books.drafts.get('000000070001') as Draft;
  assert.is(await bank.findRefund(refundOf({ bankRefundId }), patient()), null, 'a draft gives nothing back');
  assert.is(await bank.findRefund(refundOf(), patient()), null);
  assert.is(draft.confirmations, 0, 'to look for it does not confirm it');
  wire.once('POST /merchant/transfer/return/confirm', lost);
  await bankError('unreachable', bank.refundStatus(refundOf({ bankRefundId }), patient()));
  assert.equal(await bank.refundStatus(refundOf({ bankRefundId }), patient()), prepared);
  assert.equal(await bank.refund(refundOf({ bankRefundId, isRepeated: true }), patient()), prepared);
  for (const [status, state] of [
    ['ERROR_CHECK', 'pending'],
    ['INCOMPLETE', 'pending'],
    ['PERFORMED', 'done'],
    ['CANCELLED', 'refused'],
    ['ERROR', 'refused'],
  ] as const) {
    draft.status = status;
    const report = await bank.refundStatus(refundOf({ bankRefundId }), patient());
    assert.is(report.state, state);
    assert.equal(await bank.findRefund(refundOf({ bankRefundId }), patient()), report);
    assert.is(report.reason, state === 'refused' ? `the bank ended the refund as ${status}` : null);
  }
  assert.is(wire.calls.filter((call) => call.endsWith('/return/confirm')).length, 1, 'asked for once, too');
  assert.equal(
    [...books.drafts.values()].map(({ confirmations }) => confirmations),
    [0, 1],
  );
});

it('a draft that the bank refuses to make is a refusal, also where an earlier one was lost: that one is never confirmed', async ({
  wire,
  books,
  bank,
}) => {
  const prepare = 'POST /merchant/transfer/return/prepare';
  wire.once(prepare, lost);
  await bankError('unreachable', bank.refund(refundOf(), patient()));
  for (const order of [refundOf({ isRepeated: true }), refundOf()]) {
    wire.once(prepare, () => no('042'));
    const { state, bankRefundId, reason } = await bank.refund(order, patient());
    assert.equal([state, bankRefundId], ['refused', null]);
    assert.match(reason ?? '', /bank code 042/);
  }
  wire.once(prepare, instead(401, {}));
  assert.ok((await bankError('refused', bank.refund(refundOf({ isRepeated: true }), patient()))).isUnauthorized);
  for (const fault of [instead(503, {}), instead(200, '{')]) {
    wire.once(prepare, fault);
    const error = await bank.refund(refundOf({ isRepeated: true }), patient()).catch((cause: unknown) => cause);
    assert.is.not((error as BankError).code, 'refused');
  }
  assert.is(only(books.drafts).confirmations, 0);
});

it('a confirmation that is refused settles nothing by itself: the bank is asked what it has', async ({
  wire,
  books,
  bank,
}) => {
  const { bankRefundId } = await bank.refund(refundOf(), patient());
  const draft = only(books.drafts);
  wire.once('POST /merchant/transfer/return/confirm', instead(200, { code: '030', message: 'busy' }));
  const error = await bankError('unreachable', bank.refundStatus(refundOf({ bankRefundId }), patient()));
  assert.match(error.message, /not confirmed the refund yet: .*busy.*030/);
  wire.once('POST /merchant/transfer/return/confirm', () => {
    draft.status = 'PERFORMED'; // by the confirmation before
    return no('021');
  });
  assert.is((await bank.refundStatus(refundOf({ bankRefundId }), patient())).state, 'done');
  wire.once('POST /operation/info', changed({ transactionId: 'another' }));
  await bankError('contradiction', bank.refundStatus(refundOf({ bankRefundId }), patient()));
});

it('a confirmation is not sent again where a kept connection breaks', async ({ wire, bank }) => {
  wire.isKeeping = true;
  const { bankRefundId } = await bank.refund(refundOf(), patient());
  wire.once('POST /merchant/transfer/return/confirm', lost);
  await bankError('unreachable', bank.refundStatus(refundOf({ bankRefundId }), patient()));
  assert.equal(wire.calls.slice(1), ['POST /operation/info', 'POST /merchant/transfer/return/confirm']);
});

it('a refund needs the transaction of the payment, which is asked for where it is not known', async ({
  wire,
  books,
  bank,
}) => {
  await begun(bank);
  await bankError('refused', bank.refund(refundOf({ trxId: null }), patient()));
  only(books.codes).trxId = '000000069060';
  await bank.refund(refundOf({ trxId: null }), patient());
  assert.is(wire.asked.at(-1)?.json?.transactionId, '000000069060');
  await bankError('refused', bank.refundStatus(refundOf(), patient()));
});

test.run();
