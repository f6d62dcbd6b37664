import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FieldError } from '../../../drivers/lib/errors.ts';
import type { BankRef, BankReport, OnlineBank } from '../../../firmware/terminal/banks/bank.ts';
import { Registration, registerWithRetries } from '../../../firmware/terminal/banks/pool/registration.ts';
import { openBank } from '../../../firmware/terminal/banks/registry.ts';
import { certify, hasOpenssl } from '../certify.ts';
import { askBank, bankError, patient, sale, withFolder } from './support.ts';
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
  type WireBank,
  withNumbers,
} from './wire-bank.ts';

const test = suite('alfa token');
if (!hasOpenssl) console.log('SKIPPED Alfa token: there is no openssl program to make its keys with');
const withKeys = hasOpenssl ? test : test.skip;

const LIMITS = { deadlineMs: 20_000, closing: new AbortController().signal };
const NOWHERE = { cftBaseUrl: null, sandboxBaseUrl: null };
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

interface Rig {
  readonly wire: WireBank;
  readonly books: Books;
  readonly bank: OnlineBank;
  readonly folder: string;
}

function rsaKey(folder: string, name: string, ...more: readonly string[]): string {
  const path = join(folder, name);
  const args = ['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', path, ...more];
  execFileSync('openssl', args, { stdio: 'pipe' });
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

function withBank(work: (rig: Rig) => Promise<void>): Promise<void> {
  return withFolder(async (folder) => {
    const books = new Books();
    await using wire = await startWireBank((asked) => books.answer(asked));
    const signKeyPath = rsaKey(folder, 'sign.key');
    const bank = await opened({ signKeyPath, baseUrl: `${wire.url}/fsCryptoProxy` });
    try {
      await work({ wire, books, bank, folder });
    } finally {
      await bank.close();
    }
  });
}

/** Whether the openssl program finds the signature of a call right. */
function isSigned(folder: string, { text, headers }: Asked): boolean {
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' }).toString();
  writeFileSync(at('body'), text);
  writeFileSync(at('signature'), Buffer.from(String(headers.authorization), 'base64'));
  openssl('pkey', '-in', 'sign.key', '-pubout', '-out', 'sign.pub');
  try {
    // without further options: RSA with the padding of PKCS #1 v1.5
    return /Verified OK/.test(openssl('dgst', '-sha256', '-verify', 'sign.pub', '-signature', 'signature', 'body'));
  } catch {
    return false;
  }
}

const O1 = sale({ orderId: 'o1' });
const begun = (bank: OnlineBank, order = O1) => new Registration(bank, order, () => undefined).goOn(patient());
const told = (bank: OnlineBank, ref: BankRef): Promise<BankReport> =>
  askBank(bank, { ref, orderId: 'o1', amount: O1.amount }, LIMITS);
const firstOf = ({ codes }: Books): Code => {
  const [code] = codes.values();
  if (code === undefined) throw new Error('no code is registered');
  return code;
};

withKeys('every call is signed over its very bytes, as openssl does it', () =>
  withBank(async ({ wire, bank, folder }) => {
    const { ref, payload } = await begun(bank, { ...O1, ttl: 15 });
    assert.equal(ref, { id: codeId(1), payrrn: '632512345678' });
    assert.is(payload, linkTo(codeId(1), 12_345));
    await told(bank, ref);
    const [registration, question] = wire.asked as [Asked, Asked];
    for (const asked of [registration, question]) {
      assert.ok(isSigned(folder, asked), asked.text);
      assert.equal(
        [asked.headers['key-name'], asked.headers['content-type']],
        [ALIAS, 'application/x-www-form-urlencoded'],
      );
      assert.match(String(asked.headers.authorization), /^[A-Za-z0-9+/]+=*$/);
    }
    assert.not.ok(isSigned(folder, { ...registration, text: `${registration.text} ` }));
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
  }),
);

withKeys('a payment is paid with its transaction, and not before', () =>
  withBank(async ({ books, bank }) => {
    const { ref } = await begun(bank);
    const code = firstOf(books);
    for (const [status, verdict] of [
      ['NTST', 'pending'],
      ['RCVD', 'processing'],
      ['ACTC', 'processing'],
      ['RJCT', 'rejected'],
      ['NEWS', 'processing'],
      ['ACWP', 'processing'],
    ] as const) {
      code.status = status;
      assert.is((await told(bank, ref)).verdict, verdict, status);
    }
    code.trxId = 'A6ZY5NPBPMEV9R25S3KGZFP8L98BVKEK';
    assert.equal(await told(bank, ref), {
      verdict: 'accepted',
      ids: [ref.id],
      amounts: [12_345],
      currencies: ['RUB'],
      orderIds: [],
      trxId: 'A6ZY5NPBPMEV9R25S3KGZFP8L98BVKEK',
      paidAt: Date.parse('2026-11-21T13:05:00Z'),
      refunded: null,
    });
  }),
);

withKeys('a transaction may be a number, and keeps each digit of a long one', () =>
  withBank(async ({ wire, books, bank }) => {
    const { ref } = await begun(bank);
    Object.assign(firstOf(books), { status: 'ACWP', trxId: 'X' });
    for (const trxId of ['7', LONG_NUMBER]) {
      wire.once(
        'POST',
        withNumbers((body) => ({ ...body, trxId: `#${trxId}` })),
      );
      const { verdict, trxId: number } = await told(bank, ref);
      assert.equal([verdict, number], ['accepted', trxId]);
    }
  }),
);

withKeys('what is told of another code, amount or currency is not believed', () =>
  withBank(async ({ wire, books, bank }) => {
    const { ref } = await begun(bank);
    Object.assign(firstOf(books), { status: 'ACWP', trxId: 'X' });
    for (const fields of [
      { qrcId: codeId(2) },
      { amount: 1 },
      { amount: '12346' },
      { currency: 'USD' },
      { qrcId: 7 },
    ]) {
      wire.once('POST', changed(fields));
      await bankError('contradiction', told(bank, ref));
    }
    for (const amount of [null, undefined]) {
      wire.once('POST', changed({ amount }));
      await bankError('contradiction', told(bank, ref));
    }
    wire.once('POST', changed({ trxDT: 'soon' }));
    assert.is((await told(bank, ref)).paidAt, null);
  }),
);

withKeys('each way for a call to fail has its meaning, in words that can be read', () =>
  withBank(async ({ wire, bank }) => {
    const faults: readonly [Fault, 'unreachable' | 'refused' | 'contradiction', number | null][] = [
      [instead(429, '', { 'retry-after': '7' }), 'unreachable', 7000],
      [instead(429, ''), 'unreachable', null],
      [instead(500, ''), 'unreachable', null],
      [() => 'reset', 'unreachable', null],
      [() => 'half', 'unreachable', null],
      [instead(403, '<html>'), 'refused', null],
      [instead(200, { ErrorCode: 0 }), 'contradiction', null],
      [instead(200, { ErrorCode: 0, qrcId: codeId(1), payload: linkTo(codeId(1), 1) }), 'contradiction', null],
    ];
    for (const [fault, code, wait] of faults) {
      wire.once('POST', fault);
      assert.is((await bankError(code, begun(bank))).retryAfterMs, wait);
    }
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
  }),
);

withKeys('a registration whose answer was lost is another code: one was seen', () =>
  withBank(async ({ wire, books, bank }) => {
    wire.once('POST', lost);
    const { ref } = await registerWithRetries(bank, O1, () => undefined, LIMITS);
    assert.equal([ref.id, books.codes.size], [codeId(2), 2]);
  }),
);

withKeys('the gateway sees the certificate of the shop, and the key that signs may be locked', () =>
  withFolder(async (folder) => {
    for (const name of ['bank', 'till']) certify(folder, name);
    const at = (name: string): string => join(folder, name);
    const read = (name: string): Buffer => readFileSync(at(name));
    const books = new Books();
    const tls = { cert: read('bank.crt'), key: read('bank.key'), ca: read('till.crt'), requestCert: true };
    await using wire = await startWireBank((asked) => books.answer(asked), { ...tls, rejectUnauthorized: true });
    const signKeyPath = rsaKey(folder, 'locked.key', '-aes256', '-pass', 'pass:made-up-passphrase');
    const profile = {
      signKeyPath,
      passphrase: 'made-up-passphrase',
      baseUrl: `${wire.url}/fsCryptoProxy`,
      caPath: at('bank.crt'),
    };
    const bank = await opened({ ...profile, certPath: at('till.crt'), keyPath: at('till.key') });
    await begun(bank);
    assert.equal(
      wire.asked.map(({ caller }) => caller),
      ['till'],
    );
    await bank.close();
  }),
);

withKeys('a key that cannot sign is told by its field when it is set, without the passphrase', () =>
  withFolder(async (folder) => {
    certify(folder, 'elliptic');
    const locked = rsaKey(folder, 'locked.key', '-aes256', '-pass', 'pass:made-up-passphrase');
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
  }),
);

test.run();
