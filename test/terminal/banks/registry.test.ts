import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FieldError } from '../../../drivers/lib/errors.ts';
import { amountInWords } from '../../../drivers/lib/money.ts';
import { memberOf } from '../../../drivers/lib/strict-json.ts';
import {
  adapterOf,
  BANKS,
  type BankContext,
  type BankProfile,
  bankByFields,
  bankByName,
  bankList,
  fitBank,
  merchantOf,
  openBank,
  requiredFields,
  requireFittingOrderId,
  SECRET_FIELDS,
} from '../../../firmware/banks/registry.ts';
import { MAX_TTL_MINUTES } from '../../../firmware/core/config/choices.ts';
import { DEFAULT_TTL_MINUTES } from '../../../firmware/core/config/limits.ts';
import { problemsWith } from '../../../firmware/core/schema/schema.ts';
import { unmaskedProfile } from '../../../firmware/payments/settings/profiles.ts';
import { masked } from '../../../firmware/payments/settings/settings-secrets.ts';
import { each, failed } from '../../support.ts';
import { NOWHERE } from './pools.ts';
import { gatewaysOf, profileOf, SECRET } from './profiles.ts';
import { IDS, listed, patient, register, sale, withFolder, withSandbox } from './support.ts';

const test = suite('bank profiles');
const it = each<[string]>(test, (run) => () => withFolder(run));

const CFT = { bankName: 'CFT', ...IDS, password: 'secret' } as const;

const refusal = (profile: BankProfile, context: BankContext) => failed(FieldError, openBank(profile, context));

test('names of banks are known in every spelling that drivers and people use', () => {
  const spellings = {
    Static: 'static | STATIC QR',
    CFT: 'cft | ЦФТ',
    Sandbox: 'sand-box | Sandbox bank',
    'Alfa Bank': 'alfabank | ALFA_BANK | Альфа-Банк',
    Sber: 'sberbank | Сбер',
    VTB: 'ВТБ',
    'MTS Bank': 'mtsbank | МТС Банк',
    Tinkoff: 'Tinkoff | tinkoff bank | T-Bank | Т-Банк | ТИНЬКОФФ',
    'Alfa Bank Token': 'alfa token | Alfa-Bank Token',
    Gazprombank: 'gazprombank | ГПБ',
    Raiffeisenbank: 'raiffeisen | Raiffeisenbank',
    Tochka: 'tochka | Точка | Точка Банк',
    YooKassa: 'Yoo Kassa | ЮKassa',
  };
  for (const [name, texts] of Object.entries(spellings))
    for (const text of texts.split(' | ')) assert.is(bankByName(text), adapterOf(name), text);
  for (const text of ['', 'bank', 'constructor', '__proto__']) assert.is(bankByName(text), null, text);
});

test('a name that says nothing is settled by the fields of the profile', () => {
  assert.is(bankByFields({ bankName: 'x', staticQR: 'https://example.org' })?.name ?? null, 'Static');
  assert.is(bankByFields({ bankName: 'x', accAlias: 'a' })?.name ?? null, 'CFT');
  assert.is(bankByFields({ bankName: 'x', extEntityId: 'a' })?.name ?? null, 'CFT');
  assert.is(bankByFields({ bankName: 'x', sbpMerchantId: 'a' })?.name ?? null, 'Raiffeisenbank');
  assert.is(bankByFields({ bankName: 'x', siteUid: 'a' })?.name ?? null, 'Tochka');
  assert.is(bankByFields({ bankName: 'x', termNo: 'a' })?.name ?? null, 'Alfa Bank Token');
  assert.is(bankByFields({ bankName: 'x', shopId: 'a' })?.name ?? null, 'YooKassa');
  assert.is(bankByFields({ bankName: 'x', account: 'a', merchantId: 'a' })?.name ?? null, null);
  assert.is(bankByFields({ bankName: 'x', userName: 'a' })?.name ?? null, 'Alfa Bank');
  assert.is(bankByFields({ bankName: 'x', terminalKey: 'a' })?.name ?? null, 'Tinkoff');
  assert.is(bankByFields({ bankName: 'x', password: 'a' })?.name ?? null, null);
});

