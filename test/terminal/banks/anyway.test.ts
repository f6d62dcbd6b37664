import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FieldError } from '../../../drivers/lib/errors.ts';
import type { OnlineBank } from '../../../firmware/banks/bank.ts';
import { adapterOf, openBank } from '../../../firmware/banks/registry.ts';
import { fits } from '../../../firmware/core/schema/index.ts';
import { each } from '../../support.ts';
import { certify } from '../certify.ts';
import { luckyPassword } from './certificates.ts';
import { BankBooks, type BankRig, bankContract, onBank } from './contract.ts';
import { NOWHERE } from './pools.ts';
import { bankError, begun, O1, patient, reportOf, sale, withFolder } from './support.ts';
import { type Asked, changed, codeId, honestly, instead, LONG_NUMBER, linkTo, withNumbers } from './wire-bank.ts';

const test = suite('alfa token');
const ALIAS = '0107029316_test_03.06.2028';

const KEYS = generateKeyPairSync('rsa', { modulusLength: 2048 });
const LOCKED = { cipher: 'aes-256-cbc', passphrase: 'made-up-passphrase' } as const;

function keyFile(folder: string, name: string, key: KeyObject, locked: object = {}): string {
  const path = join(folder, name);
  writeFileSync(path, key.export({ type: 'pkcs8', format: 'pem', ...locked }));
  return path;
}

async function opened(profile: object): Promise<OnlineBank> {
  const bank = await openBank(
    { bankName: 'Alfa Bank Token', termNo: '30005150', keyName: ALIAS, ...profile } as never,
    NOWHERE,
  );
  if (bank.kind !== 'online') throw new Error('expected an online bank');
  return bank;
}

const withBank = (work: (rig: BankRig<OnlineBank>) => Promise<void>): Promise<void> =>
  withFolder((folder) => {
    const signKeyPath = keyFile(folder, 'sign.key', KEYS.privateKey);
    return onBank(
      BankBooks,
      (path) => path,
      (url, _log, { keys }) => {
        keys.set(ALIAS, KEYS.publicKey);
        return opened({ signKeyPath, baseUrl: `${url}/anyway` });
      },
      work,
    );
  });
const it = each<[BankRig<OnlineBank>]>(test, (run) => () => withBank(run));

/** Whether the signature of a call is right: RSA with the padding of PKCS #1 v1.5. */
const isSigned = ({ text, headers }: Asked): boolean =>
  verify('sha256', Buffer.from(text), KEYS.publicKey, Buffer.from(String(headers.authorization), 'base64'));

it('every call is signed over its very bytes, and in no other way', async ({ wire, books, bank }) => {
  const { ref, payload } = await begun(bank, { ...O1, ttl: 15 });
  const { qrcId, bankId, link } = books.last;
  assert.equal([ref, payload], [{ id: qrcId, payrrn: bankId }, link]);
  await reportOf(bank, ref);
  const [registration, question] = wire.asked as [Asked, Asked];
  for (const asked of [registration, question]) {
    assert.ok(isSigned(asked), asked.text);
    assert.equal(
      [asked.headers['key-name'], asked.headers['content-type']],
      [ALIAS, 'application/x-www-form-urlencoded'],
    );
    assert.match(String(asked.headers.authorization), /^[A-Za-z0-9+/]+=*$/);
  }
  assert.not.ok(isSigned({ ...registration, text: `${registration.text} ` }));
  assert.equal(registration.json, {
    command: 'GetQRCd',
    TermNo: '30005150',
    qrcType: '02',
    amount: 12_345,
    currency: 'RUB',
    paymentPurpose: 'Кофе и булочка',
    qrTtl: 15,
  });
  assert.equal(question.json, { command: 'GetQRCstatus', TermNo: '30005150', qrcId });
  await begun(bank, sale({ purpose: null }));
  assert.is(wire.asked.at(-1)?.json?.paymentPurpose, 'Оплата покупки');
});

