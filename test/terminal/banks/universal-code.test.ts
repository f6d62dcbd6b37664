/** The code of 2026 at each bank: a table of what it may bring, each cell a check, or the reason for which the bank has none. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memberOf } from '../../../drivers/lib/strict-json.ts';
import type { BankRef, BankReport } from '../../../firmware/banks/bank-payment.ts';
import type { RefundOrder } from '../../../firmware/banks/bank-refund.ts';
import type { PaymentMethod } from '../../../firmware/banks/method.ts';
import { unusualForm } from '../../../firmware/banks/payment-link.ts';
import { adapterOf } from '../../../firmware/banks/registry.ts';
import { refusalCode } from '../../../firmware/payments/model/refund.ts';
import { SBER_PRESENT } from './profiles.ts';
import { buildSbpLink } from './sbp-links.ts';
import { bankError, begun, O1, partBack, patient, reportOf, sale } from './support.ts';
import { ASKED_BANKS, type TableRig, withBank } from './universal-code.ts';
import { type Asked, type Fault, instead, rewritten } from './wire-bank.ts';

const test = suite('the universal code at each bank');

/** Why a bank has no such cell. */
interface NotOffered {
  readonly notOffered: string;
}
const notOffered = (reason: string): NotOffered => ({ notOffered: reason });

type Fields = Readonly<Record<string, unknown>>;

interface Row {
  /** The call that gives the code. */
  readonly code: string;
  /** Whether the payment system's id of the code stands beside its link. */
  readonly namesId: boolean;
  /** The calls that report a payment. */
  readonly states: readonly string[];
  /** How a payment was paid, as the bank writes it. */
  readonly way: ((word: string) => Fields) | NotOffered;
  /** The bank's word for digital roubles, and what it is read as. */
  readonly digitalRouble: readonly [word: string, method: PaymentMethod] | NotOffered;
  /** The call that refunds, and how the bank refuses it. */
  readonly refusal: readonly [call: string, refused: (words: string) => Fault] | NotOffered;
  /** The call that names the end of an order, and the minutes to it. */
  readonly end: readonly [call: string, minutes: (sent: Fields) => number] | NotOffered;
}