it('each bank refuses a profile without any one of its required fields, and names it', async (folder) => {
  for (const [bank, name] of BANKS.flatMap((each) => gatewaysOf(each.name).map((title) => [each, title] as const))) {
    const { schema } = bank;
    const profile = profileOf(name, 'https://bank.example', folder);
    assert.equal(problemsWith(schema, profile), [], name);
    for (const field of requiredFields(bank)) {
      const rest = Object.fromEntries(Object.entries(profile).filter(([key]) => key !== field));
      const [problem, ...others] = problemsWith(schema, rest);
      assert.equal([problem?.field, others], [field, []], name);
      assert.match(problem?.must ?? '', /^is required: .+; a text of \d+ to \d+ characters/, `${name}: ${field}`);
    }
    for (const field of [...(bank.freeFields ?? []), ...bank.secretFields])
      assert.ok(Object.hasOwn(schema.properties, field), `${name}: ${field}`);
  }
  // in the order in which a missing one is reported
  assert.equal(requiredFields(adapterOf('CFT')), ['accAlias', 'extEntityId', 'merchantId', 'password']);
});

test('a masked secret keeps its stored value while payee and address stay, whatever is shown', () => {
  for (const [stored, free, own] of [
    [{ bankName: 'YooKassa', shopId: '1', secretKey: SECRET }, { confirmation: 'redirect' }, { shopId: '2' }],
    [{ bankName: 'Raiffeisenbank', sbpMerchantId: 'M', secretKey: SECRET }, { cashLink: 'x' }, { account: '4070' }],
    [{ bankName: 'Tinkoff', terminalKey: 'T', password: SECRET }, {}, { caPath: 'ca.pem' }],
    [{ bankName: 'Tochka', siteUid: 'S', token: SECRET }, { paymentMethods: 'sbp' }, { mode: 'test' }],
  ] as const) {
    const sent = masked(stored);
    assert.equal(unmaskedProfile({ ...sent, ...free }, stored), { ...stored, ...free });
    assert.equal(unmaskedProfile({ ...sent, ...own }, stored), { ...sent, ...own }, 'of another identity');
  }
});

test('no two banks share a name or an alias, however it is written', () => {
  const names = BANKS.flatMap(({ name, aliases }) => [name, ...aliases]);
  for (const bank of BANKS)
    for (const name of [bank.name, ...bank.aliases]) assert.is(bankByName(name), bank, `${name} of ${bank.name}`);
  assert.is(new Set(names.map((name) => name.toLowerCase())).size, names.length);
});

test('sentences name the banks that a shop can use, and all where any is right', () => {
  const names: readonly string[] = BANKS.map(({ name }) => name);
  const shops = names.filter((name) => name !== 'Sandbox');
  assert.is(bankList('and', { includesPlay: false }), `${shops.slice(0, -1).join(', ')} and ${shops.at(-1)}`);
  assert.is(bankList('or', { includesPlay: true }), `${shops.join(', ')} or Sandbox`);
});

test('a name that is not built in has no adapter', () => {
  assert.throws(() => adapterOf('Piggy'), /no bank Piggy is built in/);
});

test('fields of the wrong size or make are refused', () => {
  for (const [changes, field] of [
    [{ accAlias: '' }, 'accAlias'],
    [{ accAlias: 'x'.repeat(129) }, 'accAlias'],
    [{ merchantId: 'a\r\nb' }, 'merchantId'],
    [{ authsp: 'a\u0000' }, 'authsp'],
    [{ password: 7 }, 'password'],
    [{ unheardOf: 1 }, 'unheardOf'],
  ] as const) {
    const problems = problemsWith(adapterOf('CFT').schema, { ...CFT, ...changes });
    assert.equal([...new Set(problems.map((problem) => problem.field))], [field], JSON.stringify(changes));
  }
  assert.ok(SECRET_FIELDS.includes('password'));
});

