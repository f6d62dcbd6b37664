/** The test of a bank: what each adapter asks, that it changes nothing, and what is reported for each failure. */
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BankAdapter } from '../../../firmware/banks/adapter.ts';
import { BankTestError, BankTrials, type BankTrialsOptions } from '../../../firmware/banks/bank-trials.ts';
import { BANKS, type BankProfile } from '../../../firmware/banks/registry.ts';
import { startBanks } from '../../banks/banks.ts';
import { freePort, listening } from '../../ports.ts';
import { each, failed, until } from '../../support.ts';
import { certify } from '../certify.ts';
import { NOWHERE } from './pools.ts';
import { gatewaysOf, introduce, profileOf, SECRET } from './profiles.ts';
import { IDS, listed, withFolder } from './support.ts';
import { type Reply, startWireBank } from './wire-bank.ts';

const test = suite('banks that are tried out');
const it = each<[string]>(test, (run) => () => withFolder(run));

const NOW = Date.UTC(2026, 10, 21, 12);
const trialsOf = (more: Partial<BankTrialsOptions> = {}) =>
  new BankTrials({ context: NOWHERE, now: () => NOW, ...more });

/** What a trial fails with: the code, and the field that it names. */
const failure = (run: Promise<unknown>) => failed(BankTestError, run);
const inShort = ({ category, code, more }: BankTestError) => [`${category}.${code}`, more.field ?? null];

const ONLINE: readonly BankAdapter[] = BANKS.filter(({ name }) => name !== 'Static' && name !== 'Sandbox');

const GATEWAYS = ONLINE.flatMap((bank) => gatewaysOf(bank.name).map((name) => ({ ...bank, name, of: bank.name })));

for (const { name, of, schema, secretFields } of GATEWAYS) {
  it(`${name}: works at its dialect, where nothing has been registered afterwards`, async (folder) => {
    const sandbox = await startBanks({ port: 0, dataFile: join(folder, 'sandbox.db') });
    try {
      introduce(sandbox);
      const profile = profileOf(name, sandbox.url, folder);
      const { bankName, isAsked, untried } = await trialsOf().run(profile);
      assert.equal([bankName, isAsked], [of, true]);
      for (const field of untried) assert.ok(Object.hasOwn(profile, field), `${name}: ${field}`);
      assert.equal(await listed(sandbox), [], name);
    } finally {
      await sandbox.close();
    }
  });

  it(`${name}: rejected credentials name a field of the profile, and no secret`, async (folder) => {
    for (const status of [401, 403]) {
      let secrets: string[] = [];
      await using wire = await startWireBank(() => ({ status, body: { message: `who is ${secrets}?` } }));
      const profile: Readonly<Record<string, unknown>> = profileOf(name, wire.url, folder);
      // a bank can repeat only what it was sent
      secrets = secretFields.filter((field) => field !== 'passphrase').map((field) => String(profile[field]));
      const error = await failure(trialsOf().run(profile as BankProfile));
      assert.is(error.code, 'WrongCredentials', `${name}: ${error.message}`);
      assert.ok(Object.hasOwn(schema.properties, String(error.more.field)), `${name}: ${error.more.field}`);
      const said = JSON.stringify([error.message, error.more]);
      for (const secret of secrets) assert.not.match(said, secret);
    }
  });

  for (const [what, answer] of [
    ['a page', { body: '<html><h1>It works!</h1></html>', headers: { 'content-type': 'text/html' } }],
    ['a page of an error', { status: 404, body: '<html>404 Not Found</html>' }],
    ['JSON that knows no such call', { status: 404, body: { status: 404, error: 'Not Found' } }],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/elsewhere' } }],
    ['JSON of something else', { body: { hello: 'world' } }],
  ] as const satisfies readonly (readonly [string, Reply])[]) {
    it(`${name}: ${what} is no such bank`, async (folder) => {
      await using wire = await startWireBank(() => answer);
      const error = await failure(trialsOf().run(profileOf(name, wire.url, folder)));
      assert.equal(inShort(error), ['BankTest.NotABank', 'baseUrl'], `${name}: ${error.message}`);
    });
  }

  it(`${name}: asks nothing that registers; an overloaded bank is reported`, async (folder) => {
    await using wire = await startWireBank(() => ({ status: 503, body: { message: 'later' } }));
    const error = await failure(trialsOf().run(profileOf(name, wire.url, folder)));
    assert.is(error.code, 'Unavailable', name);
    assert.ok(wire.calls.length > 0, name);
    for (const { call, json } of wire.asked) {
      assert.not.match(call, /register|qrc-data|Init|GetQr$|POST \/qr|POST .*\/payments/i);
      assert.not.match(JSON.stringify(json ?? {}), /GetQRCd|"amount"/i);
    }
  });
}

