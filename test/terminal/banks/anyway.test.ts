import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FieldError } from '../../../drivers/lib/errors.ts';
import { fits } from '../../../firmware/store/index.ts';
import type { OnlineBank } from '../../../firmware/terminal/banks/bank.ts';
import { adapterOf, openBank } from '../../../firmware/terminal/banks/registry.ts';
import { each } from '../../support.ts';
import { certify } from '../certify.ts';
import { bankContract, onWire, type WireRig } from './contract.ts';
import { NOWHERE } from './pools.ts';
import { bankError, begun, O1, patient, reportOf, sale, withFolder } from './support.ts';
import { type Asked, changed, codeId, instead, LONG_NUMBER, linkTo, type Reply, withNumbers } from './wire-bank.ts';

const test = suite('alfa token');
const ALIAS = '0107029316_test_03.06.2028';

interface Code {
  status: string;
  trxId: string | null;
  readonly amount: number;
}

/** What the gateway has in its books, and how it answers by them. */
class Books {
  readonly codes = new Map<string, Code>();

  answer({ call, json = {} }: Asked): Reply {
    assert.is(call, 'POST /fsCryptoProxy');
    assert.is(json.TermNo, '30005150');
    if (json.command === 'GetQRCd') return this.#register(Number(json.amount));
    assert.is(json.command, 'GetQRCstatus');
    const qrcId = String(json.qrcId);
    const code = this.codes.get(qrcId);
    if (code === undefined) return { body: { ErrorCode: 42, message: '%u041D%u0435%u0442 QR' } };
    const { status, trxId, amount } = code;
    const dated = trxId !== null && { trxDT: '20261121160500', amount, currency: 'RUB' };
    return { body: { ErrorCode: 0, message: 'OK', TermNo: 30_005_150, qrcId, status, trxId, BatchId: 1, ...dated } };
  }

  #register(amount: number): Reply {
    const qrcId = codeId(this.codes.size + 1);
    this.codes.set(qrcId, { status: 'NTST', trxId: null, amount });
    const more = { payrrn: '632512345678', image: 'iVBORw0KGgo=', status: 'NTST' };
    return { body: { ErrorCode: '0', message: '%20', qrcId, payload: linkTo(qrcId, amount), ...more } };
  }
}

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

const withBank = (work: (rig: WireRig<Books, OnlineBank>) => Promise<void>): Promise<void> =>
  withFolder((folder) => {
    const signKeyPath = keyFile(folder, 'sign.key', KEYS.privateKey);
    return onWire(new Books(), (url) => opened({ signKeyPath, baseUrl: `${url}/fsCryptoProxy` }), work);
  });
const it = each<[WireRig<Books, OnlineBank>]>(test, (run) => () => withBank(run));

/** Whether the signature of a call is right: RSA with the padding of PKCS #1 v1.5. */
const isSigned = ({ text, headers }: Asked): boolean =>
  verify('sha256', Buffer.from(text), KEYS.publicKey, Buffer.from(String(headers.authorization), 'base64'));

const firstOf = ({ codes }: Books): Code => {
  const [code] = codes.values();
  if (code === undefined) throw new Error('no code is registered');
  return code;
};

it('every call is signed over its very bytes, and in no other way', async ({ wire, bank }) => {
  const { ref, payload } = await begun(bank, { ...O1, ttl: 15 });
  assert.equal(ref, { id: codeId(1), payrrn: '632512345678' });
  assert.is(payload, linkTo(codeId(1), 12_345));
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
  assert.equal(question.json, { command: 'GetQRCstatus', TermNo: '30005150', qrcId: codeId(1) });
  await begun(bank, sale({ purpose: null }));
  assert.is(wire.asked.at(-1)?.json?.paymentPurpose, 'Оплата покупки');
});