it('a field that takes a few words names them where another is sent, at each bank', async (folder) => {
  const choices: string[] = [];
  for (const { name, schema } of BANKS)
    for (const [field, part] of Object.entries<object>(schema.properties)) {
      const words = memberOf(part, 'enum');
      if (!Array.isArray(words)) continue;
      const profile = profileOf(name, 'http://127.0.0.1:9', folder);
      for (const other of ['made up', 3]) {
        const [problem, ...more] = problemsWith(schema, { ...profile, [field]: other });
        assert.equal(
          { field: problem?.field, must: problem?.must, more },
          { field, must: `must be one of ${words.join(', ')}`, more: [] },
        );
      }
      choices.push(`${name} ${field}`);
    }
  assert.equal(
    choices.filter((choice) => choice.endsWith(' leastPause')).length,
    BANKS.length - 2,
    'at each bank but the fixed code and the sandbox',
  );
  assert.equal(choices.filter((choice) => !choice.endsWith(' leastPause')).sort(), [
    'Sber gateway',
    'Tinkoff consents',
    'Tochka mode',
    'Tochka paymentMethods',
    'YooKassa confirmation',
  ]);
});

const IN_THE_CLEAR =
  /^cannot be used: it must begin with https:\/\/: without encryption anybody on the way could redirect payments/;
const NOT_PLAIN = /^cannot be used: it must have no user, query, fragment, space or backslash$/;
const NO_ADDRESS = /^cannot be used: it must be an address as https:/;

test('a bank is asked over https, and over http on this machine only, wherever it was set', async () => {
  for (const [baseUrl, why] of [
    ['http://bank.example', IN_THE_CLEAR],
    ['HTTP://bank.example', IN_THE_CLEAR],
    ['http://127.0.0.1.example', IN_THE_CLEAR],
    ['http://localhost@bank.example', IN_THE_CLEAR],
    ['http://127.0.0.1:80@bank.example', IN_THE_CLEAR],
    ['http://192.168.1.1', IN_THE_CLEAR],
    ['https://bank.example/?to=x', NOT_PLAIN],
    ['https://bank.example/?', NOT_PLAIN],
    ['https://bank.example/#', NOT_PLAIN],
    ['https://user:word@bank.example', NOT_PLAIN],
    ['https://bank.example\\@other.example', NOT_PLAIN],
    ['https://bank.example/a b', NOT_PLAIN],
    ['ftp://bank.example', NO_ADDRESS],
    ['bank.example', NO_ADDRESS],
    ['https:bank.example', NO_ADDRESS],
    ['https://', NO_ADDRESS],
    ['javascript:alert(1)', NO_ADDRESS],
  ] as const) {
    for (const [profile, cftBaseUrl] of [
      [{ ...CFT, baseUrl }, null],
      [CFT, baseUrl],
    ] as const) {
      const error = await refusal(profile, { ...NOWHERE, cftBaseUrl });
      assert.is(error.field, 'baseUrl', baseUrl);
      assert.match(error.message, why, baseUrl);
    }
  }
  const right = ['https://bank.example:10400/points', 'http://127.0.0.1:1280', 'http://[::1]:1/x', 'http://localhost'];
  for (const baseUrl of right) assert.is((await openBank({ ...CFT, baseUrl }, NOWHERE)).kind, 'online', baseUrl);
});

test('what no HTTP header can hold is refused when the bank is opened, not at the first payment', async () => {
  for (const authsp of ['банк.рф', 'bank\u00a0x', 'bank\u00e9', '\ud83d\ude00']) {
    const error = await refusal({ ...CFT, baseUrl: 'https://bank.example', authsp }, NOWHERE);
    assert.is(error.field, 'authsp', authsp);
    assert.match(error.message, /HTTP header/, authsp);
  }
});

test("profiles are one merchant's with any credentials, and any spelling of the bank's address", () => {
  const context = { ...NOWHERE, cftBaseUrl: 'https://bank.example/points' };
  const same = (a: BankProfile, b: BankProfile) => merchantOf(a, context) === merchantOf(b, context);
  // ids of another bank are another merchant, even if they are equal
  assert.ok(merchantOf({ bankName: 'Sandbox' }, context).includes('Sandbox'));
  const shown = { password: 'other', pfxPath: '/a', certPath: '/b', keyPath: '/c', caPath: '/d' };
  for (const changes of [
    shown,
    { baseUrl: 'https://bank.example/points' },
    { baseUrl: 'HTTPS://Bank.example:443/points/' },
  ]) {
    assert.ok(same(CFT, { ...CFT, ...changes }), JSON.stringify(changes));
  }
  for (const changes of [
    { accAlias: 'x' },
    { extEntityId: 'x' },
    { merchantId: 'x' },
    { authsp: 'x' },
    { baseUrl: 'https://bank.example' },
    { baseUrl: 'https://other.example/points' },
  ]) {
    assert.not(same(CFT, { ...CFT, ...changes }), JSON.stringify(changes));
  }
  assert.ok(same({ bankName: 'Sandbox' }, { bankName: 'Sandbox' }));
  assert.not(same({ bankName: 'Sandbox' }, CFT));
  // where a bank says nothing of its own, its identity fields do
  assert.ok(same({ bankName: 'Static', staticQR: 'a' }, { bankName: 'Static', staticQR: 'a' }));
  assert.not(same({ bankName: 'Static', staticQR: 'a' }, { bankName: 'Static', staticQR: 'b' }));
});

