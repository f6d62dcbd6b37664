/** What `/v1` answers where it answers no success: each code over HTTP, and never a 500 for what a caller or a bank has sent. */
import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isoTime, isoTimeOrNull } from '../../drivers/lib/iso-time.ts';
import { MESSAGES_OF_PATTERNS, patternWithMessage, portablePattern } from '../../firmware/core/schema/patterns.ts';
import { problemsWith } from '../../firmware/core/schema/schema.ts';
import { terminalProblems } from '../../firmware/payments/http/v1/problem.ts';
import { localDay } from '../../firmware/payments/model/local-day.ts';
import { waitedTooLong } from '../../firmware/payments/model/payment-failures.ts';
import {
  type Answer,
  call,
  each,
  onSetUpDevice,
  problem,
  SANDBOX_SETTINGS,
  startTestDevice,
  type TestDevice,
} from '../support.ts';
import { startWireBank } from './banks/wire-bank.ts';
import { sendProfile } from './device-calls.ts';

const test = suite('terminal: refusals of /v1');

const STATIC_QR = 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G?type=01&bank=100000000007&crc=0C8A';

async function use(device: TestDevice, profile: object): Promise<void> {
  const { status, text } = await sendProfile(device, profile);
  assert.is(status, 200, text);
}

const it = each(test, onSetUpDevice);

async function show({ terminal }: TestDevice, amount: number): Promise<string> {
  const shown = await call(`${terminal}/showQR`, { json: { amount } });
  assert.is(shown.status, 200, shown.text);
  return (await call(`${terminal}/v1/payments?limit=1`)).body.payments[0].id;
}

const refund = ({ terminal }: TestDevice, id: string, key: string, json: object = { amount: 'all' }): Promise<Answer> =>
  call(`${terminal}/v1/payments/${id}/refunds`, { json, headers: { 'idempotency-key': key } });

it('an id of any length is a problem of /v1, never a 500', async ({ terminal }) => {
  for (const length of [101, 153, 5000]) {
    const at = `${terminal}/v1/payments/${'0'.repeat(length)}`;
    const expected = length > 128 ? [400, 'RequestParams.InvalidField'] : [404, 'Payments.NotFound'];
    assert.equal(problem(await call(at)), expected);
    for (const action of ['refunds', 'cancel', 'acknowledge']) {
      const json = action === 'refunds' ? { amount: 'all' } : {};
      const answer = await call(`${at}/${action}`, { json, headers: { 'idempotency-key': 'r-1' } });
      assert.equal(problem(answer), expected, `${action} ${length}`);
    }
  }
});

it('for every spelling of a path that the router takes, failures are problems, early ones too', async ({
  terminal,
}) => {
  assert.equal(problem(await call(`${terminal}/V1/payments/unknown`)), [404, 'Payments.NotFound']);
  assert.equal(problem(await call(`${terminal}//v1//payments/unknown`)), [404, 'Payments.NotFound']);
  const broken = await call(`${terminal}/v1/payments/%zz`);
  assert.match(broken.headers.get('content-type') ?? '', /^application\/problem\+json/);
  assert.equal([broken.status, broken.body.code], [400, 'RequestParams.InvalidRequest']);
  const wrongMethod = await call(`${terminal}/v1/payments`, { method: 'PUT' });
  assert.equal(problem(wrongMethod), [405, 'RequestParams.WrongMethod']);
  assert.is(wrongMethod.body.title, 'Method Not Allowed');
});

it('an unknown filter is refused by its name: it would have found everything', async ({ terminal }) => {
  for (const path of ['payments?foo=1', 'payments?amount=1&foo=1', 'reports/day?foo=2026-11-21']) {
    const answer = await call(`${terminal}/v1/${path}`);
    assert.equal([...problem(answer), answer.body.field], [400, 'RequestParams.InvalidField', 'foo'], path);
  }
});

it('a day that no calendar has is refused by the name of its field, wherever one is asked for', async ({
  terminal,
}) => {
  const file = Buffer.from('QR id;Сумма\r\n').toString('base64');
  for (const day of ['0000-00-00', '2026-02-29']) {
    const asked = [
      ['day', await call(`${terminal}/v1/payments?day=${day}`)],
      ['day', await call(`${terminal}/v1/reports/day?day=${day}`)],
      ['from', await call(`${terminal}/v1/reconciliations`, { json: { from: day, file } })],
      ['to', await call(`${terminal}/v1/reconciliations`, { json: { from: '2026-11-21', to: day, file } })],
    ] as const;
    for (const [field, answer] of asked)
      assert.equal([...problem(answer), answer.body.field], [400, 'RequestParams.InvalidField', field], day);
  }
});