const MINUTE_MS = 60_000;
const minutesTo = (moment: unknown): number => (Date.parse(String(moment)) - Date.now()) / MINUTE_MS;
const NO_METHOD = notOffered('its status says nothing of a method');
const NO_REFUNDS = notOffered('no refunds through its interface');
const UNPUBLISHED = 'MADE_UP_DIGITAL_ROUBLE';
const RBS: Row = {
  code: 'POST /rbs/payment/rest/sbp/c2b/qr/dynamic/get.do',
  namesId: false,
  states: ['POST /rbs/payment/rest/getOrderStatusExtended.do'],
  way: (paymentWay) => ({ paymentWay }),
  digitalRouble: ['SANDBOX_DIGITAL_ROUBLE', 'digital-rouble'],
  refusal: ['POST /rbs/payment/rest/refund.do', (errorMessage) => instead(200, { errorCode: '7', errorMessage })],
  end: ['POST /rbs/payment/rest/register.do', ({ sessionTimeoutSecs }) => Number(sessionTimeoutSecs) / 60],
};
const PRESENT = 'POST /sber/ecomm/gw/partner/api/v1';
const TOCHKA = '/tochka/v1.0/sites/made-up-site';
/** The amount of `O1`. */
const AS_O1 = { amount: '123.45', currency: 'RUB' };
const OF_THE_CODE_ALONE = { namesId: true, way: NO_METHOD, digitalRouble: NO_METHOD } as const;
const TABLE: Readonly<Record<string, Row>> = {
  'Alfa Bank': RBS,
  Sber: RBS,
  [SBER_PRESENT]: {
    ...RBS,
    code: `${PRESENT}/register.do`,
    namesId: true,
    states: [`${PRESENT}/getOrderStatusExtended.do`],
    refusal: [`${PRESENT}/refund.do`, (errorMessage) => instead(200, { errorCode: '5', errorMessage })],
    end: [`${PRESENT}/register.do`, ({ sessionTimeoutSecs }) => Number(sessionTimeoutSecs) / 60],
  },
  VTB: RBS,
  'MTS Bank': RBS,
  CFT: {
    code: 'POST /qr',
    ...OF_THE_CODE_ALONE,
    states: ['GET /qr/state/'],
    refusal: NO_REFUNDS,
    end: ['POST /qr', ({ expDt, localExpDt }) => (localExpDt === Number(expDt) * 60 ? Number(expDt) : Number.NaN)],
  },
  'Alfa Bank Token': {
    code: 'POST /anyway',
    ...OF_THE_CODE_ALONE,
    states: ['POST /anyway'],
    refusal: NO_REFUNDS,
    end: ['POST /anyway', ({ qrTtl }) => Number(qrTtl)],
  },
  Gazprombank: {
    code: 'POST /gpb/merchant/qrc-data',
    ...OF_THE_CODE_ALONE,
    states: ['POST /gpb/merchant/qrc-status'],
    refusal: ['POST /gpb/merchant/transfer/return', (message) => instead(200, { code: '001', message })],
    end: ['POST /gpb/merchant/qrc-data', ({ qrTtl }) => Number(qrTtl)],
  },
  Raiffeisenbank: {
    code: 'POST /raif/api/sbp/v2/qrs',
    ...OF_THE_CODE_ALONE,
    states: ['GET /raif/api/sbp/'],
    refusal: ['POST /raif/api/sbp/v1/refund', (message) => instead(400, { code: 'ERROR.MADE_UP', message })],
    end: ['POST /raif/api/sbp/v2/qrs', ({ qrExpirationDate }) => minutesTo(qrExpirationDate)],
  },
  Tinkoff: {
    code: 'POST /tbank/v2/GetQr',
    namesId: false,
    states: ['POST /tbank/v2/GetState', 'POST /tbank/v2/CheckOrder'],
    way: (Value) => ({ Params: [{ Key: 'Source', Value }] }),
    digitalRouble: [UNPUBLISHED, 'unknown'],
    refusal: ['POST /tbank/v2/Cancel', (Message) => instead(200, { Success: false, ErrorCode: '8', Message })],
    end: ['POST /tbank/v2/Init', ({ RedirectDueDate }) => minutesTo(RedirectDueDate)],
  },
  Tochka: {
    code: `POST ${TOCHKA}/sbp/qrc`,
    namesId: true,
    states: [`GET ${TOCHKA}/sbp/qrc/`],
    way: (type) => ({
      Data: [{ paymentUid: 'P1', status: { value: 'COMPLETED' }, amount: AS_O1, paymentMethod: { type } }],
    }),
    digitalRouble: ['DIGITAL_RUBLE', 'digital-rouble'],
    refusal: [
      `POST ${TOCHKA}/payments/`,
      (message) => instead(400, { code: '400', message: 'MADE_UP', Errors: [{ errorCode: 'MADE_UP', message }] }),
    ],
    end: [`POST ${TOCHKA}/sbp/qrc`, ({ Data }) => Number(memberOf(Data, 'ttl'))],
  },
  YooKassa: {
    code: 'POST /yookassa/v3/payments',
    namesId: false,
    states: ['GET /yookassa/v3/payments/'],
    way: (type) => ({ payment_method: { type } }),
    digitalRouble: [UNPUBLISHED, 'unknown'],
    refusal: [
      'POST /yookassa/v3/refunds',
      (description) => instead(400, { type: 'error', code: 'forbidden', description }),
    ],
    end: notOffered('a code lives an hour; the interface has no field'),
  },
};

/** Public samples. */
const [NEW_ID, ...NEW_IDS] = [
  'AD10104HJJKN6HP99UF9JTN9943UV80E',
  'AD1P103IEBA77RP79I38RKM66BLF5AAI',
  'AD10102GGBV5PN519G0BKLFSHPH57CBL',
] as const;
const whole = (id: string): string => buildSbpLink({ id, type: '02', bank: '100000000007', sum: O1.amount });

/** An honest answer with another link, and its id where the bank names one. */
const linked = (link: string, id: string): Fault =>
  rewritten((body) =>
    JSON.parse(JSON.stringify(body), (name, value) => {
      if (name === 'qrcId' || name === 'qrId') return id;
      return typeof value === 'string' && value.includes('/pay/') ? link : value;
    }),
  );

/** What says who has paid, or names an operation of SBP: digital roubles have neither. */
const OF_SBP = /^(bankInfo|authRefNum|sndPhoneMasked|payer_bank_details|sbp_operation_id|RRN|Rrn|SbpPaymentId)$/;
const paidInDigitalRoubles = (fields: Fields): Fault =>
  rewritten((body) => ({
    ...JSON.parse(JSON.stringify(body), (name, value) => (OF_SBP.test(name) ? undefined : value)),
    ...fields,
  }));

async function paid({ bank, books, wire }: TableRig, { states }: Row, fields: Fields): Promise<[BankRef, BankReport]> {
  const { ref } = await begun(bank);
  books.payments.pay(books.last.qrcId);
  for (const state of states) wire.always(state, paidInDigitalRoubles(fields));
  return [ref, await reportOf(bank, ref)];
}

/** A form or JSON. */
const sentIn = ({ json, text }: Asked): Fields => json ?? Object.fromEntries(new URLSearchParams(text));
/** What the way to the bank may take on a slow machine. */
const ON_THE_WAY_MS = 20_000;
/** Any field by which a bank might be told an end. */
const ABOUT_AN_END = /ttl|expir|due|timeout|lifetime|expDt/i;