const OWN_ADDRESSES = [
  ['Tinkoff', 'https://SECUREPAY.tinkoff.ru/v2/', 'https://rest-api-test.tinkoff.ru/v2', 'terminalKey'],
  ['Alfa Bank', 'https://payment.alfabank.ru/payment/rest', 'https://alfa.rbsuat.com/payment/rest', 'userName'],
  [
    'Sber',
    ...(['https://securepayments.sberbank.ru/payment/rest/', 'https://3dsec.sberbank.ru/payment/rest'] as const),
    'account',
  ],
  ['VTB', 'https://platezh.vtb24.ru/payment/rest', 'https://vtb.rbsuat.com/payment/rest', 'memberId'],
  ['MTS Bank', 'https://oplata.mtsbank.ru/payment/rest', 'https://mts.rbsuat.com/payment/rest', 'merchantLogin'],
] as const;
for (const [name, address, testContour, id] of OWN_ADDRESSES) {
  test(`${name} is asked at its own address, unless the profile names another one`, async () => {
    const { baseUrl: _, ...own } = { baseUrl: '', ...profileOf(name, '', '') };
    const profile = own as BankProfile;
    const changed = (changes: object) => ({ ...profile, ...changes }) as BankProfile;
    const linkRule = async (changes: object) => {
      const bank = await openBank(changed(changes), NOWHERE);
      if (bank.kind !== 'online') throw new Error('expected an online bank');
      await bank.close();
      return bank.linkRule;
    };
    assert.is(await linkRule({}), 'nspk');
    assert.is(await linkRule({ baseUrl: testContour }), 'nspk-test');
    assert.is(await linkRule({ baseUrl: 'http://127.0.0.1:1/v2' }), 'this-machine');
    const same = (changes: object) => merchantOf(changed(changes), NOWHERE) === merchantOf(profile, NOWHERE);
    assert.ok(same({ password: 'other', caPath: '/a', baseUrl: address }));
    assert.not(same({ [id]: 'x' }));
    assert.not(same({ baseUrl: testContour }));
    for (const [changes, field] of [
      [{ baseUrl: 'http://bank.example' }, 'baseUrl'],
      [{ caPath: '/nowhere/ca.pem' }, 'caPath'],
    ] as const) {
      assert.is((await refusal(changed(changes), NOWHERE)).field, field);
    }
  });
}

/** What a bank answers, or in which words it refuses. */
const answered = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (error instanceof FieldError) return `${error.field} ${error.message}`;
    throw error;
  }
};