const cft = (baseUrl: string, more: object = {}): BankProfile =>
  ({ bankName: 'CFT', ...IDS, password: SECRET, baseUrl, ...more }) as BankProfile;

const ofTochka = (message: string, errorCode: string) => ({
  ...{ code: '400', message },
  Errors: [{ errorCode, message: 'said by the bank' }],
});

test('banks report by their own codes what they reject', async () => {
  const cases: readonly [string, object, string, string | null][] = [
    ['Sber', { errorCode: '5', errorMessage: 'Доступ запрещён' }, 'WrongCredentials', 'password'],
    ['Sber', { errorCode: '5', errorMessage: 'Неверное значение' }, 'Refused', null],
    ['Sber', { errorCode: '7', errorMessage: 'Системная ошибка' }, 'Unavailable', null],
    ['Tinkoff', { Success: false, ErrorCode: '204', Message: 'Неверный токен' }, 'WrongCredentials', 'password'],
    ['Tinkoff', { Success: false, ErrorCode: '501', Message: 'Не найден' }, 'WrongCredentials', 'terminalKey'],
    ['Tinkoff', { Success: false, ErrorCode: '202', Message: 'Терминал заблокирован' }, 'Refused', null],
    ['Tinkoff', { Success: false, ErrorCode: '1', Message: 'Повторите позже' }, 'Unavailable', null],
    ['Tochka', ofTochka('ENTITY_NOT_FOUND', 'MERCHANT_SITE_NOT_FOUND'), 'WrongCredentials', 'siteUid'],
    ['Tochka', ofTochka('OPERATION_FORBIDDEN', 'SIGNATURE_VERIFICATION_ERROR'), 'WrongCredentials', 'signKeyPath'],
    ['Tochka', ofTochka('OPERATION_FORBIDDEN', 'FEATURE_DISABLED_FOR_MERCHANT_SITE'), 'Refused', null],
    ['Gazprombank', { code: 'E42', message: 'no such shop' }, 'Refused', null],
    ['Alfa Bank Token', { ErrorCode: '7', message: 'wrong signature' }, 'WrongCredentials', 'signKeyPath'],
    ['Alfa Bank Token', { ErrorCode: '8', message: 'Неизвестный терминал' }, 'WrongCredentials', 'termNo'],
  ];
  for (const [name, body, member, field] of cases) {
    await withFolder(async (folder) => {
      await using wire = await startWireBank(() => ({ body }));
      const error = await failure(trialsOf().run(profileOf(name, wire.url, folder)));
      assert.equal(inShort(error), [`BankTest.${member}`, field], `${name} ${JSON.stringify(body)}`);
    });
  }
});

test('T-Bank, Alfa token, Tochka: a working bank refuses a question about a payment never made', async () => {
  for (const [name, body] of [
    ['Tinkoff', { Success: false, ErrorCode: '255', Message: 'Заказ не найден' }],
    ['Alfa Bank Token', { ErrorCode: '3', message: 'QR not found' }],
    ['Tochka', ofTochka('ENTITY_NOT_FOUND', 'QR_CODE_NOT_FOUND')],
    ['Tochka', ofTochka('REQUEST_VALIDATION_ERROR', 'qrcId')],
  ] as const)
    await withFolder(async (folder) => {
      await using wire = await startWireBank(() => ({ body }));
      assert.is((await trialsOf().run(profileOf(name, wire.url, folder))).isAsked, true);
    });
});

test('CFT: a gateway that says of any call what it says of a code has no such interface', async () => {
  const say = (words: (call: string) => string) =>
    startWireBank(({ call }) => ({ status: 404, body: { error: words(call) } }));
  await using same = await say((call) => `Cannot ${call}`);
  assert.equal(inShort(await failure(trialsOf().run(cft(same.url)))), ['BankTest.NotABank', 'baseUrl']);
  await using own = await say((call) => (call.includes('/qr/state/') ? 'QRC_NOT_FOUND' : 'Not Found'));
  assert.is((await trialsOf().run(cft(own.url))).isAsked, true);
  // what stands before the bank lets no other call through
  await using strict = await startWireBank(({ call }) =>
    call.includes('/qr/state/') ? { status: 404, body: { error: 'QRC_NOT_FOUND' } } : { status: 403, body: 'no' },
  );
  assert.is((await trialsOf().run(cft(strict.url))).isAsked, true);
});

test('a redirect is not followed: the credentials go nowhere else', async () => {
  await using elsewhere = await startWireBank(() => ({ body: {} }));
  await using wire = await startWireBank(() => ({ status: 307, headers: { location: `${elsewhere.url}/taken` } }));
  const profile = { bankName: 'Sber', userName: 'shop-api', password: SECRET, baseUrl: wire.url } as BankProfile;
  assert.is((await failure(trialsOf().run(profile))).code, 'NotABank');
  assert.equal(elsewhere.calls, []);
  assert.is(wire.calls.length, 1);
});