for (const name of ASKED_BANKS) {
  const row = TABLE[name];
  if (row === undefined) throw new Error(`${name} has no row in this table`);
  const { code, namesId, way, digitalRouble, refusal, end } = row;
  const it = (what: string, work: (rig: TableRig) => Promise<void>) =>
    test(`${name}: ${what}`, () => withBank(name, work));

  it(
    namesId
      ? 'a bare link is shown with the id that the bank names, and no other'
      : 'a bare link is refused: the bank names no id',
    async ({ bank, wire }) => {
      const bare = `https://qr.nspk.ru/${NEW_ID}`;
      wire.once(code, linked(bare, NEW_ID));
      if (!namesId) {
        assert.match((await bankError('contradiction', begun(bank))).message, 'no id to know it by');
        return;
      }
      const { payload, ref } = await begun(bank);
      assert.equal([payload, ref.link], [bare, 'no-amount']);
      wire.once(code, linked(bare, NEW_IDS[0]));
      assert.match((await bankError('contradiction', begun(bank, sale()))).message, 'another payment');
    },
  );

  it('ids of 2026, a wrong checksum and a new field are shown, and named', async ({ bank, wire }) => {
    for (const [link, form] of [
      ...[NEW_ID, ...NEW_IDS].map((id) => [whole(id), null] as const),
      [whole(NEW_ID).replace(/crc=.*/, 'crc=0000'), 'another checksum (crc)'],
      [whole(NEW_ID).replace('&crc', '&way=2&crc'), 'a new field: way'],
    ] as const) {
      wire.once(code, linked(link, new URL(link).pathname.slice(1)));
      const { payload } = await begun(bank, sale());
      assert.equal([payload, unusualForm(payload, 'nspk')], [link, form]);
    }
  });

  it('a payment by an unknown method is paid, without a word of the payer', async (rig) => {
    const isSaid = !('notOffered' in way);
    const [, { verdict, payer, paidBy }] = await paid(rig, row, isSaid ? way('NEWEST_WAY') : {});
    assert.equal([verdict, payer], ['accepted', null]);
    assert.equal(paidBy, isSaid ? { method: 'unknown', word: 'NEWEST_WAY' } : null, 'NO_METHOD');
  });

  it("a payment in digital roubles is paid, and keeps the bank's word", async (rig) => {
    const word = 'notOffered' in digitalRouble ? null : digitalRouble[0];
    const [, { verdict, payer, paidBy }] = await paid(rig, row, word === null || 'notOffered' in way ? {} : way(word));
    assert.equal([verdict, payer], ['accepted', null]);
    assert.equal(paidBy, 'notOffered' in digitalRouble ? null : { method: digitalRouble[1], word });
  });

  it('a refund refused for want of a consent has a code of its own', async (rig) => {
    const { bank, wire } = rig;
    const [ref, { trxId }] = await paid(rig, row, {});
    if ('notOffered' in refusal) {
      assert.is(bank.refund, undefined, refusal.notOffered);
      return;
    }
    const [call, refused] = refusal;
    wire.once(call, refused('Нет согласия магазина на возвраты'));
    const order: RefundOrder = partBack({ ref, trxId });
    const report = await bank.refund?.(order, patient());
    if (report === undefined) throw new Error(`${name} refunds nothing`);
    assert.is(refusalCode(report), 'Bank.NoConsent', JSON.stringify(report));
  });

  if ('notOffered' in end) {
    it(`no end of an order is sent: ${end.notOffered}`, async ({ bank, wire }) => {
      const { ttl } = adapterOf(name).capabilities;
      assert.ok('fixed' in ttl);
      await begun(bank, sale({ ttl: ttl.fixed }));
      for (const { text } of wire.asked) assert.not.match(text, ABOUT_AN_END);
    });
    continue;
  }
  const [registers, minutes] = end;
  for (const ttl of [1, 7, 1440])
    it(`the end of an order is the lane's ttl: ${ttl} min`, async ({ bank, wire, books }) => {
      await begun(bank, sale({ ttl }));
      const registration = wire.asked.find((asked) => asked.call.startsWith(registers));
      if (registration === undefined) throw new Error(`${registers} was not asked: ${wire.calls}`);
      const { createdAt, expiresAt } = books.last;
      const kept = (Date.parse(expiresAt) - Date.parse(createdAt)) / MINUTE_MS;
      for (const each of [minutes(sentIn(registration)), kept])
        assert.ok(Math.abs(each - ttl) * MINUTE_MS < ON_THE_WAY_MS, `${each} min: ${registration.text}`);
    });
}

test.run();