it('a wrong filter is refused by its name', async ({ terminal }) => {
  const values: Readonly<Record<string, readonly string[]>> = {
    amount: ['-1', '', '0', '12.5', '01', '1e3', '1'.repeat(13), '%20', '1&amount=2'],
    number: ['0', '-1', 'x', '1'.repeat(16)],
    cursor: ['x'],
    limit: ['0', '1001', '1.5', 'x'],
    late: ['yes', '1', 'TRUE', ''],
    orderId: ['', 'x'.repeat(129), '%00'],
    qrcId: ['x'.repeat(129)],
    trxId: ['x'.repeat(129)],
    day: ['21.11.2026'],
  };
  const asked = Object.entries(values).flatMap(([field, all]) =>
    all.map((value) => [field, `payments?${field}=${value}`] as const),
  );
  for (const [field, path] of [
    ...asked,
    ['day', 'reports/day?day='] as const,
    ['format', 'reports/day?format=pdf'] as const,
    ['id', 'payments/%00'] as const,
  ]) {
    const answer = await call(`${terminal}/v1/${path}`);
    assert.equal([...problem(answer), answer.body.field], [400, 'RequestParams.InvalidField', field], path);
  }
  const { detail } = (await call(`${terminal}/v1/payments?amount=12,5`)).body;
  assert.is(
    detail,
    'amount must be a whole number from 1 kopeck (0.01 roubles) to 999999999999 kopecks (9999999999.99 roubles), not a text',
  );
  const file = await call(`${terminal}/v1/reconciliations`, { json: { from: '2026-11-21', file: 'a b' } });
  assert.match(file.body.detail, /^file must be the whole file in base64/);
});

test("a pattern has one wording, or two limits with one would be reported in the other's words", () => {
  assert.is(
    patternWithMessage('^patternWithMessage-once$', 'must be this'),
    patternWithMessage('^patternWithMessage-once$', 'must be this'),
  );
  assert.throws(() => patternWithMessage('^patternWithMessage-once$', 'must be that'), /must be this/);
});

it("an empty or too long text is refused by length alone: a field's two rules are no choice", async (device) => {
  const id = await show(device, 1200);
  for (const [why, detail] of [
    ['', 'why must not be empty'],
    ['\n'.repeat(501), 'why must have at most 500 characters'],
  ] as const) {
    const answer = await refund(device, id, 'r-1', { amount: 1, why });
    assert.equal([problem(answer), answer.body.detail], [[400, 'RequestParams.InvalidField'], detail]);
  }
});

it('no call of either port has a pattern without a wording for people', async ({ terminal, recognition }) => {
  const worded = new Set([...MESSAGES_OF_PATTERNS.keys()].map(portablePattern)); // as the documents have them
  for (const port of [terminal, recognition]) {
    const patterns: string[] = [];
    JSON.parse((await call(`${port}/openapi.json`)).text, (name, value) => {
      if (name === 'pattern' && typeof value === 'string') patterns.push(value);
      return value;
    });
    assert.ok(patterns.length > 0);
    assert.equal(
      [...new Set(patterns)].filter((pattern) => !worded.has(pattern)),
      [],
    );
  }
  const [unworded] = problemsWith(Type.String({ pattern: '^not-worded$' }), 'x');
  assert.match(unworded?.must ?? '', /^has not the form/);
});

it('the days that a schema takes are those of the calendar', async ({ terminal }) => {
  const { pattern } = (await call(`${terminal}/openapi.json`)).body.components.schemas.Day;
  const taken = new RegExp(pattern);
  const two = (part: number): string => String(part).padStart(2, '0');
  for (let year = 1970; year < 3000; year += 1)
    for (let month = 1; month <= 12; month += 1)
      for (const date of [0, 1, 28, 29, 30, 31, 32]) {
        const day = `${year}-${two(month)}-${two(date)}`;
        const exists = date > 0 && date <= new Date(Date.UTC(year, month, 0)).getUTCDate();
        if (taken.test(day) !== exists) assert.unreachable(day);
      }
  assert.is(localDay('2026-11-21').day, '2026-11-21');
});

const ANY = 'whole number from 1 kopeck (0.01 roubles) to 100000000 kopecks (1000000.00 roubles)';

it('an amount of a refund that is none is refused with what it may be', async ({ terminal }) => {
  for (const [amount, detail] of [
    ['half', `amount must be a ${ANY} or "all"`],
    [null, `amount must be a ${ANY} or "all"`],
    [0, 'amount must be at least 1 kopeck (0.01 roubles) or "all"'],
    [1e15, 'amount must be at most 100000000 kopecks (1000000.00 roubles) or "all"'],
  ] as const) {
    const answer = await call(`${terminal}/v1/payments/x/refunds`, { json: { amount, id: 'r-1' } });
    assert.equal([answer.status, answer.body.detail], [400, detail]);
  }
});