bankContract<Books, OnlineBank, Partial<Code>>(test, {
  withBank,
  secrets: [],
  register: 'POST',
  state: 'POST',
  failures: [
    [instead(403, '<html>'), 'refused'],
    [instead(200, { ErrorCode: 0 }), 'contradiction'],
    [instead(200, { ErrorCode: 0, qrcId: codeId(1), payload: linkTo(codeId(1), 1) }), 'contradiction'],
  ],
  put: ({ codes }, state) => Object.assign([...codes.values()].at(-1) ?? {}, { trxId: null, ...state }),
  verdicts: [
    [{ status: 'NTST' }, 'pending'],
    [{ status: 'RCVD' }, 'processing'],
    [{ status: 'ACTC' }, 'processing'],
    [{ status: 'RJCT' }, 'rejected'],
    [{ status: 'NEWS' }, 'processing'],
    // not before it has a transaction
    [{ status: 'ACWP' }, 'processing'],
  ],
  paid: { status: 'ACWP', trxId: 'A6ZY5NPBPMEV9R25S3KGZFP8L98BVKEK' },
  accepted: {
    amounts: [12_345],
    currencies: ['RUB'],
    orderIds: [],
    trxId: 'A6ZY5NPBPMEV9R25S3KGZFP8L98BVKEK',
    paidAt: Date.parse('2026-11-21T13:05:00Z'),
    refunded: null,
    payer: null,
  },
  untrue: [
    { qrcId: codeId(2) },
    { qrcId: 7 },
    ...[1, '12346', null, undefined].map((amount) => ({ amount })),
    { currency: 'USD' },
  ].map((fields) => [changed(fields)]),
  true: [changed({ trxDT: 'soon' })],
  long: withNumbers((body) => ({ ...body, trxId: `#${LONG_NUMBER}` })),
  afterLost: 2,
  codesOf: ({ codes }) => codes.size,
  cancels: [],
  refund: null,
});

it('no sale is put on a printed code: where the answer to an activation was lost, nothing could ask what became of it', async ({
  bank,
}) => {
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

it('ACWP without a transaction is not paid', async ({ books, bank }) => {
  const { ref } = await begun(bank);
  for (const trxId of [null, '']) {
    books.codes.set(codeId(1), { status: 'ACWP', trxId, amount: 12_345 });
    assert.is((await reportOf(bank, ref)).verdict, 'processing');
  }
});

it('a transaction may be a number, and a time that cannot be read is none', async ({ wire, books, bank }) => {
  const { ref } = await begun(bank);
  Object.assign(firstOf(books), { status: 'ACWP', trxId: 'X' });
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

it('a question that is refused, maybe since it is the fifth in a minute, is followed by a pause of 15 seconds', async ({
  wire,
  bank,
}) => {
  const { ref } = await begun(bank);
  wire.once('POST', instead(200, { ErrorCode: 98, message: '%u0421%u043B%u0438%u0448%u043A%u043E%u043C' }));
  const { retryAfterMs, bankCode } = await bankError('refused', bank.status(ref, patient()));
  assert.equal([retryAfterMs, bankCode], [15_000, '98']);
  wire.once('POST', instead(500, '<html>'));
  assert.is((await bankError('unreachable', bank.status(ref, patient()))).retryAfterMs, null, 'not a word of the bank');
});

test('a key that signs may be locked; one that cannot sign is reported by its field when it is set, without the passphrase', () =>
  withFolder(async (folder) => {
    certify(folder, 'elliptic');
    const locked = keyFile(folder, 'locked.key', KEYS.privateKey, LOCKED);
    const { passphrase } = LOCKED;
    await (await opened({ signKeyPath: locked, passphrase, baseUrl: 'https://bank.example' })).close();
    for (const [signKeyPath, why, field = 'signKeyPath'] of [
      [join(folder, 'none'), 'cannot be used: it cannot be read (ENOENT)'],
      [join(folder, 'elliptic.key'), 'cannot be used: it holds no RSA key'],
      [join(folder, 'elliptic.crt'), 'cannot be used: it holds no key in PEM, or another passphrase opens it'],
      [locked, 'cannot be used: it does not open the key, or the certificate, that the profile names', 'passphrase'],
    ] as const) {
      try {
        await opened({ signKeyPath, passphrase: 'wrong-passphrase', baseUrl: 'https://bank.example' });
        throw new Error(`${signKeyPath} was taken`);
      } catch (error) {
        if (!(error instanceof FieldError)) throw error;
        assert.equal([error.field, error.message], [field, why]);
      }
    }
  }));

test.run();