test("a payment beyond its bank's limits is refused by its field, the limit and the bank", () => {
  const { minAmount, maxAmount } = adapterOf('CFT').capabilities;
  const limit = (edge: 'least' | 'most', amount: number, name: string) =>
    `amount must be at ${edge} ${amountInWords(amount)} at ${name}`;
  for (const [name, amount, ttl, answer] of [
    ['CFT', minAmount, 1, 1],
    ['CFT', maxAmount, MAX_TTL_MINUTES, MAX_TTL_MINUTES],
    ['CFT', maxAmount, null, DEFAULT_TTL_MINUTES],
    ['CFT', minAmount - 1, 1, limit('least', minAmount, 'CFT')],
    ['CFT', maxAmount + 1, 1, limit('most', maxAmount, 'CFT')],
    ['CFT', minAmount, MAX_TTL_MINUTES + 1, `ttl must be at most ${MAX_TTL_MINUTES} minutes at CFT`],
    // a bank whose codes live as long as it likes takes that, or nothing
    ['YooKassa', 100, null, 60],
    ['YooKassa', 70_000_000, 60, 60],
    ['YooKassa', 100, 5, 'ttl must be 60 minutes or left out at YooKassa, whose codes live so long'],
    ['YooKassa', 99, null, limit('least', 100, 'YooKassa')],
    ['YooKassa', 70_000_001, null, limit('most', 70_000_000, 'YooKassa')],
    ['Tinkoff', 1000, 5, 5],
    ['Tinkoff', 999, 5, 'amount must be at least 1000 kopecks (10.00 roubles) at Tinkoff'],
    ['Tinkoff', 100_000_000, 5, 5],
    ['Tinkoff', 100_000_001, 5, limit('most', 100_000_000, 'Tinkoff')],
    ['Raiffeisenbank', 1, 5, 5],
    ['Raiffeisenbank', 0, 5, limit('least', 1, 'Raiffeisenbank')],
    ['Raiffeisenbank', 100_000_000, 5, 5],
    ['Raiffeisenbank', 100_000_001, 5, limit('most', 100_000_000, 'Raiffeisenbank')],
  ] as const) {
    assert.is(
      answered(() => fitBank(name, { amount, ttl })),
      answer,
    );
  }
});

test('our id of a payment fits every bank; one that does not is refused with rule and bank', () => {
  const answer = (name: string, id: string) => String(answered(() => requireFittingOrderId(name, id)));
  for (const { name } of BANKS) assert.is(answer(name, crypto.randomUUID()), 'undefined', name);
  const rule = answer('Raiffeisenbank', 'a'.repeat(41));
  assert.is(rule, 'orderId must have at most 40 characters at Raiffeisenbank');
  assert.match(answer('Raiffeisenbank', 'чек 1'), /^orderId may hold only Latin letters, .* at Raiffeisenbank$/);
  requireFittingOrderId('CFT', 'ч'.repeat(100)); // it takes none
});

test('a static profile opens as its own code', async () => {
  const staticQR = 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G';
  assert.equal(await openBank({ bankName: 'Static', staticQR }, NOWHERE), { kind: 'static', payload: staticQR });
});

test('a code that no display draws is refused by its field', async () => {
  for (const [staticQR, problem] of [
    ['ы'.repeat(501), 'it must have 1 to 1000 bytes of UTF-8; it has 1002'],
    ['a\ud800b', 'it holds half a character'],
  ] as const) {
    const error = await refusal({ bankName: 'Static', staticQR }, NOWHERE);
    assert.equal([error.field, error.message], ['staticQR', `cannot be used: ${problem}`]);
  }
});

test('a bank without an address, and a sandbox that does not run, are refused by name', async () => {
  const refusedAs = async (profile: BankProfile, context: BankContext): Promise<string> => {
    const { field, message } = await refusal(profile, context);
    return `${field} ${message}`;
  };
  assert.match(await refusedAs(CFT, NOWHERE), /^baseUrl cannot be used: the device has no address of the CFT bank/);
  assert.match(await refusedAs(CFT, { ...NOWHERE, cftBaseUrl: 'https://' }), /^baseUrl cannot be used: it /);
  const cftOnly = { ...NOWHERE, cftBaseUrl: 'https://bank.example' };
  assert.match(
    await refusedAs({ bankName: 'Sandbox' }, cftOnly),
    /^bankName cannot be used: the sandbox bank does not run/,
  );
});

test("a profile's own address goes before the configured one, and the sandbox takes any merchant", () =>
  withSandbox(async ({ sandbox }) => {
    const profiles: readonly [BankProfile, BankContext][] = [
      [
        { ...CFT, baseUrl: sandbox.url },
        { cftBaseUrl: 'http://127.0.0.1:1', sandboxBaseUrl: null },
      ],
      [CFT, { cftBaseUrl: sandbox.url, sandboxBaseUrl: null }],
      [{ bankName: 'Sandbox' }, { cftBaseUrl: null, sandboxBaseUrl: sandbox.url }],
    ];
    for (const [profile, context] of profiles) {
      const bank = await openBank(profile, context);
      if (bank.kind !== 'online') throw new Error('expected an online bank');
      await register(bank, sale(), patient());
      await bank.close();
    }
    assert.is((await listed(sandbox)).length, 3);
  }));

test.run();