it('an unknown field refunds nothing: it may have been meant for the amount', async (device) => {
  const id = await show(device, 20_000);
  for (const [json, field] of [
    [{ Amount: 100 }, 'amount'],
    [{ amount: 'all', Amount: 100 }, 'Amount'],
  ] as const) {
    const answer = await refund(device, id, 'r-1', json);
    assert.equal([...problem(answer), answer.body.field], [400, 'RequestParams.InvalidField', field]);
  }
  assert.equal((await call(`${device.terminal}/v1/payments/${id}`)).body.refunds, []);
});

it('a payment of a static code is not refundable here, and its time does not end', async (device) => {
  await use(device, { bankName: 'Static', staticQR: STATIC_QR });
  const id = await show(device, 2000);
  assert.equal(problem(await refund(device, id, 'r-1')), [409, 'Payments.NotRefundable']);
  const { body } = await call(`${device.terminal}/v1/payments/${id}`);
  assert.equal(
    { state: body.state, expiresAt: body.expiresAt, silence: body.silence },
    { state: 'STATIC', expiresAt: null, silence: null },
    'no bank reports it, nor ends it',
  );
});

it('what a bank answers to a code to print, or does not, has its code', async (device) => {
  let answer: { status: number; body: object } = { status: 400, body: {} };
  const bank = await startWireBank(() => answer);
  const profile = { bankName: 'Raiffeisenbank', sbpMerchantId: 'MA0000000001', secretKey: 'made-up-secret' };
  await use(device, { ...profile, baseUrl: bank.url });
  const made = () => call(`${device.terminal}/v1/cash-links`, { json: {} });
  answer = { status: 400, body: { code: 'ERROR.INVALID', message: 'нет' } };
  assert.equal(problem(await made()), [502, 'Bank.Refused']);
  answer = { status: 200, body: { qrId: 'AS1', payload: 'https://example.org/' } };
  assert.equal(problem(await made()), [502, 'Bank.Contradiction']);
  await bank[Symbol.asyncDispose]();
  assert.equal(problem(await made()), [503, 'Bank.Unreachable']);
});

/** Over HTTP it comes after twelve seconds of a queue (`call-queue.test.ts` has that). */
test('a call that has waited too long is to be asked again', () => {
  const refused = terminalProblems.fromError(waitedTooLong());
  const { code } = { code: null, ...refused?.body };
  assert.equal([refused?.status, code], [503, 'RequestParams.TooMany']);
});

test('a time outside the years of four digits is not returned', () => {
  assert.equal([isoTimeOrNull(null), isoTimeOrNull(-1), isoTimeOrNull(253_402_300_800_000)], [null, null, null]);
  assert.equal([isoTimeOrNull(0), isoTimeOrNull(Number.NaN)], ['1970-01-01T00:00:00.000Z', null]);
  assert.is(isoTimeOrNull(253_402_300_799_999), '9999-12-31T23:59:59.999Z');
  const clipped = [Number.NaN, -5, 8.64e15, Number.POSITIVE_INFINITY].map(isoTime);
  const [first, last] = ['1970-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
  assert.equal(clipped, [first, first, last, last]);
});

const WRONG: readonly (readonly [settings: object, code: string, field: string])[] = [
  [{ ...SANDBOX_SETTINGS, bankProfile: 'shop' }, 'DriverSettings.MissingBankProfile', 'bankProfile'],
  [
    { ...SANDBOX_SETTINGS, bankProfiles: { sandbox: { bankName: 'No such' } } },
    'DriverSettings.UnknownBank',
    'bankProfiles.sandbox.bankName',
  ],
  [
    { ...SANDBOX_SETTINGS, bankProfiles: { sandbox: { bankName: 'CFT' } } },
    'CFTBankSettings.MissingAccAlias',
    'bankProfiles.sandbox.accAlias',
  ],
  [{ ...SANDBOX_SETTINGS, bankProfiles: { sandbox: 'none' } }, 'RequestParams.InvalidField', 'bankProfiles.sandbox'],
  [
    { ...SANDBOX_SETTINGS, deviceConnection: { connectionType: 'Drum' } },
    'RequestParams.InvalidField',
    'deviceConnection.connectionType',
  ],
];

test('a field at fault is named as the body of the call has it', async () => {
  await using device = await startTestDevice();
  for (const [settings, code, field] of WRONG) {
    const body = JSON.stringify(settings);
    const headers = { 'content-type': 'application/json' };
    const refused = await call(`${device.recognition}/console/api/settings`, { method: 'PUT', headers, body });
    assert.is(refused.status, 400, refused.text);
    assert.is(refused.body.code, code, refused.text);
    assert.is(refused.body.field, field, refused.text);
    assert.not.match(refused.body.detail, 'settings.', 'the sentence, too');
    const older = await call(`${device.terminal}/updateDriverSettings`, { json: { settings } });
    assert.match(older.text, 'settings.', 'the older call has them in its member');
  }
});

test.run();