/** Something at a port that does not speak HTTP. */
const atSocket = (onSocket: (socket: Socket) => void) =>
  listening(
    createServer((socket) => {
      socket.on('error', () => undefined);
      onSocket(socket);
    }),
  );

test('an address without a bank, and one without a name', async () => {
  const closed = await failure(trialsOf().run(cft(`http://127.0.0.1:${await freePort()}`)));
  assert.equal(inShort(closed), ['BankTest.NoConnection', null]);
  const nameless = await failure(trialsOf().run(cft('https://no-such-bank.invalid')));
  assert.equal(inShort(nameless), ['BankTest.NameNotFound', 'baseUrl']);
});

test('a silent bank, one that goes on for ever, and one that breaks off', async () => {
  const limitMs = 300;
  await using silent = await atSocket(() => undefined);
  await using endless = await atSocket((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n{');
    const drip = setInterval(() => socket.write(' '), 20);
    socket.on('close', () => clearInterval(drip));
  });
  for (const { url } of [silent, endless])
    assert.equal(inShort(await failure(trialsOf({ limitMs }).run(cft(url)))), ['BankTest.TimedOut', null]);
  for (const broken of ['reset', 'half'] as const) {
    await using wire = await startWireBank(() => ({}));
    wire.once('GET', () => broken);
    const error = await failure(trialsOf().run(cft(wire.url)));
    assert.is(error.code, 'Interrupted', `${broken}: ${error.message}`);
  }
  await using mail = await atSocket((socket) => socket.end('220 mail.example ESMTP\r\n'));
  assert.is((await failure(trialsOf().run(cft(mail.url)))).code, 'NotABank');
  assert.is((await failure(trialsOf().run(cft(`https://127.0.0.1:${mail.port}`)))).code, 'NoEncryption');
});

const UNKNOWN = { status: 404, body: { error: 'QRC_NOT_FOUND' } };
const onlyCft = ({ call }: { readonly call: string }): Reply =>
  call.includes('/qr/state/') ? UNKNOWN : { status: 400 };

it('every bank that takes a certificate of the shop is shown it', async (folder) => {
  for (const name of ['bank', 'till']) certify(folder, name);
  const at = (name: string): string => join(folder, name);
  const [cert, key, ca] = ['bank.crt', 'bank.key', 'till.crt'].map((name) => readFileSync(at(name)));
  const tls = { cert, key, ca, requestCert: true, rejectUnauthorized: true };
  const files = { caPath: at('bank.crt'), certPath: at('till.crt'), keyPath: at('till.key') };
  for (const { name } of ONLINE.filter(({ schema }) => Object.hasOwn(schema.properties, 'certPath'))) {
    await using wire = await startWireBank(() => ({ status: 503 }), tls);
    await failure(trialsOf().run({ ...profileOf(name, wire.url, folder), ...files } as BankProfile));
    assert.is(wire.asked[0]?.caller, 'till', name);
  }
});

it('a certificate of another time is reported with the clock of this device', async (folder) => {
  for (const [from, to, member] of [
    ['2020-01-01', '2020-01-02', 'Expired'],
    ['2090-01-01', '2090-01-02', 'NotYetValid'],
  ] as const) {
    certify(folder, 'bank', { from: new Date(from), to: new Date(to) });
    const [caPath, keyPath] = [join(folder, 'bank.crt'), join(folder, 'bank.key')];
    await using wire = await startWireBank(onlyCft, { cert: readFileSync(caPath), key: readFileSync(keyPath) });
    const error = await failure(trialsOf().run(cft(wire.url, { caPath })));
    assert.equal(inShort(error), [`BankTest.${member}`, null], error.message);
    assert.is(error.more.clock, new Date(NOW).toISOString());
  }
});

test('six in a minute, and one that is closed ends', async () => {
  let at = 0;
  {
    await using silent = await atSocket(() => undefined);
    const trials = trialsOf({ uptime: () => at });
    const first = failure(trials.run(cft(silent.url)));
    await until('the first is under way', () => true);
    trials.close();
    assert.is((await first).category, 'BankTest');
  }
  await using wire = await startWireBank(onlyCft);
  const trials = trialsOf({ uptime: () => at });
  for (let n = 0; n < 6; n++) await trials.run(cft(wire.url));
  const asked = wire.calls.length;
  at = 20_500;
  const refused = await failure(trials.run(cft(wire.url)));
  assert.equal([refused.category, refused.code, refused.more], ['BankTest', 'TooOften', { seconds: 40 }]);
  assert.is(wire.calls.length, asked, 'nothing was asked');
  at = 60_000;
  await trials.run(cft(wire.url));
});

test('a fixed code is never asked about, and says so', async () => {
  const profile = { bankName: 'Static', staticQR: 'https://example.org/pay' } as BankProfile;
  assert.is((await trialsOf().run(profile)).isAsked, false);
});

test.run();