bankContract<BankBooks, OnlineBank, string>(test, {
  withBank,
  secrets: [],
  register: 'POST',
  state: 'POST',
  failures: [
    [instead(403, '<html>'), 'refused'],
    [instead(200, { ErrorCode: 0 }), 'contradiction'],
    [instead(200, { ErrorCode: 0, qrcId: codeId(1), payload: linkTo(codeId(1), 1) }), 'contradiction'],
  ],
  put: ({ wire, books: { payments, last } }, status) => {
    if (status === 'paid') payments.pay(last.qrcId);
    wire.always('POST', status === 'paid' ? honestly : changed({ status }));
  },
  verdicts: [
    ['NTST', 'pending'],
    ['RCVD', 'processing'],
    ['ACTC', 'processing'],
    ['RJCT', 'rejected'],
    ['NEWS', 'processing'],
    // not before it has a transaction
    ['ACWP', 'processing'],
  ],
  paid: 'paid',
  accepted: ({ last: { trxId, paidAt } }) => ({
    amounts: [12_345],
    currencies: ['RUB'],
    orderIds: [],
    trxId,
    paidAt: Math.trunc(Date.parse(paidAt ?? '') / 1000) * 1000,
    refunded: null,
    payer: null,
    paidBy: null,
  }),
  untrue: [
    { qrcId: codeId(2) },
    { qrcId: 7 },
    ...[1, '12346', null, undefined].map((amount) => ({ amount })),
    { currency: 'USD' },
  ].map((fields) => [changed(fields)]),
  true: [changed({ trxDT: 'soon' }), changed({ ErrorCode: '0' })],
  long: withNumbers((body) => ({ ...body, trxId: `#${LONG_NUMBER}` })),
  afterLost: 2,
  codesOf: ({ count }) => count,
  cancels: [],
  refund: null,
});

it('no sale is put on a printed code: after a lost activation nothing could ask about it', async (rig) => {
  const { bank } = rig;
  assert.equal([bank.printed, bank.cashLinks], [undefined, undefined]);
  const { schema } = adapterOf('Alfa Bank Token');
  const of = {
    bankName: 'Alfa Bank Token',
    termNo: '1',
    keyName: 'k',
    signKeyPath: 'k.pem',
    baseUrl: 'http://127.0.0.1',
  };
  assert.equal([fits(schema, of), fits(schema, { ...of, cashLink: linkTo('AS1', 0) })], [true, false]);
});

it('ACWP without a transaction is not paid', async ({ wire, bank }) => {
  const { ref } = await begun(bank);
  for (const trxId of [null, '', 0]) {
    wire.always('POST', changed({ status: 'ACWP', trxId }));
    assert.is((await reportOf(bank, ref)).verdict, 'processing');
  }
});

it('a transaction may be a number, and a time that cannot be read is none', async ({ wire, books, bank }) => {
  const { ref } = await begun(bank);
  books.payments.pay(ref.id);
  wire.once(
    'POST',
    withNumbers((body) => ({ ...body, trxId: '#7', trxDT: 'soon' })),
  );
  const { verdict, trxId, paidAt } = await reportOf(bank, ref);
  assert.equal([verdict, trxId, paidAt], ['accepted', '7', null]);
});

it('a refusal of the gateway is reported in readable words', async ({ wire, bank }) => {
  for (const [message, text] of [
    ['%u041D%u0435%u0442 QR', 'Нет QR'],
    [encodeURIComponent('Нет QR'), 'Нет QR'],
    ['100% wrong', '100% wrong'],
  ] as const) {
    wire.once('POST', instead(200, { ErrorCode: '42', message }));
    const { bankCode, message: said } = await bankError('refused', begun(bank));
    assert.equal([bankCode, said], ['42', `the bank refused (HTTP 200: ${text})`]);
  }
  await bankError('refused', bank.status({ id: codeId(9) }, patient()));
});

test('a signing key may be locked; one that cannot sign is refused by field, without passphrase', () =>
  withFolder(async (folder) => {
    certify(folder, 'elliptic');
    const locked = keyFile(folder, 'locked.key', KEYS.privateKey, LOCKED);
    const { passphrase } = LOCKED;
    await (await opened({ signKeyPath: locked, passphrase, baseUrl: 'https://bank.example' })).close();
    const ofPassphrase = 'cannot be used: it does not open the key, or the certificate, that the profile names';
    for (const [signKeyPath, why, reason, field = 'signKeyPath', wrong = 'wrong-passphrase'] of [
      [join(folder, 'none'), 'cannot be used: it cannot be read (ENOENT)', null],
      [join(folder, 'elliptic.key'), 'cannot be used: it holds no RSA key', 'not-rsa'],
      [
        join(folder, 'elliptic.crt'),
        'cannot be used: it holds no key in PEM, or another passphrase opens it',
        'unopened',
      ],
      [locked, ofPassphrase, 'wrong-password', 'passphrase'],
      [locked, ofPassphrase, 'wrong-password', 'passphrase', luckyPassword(readFileSync(locked))],
    ] as const) {
      try {
        await opened({ signKeyPath, passphrase: wrong, baseUrl: 'https://bank.example' });
        throw new Error(`${signKeyPath} was taken`);
      } catch (error) {
        if (!(error instanceof FieldError)) throw error;
        assert.equal(
          { field: error.field, message: error.message, reason: error.reason },
          { field, message: why, reason },
        );
      }
    }
  }));

test.run();
