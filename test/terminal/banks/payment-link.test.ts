import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CFT_TEST_HOSTS } from '../../../firmware/banks/dialects/cft.ts';
import {
  type LinkRule,
  linkProblem,
  linkRuleOf,
  printedProblem,
  unusualForm,
} from '../../../firmware/banks/payment-link.ts';
import { buildSbpLink, signed } from './sbp-links.ts';

const test = suite('links of payments');

const ID = 'AD10004MV5CJ3D638358RO81129CE63P';
const PUBLIC = `https://qr.nspk.ru/${ID}?type=02&bank=100000000004&sum=30510&cur=RUB&crc=B754`;
const PAYMENT = { linkId: ID, amount: 30_510 };
const RULES: readonly LinkRule[] = ['nspk', 'nspk-test', 'this-machine'];

const parts = { id: ID, type: '02', bank: '100000000004', sum: 30_510 } as const;

test('a public link of a bank is right by every rule', () => {
  for (const rule of RULES) assert.is(linkProblem(PUBLIC, PAYMENT, rule), null, rule);
});

test('a link for one payment has its amount and its currency, except in a test contour', () => {
  const { sum: _, ...withoutSum } = parts;
  const withoutCurrency = signed(`https://qr.nspk.ru/${ID}?type=02&bank=100000000004&sum=30510`);
  const withoutAmount = signed(`https://qr.nspk.ru/${ID}?type=02&bank=100000000004&cur=RUB`);
  for (const link of [buildSbpLink(withoutSum), withoutCurrency, withoutAmount]) {
    for (const rule of ['nspk', 'this-machine'] as const) {
      assert.match(linkProblem(link, PAYMENT, rule) ?? '', /without (its amount|its currency)/, `${rule} ${link}`);
    }
    assert.is(linkProblem(link, PAYMENT, 'nspk-test'), null);
  }
});

test('a printed code needs no amount, and its checksum must be right', () => {
  const link = buildSbpLink({ ...parts, type: '01' }).replace(/&sum=.*/, '');
  assert.is(printedProblem(signed(link), 'nspk'), null);
  assert.match(printedProblem(`${link}&crc=0000`, 'nspk') ?? '', /checksum/);
  assert.is(printedProblem(`${link}&crc=0000`, 'nspk-test'), null);
});

const WRONG: readonly [string, string][] = [
  ['to another payment', buildSbpLink({ ...parts, id: 'AD10004MV5CJ3D638358RO81129CE63Q' })],
  ['whose id is in another case', signed(`https://qr.nspk.ru/${ID.toLowerCase()}?type=02&bank=1&sum=30510&cur=RUB`)],
  ['that many may pay', buildSbpLink({ ...parts, type: '01' })],
  ['of a subscription', buildSbpLink({ ...parts, type: '03' })],
  ['without a type', signed(`https://qr.nspk.ru/${ID}?bank=1&sum=30510&cur=RUB`)],
  ['with nothing but another id', 'https://qr.nspk.ru/AD10104HJJKN6HP99UF9JTN9943UV80E'],
  ['with nothing but the id, and a question mark', `https://qr.nspk.ru/${ID}?`],
  ['with nothing but the id, of subscriptions', `https://sub.nspk.ru/${ID}`],
  ["of another bank's own code", 'https://platiqr.ru/?uuid=3001638371&amount=27.50&trxid=2023072420443097822'],
  ['for another amount', buildSbpLink({ ...parts, sum: 30_511 })],
  ['in another currency', buildSbpLink({ ...parts, cur: 'USD' })],
  ['with two sums', signed(`https://qr.nspk.ru/${ID}?type=02&bank=1&sum=30510&sum=30510&cur=RUB`)],
  ['with two types', signed(`https://qr.nspk.ru/${ID}?type=02&bank=1&sum=30510&cur=RUB&type=01`)],
  ['with two sums in different cases', signed(`https://qr.nspk.ru/${ID}?type=02&bank=1&sum=30510&cur=RUB&Sum=1`)],
  ['with two types in different cases', signed(`https://qr.nspk.ru/${ID}?type=02&bank=1&sum=30510&cur=RUB&TYPE=01`)],
  ['with a name that is encoded', signed(`https://qr.nspk.ru/${ID}?type=02&bank=1&sum=30510&cur=RUB&s%75m=1`)],
  ['on another host', signed(`https://qr.nspk.ru.example.org/${ID}?type=02&bank=1&sum=30510&cur=RUB`)],
  ['on the host of subscriptions', buildSbpLink({ ...parts, host: 'sub.nspk.ru' })],
  ['without encryption', signed(`http://qr.nspk.ru/${ID}?type=02&bank=1&sum=30510&cur=RUB`)],
  ['on another port', signed(`https://qr.nspk.ru:8443/${ID}?type=02&bank=1&sum=30510&cur=RUB`)],
  ['on the usual port, said aloud', signed(`https://qr.nspk.ru:443/${ID}?type=02&bank=1&sum=30510&cur=RUB`)],
  ['with a user', signed(`https://qr.nspk.ru@example.org/${ID}?type=02&bank=1&sum=30510&cur=RUB`)],
  ['with a user before the right host', signed(`https://x@qr.nspk.ru/${ID}?type=02&bank=1&sum=30510&cur=RUB`)],
  ['with a fragment', `${PUBLIC}#x`],
  ['with a fragment before the checksum', signed(`https://qr.nspk.ru/${ID}?type=02#&bank=1&sum=30510&cur=RUB`)],
  ['with a backslash', signed(`https://example.org\\@qr.nspk.ru/${ID}?type=02&bank=1&sum=30510&cur=RUB`)],
  ['that goes up the path', signed(`https://qr.nspk.ru/x/../${ID}?type=02&bank=1&sum=30510&cur=RUB`)],
  ['with a slash behind the id', signed(`https://qr.nspk.ru/${ID}/?type=02&bank=1&sum=30510&cur=RUB`)],
  ['that is a script', 'javascript:alert(1)'],
  ['that is a script and then a link', `javascript:alert(1)//${PUBLIC}`],
  ['with a line break before', `\n${PUBLIC}`],
  ['with a line break behind', `${PUBLIC}\n`],
  ['with a space', `${PUBLIC} `],
  ['with a tab in the scheme', PUBLIC.replace('https', 'ht\ttps')],
  ['with a NUL', `${PUBLIC}\u0000`],
  ['with the bytes that end a picture on the display', PUBLIC.replace('&bank', '\u0002&bank')],
  ['with letters that look alike', PUBLIC.replace('qr.nspk', 'qr.nsрk')],
  ['that is a text', 'приходите ещё'],
  ['of nothing', ''],
  [
    'longer than a QR code holds',
    signed(`https://qr.nspk.ru/${ID}?type=02&bank=1&sum=30510&cur=RUB&x=${'x'.repeat(1000)}`),
  ],
];
for (const [which, link] of WRONG) {
  test(`a link ${which} is never drawn`, () => {
    for (const rule of RULES) assert.type(linkProblem(link, PAYMENT, rule), 'string', rule);
  });
}

test('a wrong or absent checksum or a new field stops no sale: the form is reported, without id', () => {
  const covered = PUBLIC.slice(0, -'&crc=B754'.length);
  for (const [link, form] of [
    [PUBLIC, null],
    [`${covered}&crc=0000`, 'another checksum (crc)'],
    [covered, 'no checksum (crc)'],
    [`${PUBLIC}&x=1`, 'a new field: x'],
    [signed(`${covered}&method=2&1=2`), 'a new field: method, ?'],
  ] as const) {
    for (const rule of RULES) assert.is(linkProblem(link, PAYMENT, rule), null, `${rule} ${link}`);
    assert.is(unusualForm(link, 'nspk'), form);
    assert.is(unusualForm(link, 'nspk-test'), null, 'placeholders are usual there');
    assert.not.match(form ?? '', ID);
  }
});

test('a link of nothing but the id is shown where the bank has given the same id, and only then', () => {
  for (const id of [
    'AD10104HJJKN6HP99UF9JTN9943UV80E',
    'AD1P103IEBA77RP79I38RKM66BLF5AAI',
    'BD20002DLUP82MFM8AD9R6BG0BB4IF13',
  ]) {
    const link = `https://qr.nspk.ru/${id}`;
    for (const rule of RULES) {
      assert.is(linkProblem(link, { linkId: id, amount: 1 }, rule), null, `${rule} ${id}`);
      assert.match(linkProblem(link, { linkId: ID, amount: 1 }, rule) ?? '', 'another payment');
      assert.match(linkProblem(link, { linkId: null, amount: 1 }, rule) ?? '', 'no id to know it by');
    }
    assert.is(unusualForm(link, 'nspk'), 'the link carries no amount');
  }
});

/** Public links for one payment: id, member of the system, kopecks, checksum. */
const SAMPLES = [
  ['BD20001KFVL3DTB188K8MHAE2JQ5L627', '100000000004', 12_300, '82B1'],
  ['AD10006PTORDPC5D98HPT12HV37MMQ6G', '100000000284', 15_590_000, '4C8A'],
  ['AD10004F7SM1QOR38T1RNP592HT1U2MC', '100000000054', 4000, '0B61'],
  ['AD200020167JNNOQ90COF8ER261DN0MR', '100000000008', 5000, '9C95'],
  ['AD20003FNSGB5S1G8IJPACMUOLTR9SOJ', '100000000001', 10_700, 'B770'],
  ['BD200027AGDORBUU9LNOKG3RHNJVJ36C', '100000000013', 150_000, 'B501'],
  ['AD20005I58HUHKK29OQBMPMMCJCJQO90', '100000000014', 100_000, 'B2D4'],
  ['BD10006LQ6LNI7R88AJBQP5AE5GEBSNT', '100000000015', 10_000, 'B4F7'],
  ['BD10002JALG6NC2B87LQLOE3ORS1FQE4', '100000000251', 10_000, 'E46C'],
  ['BD1P004FM8U22B8B8N1RHCRJSAB6C4TS', '100000000008', 100, 'A1A3'],
  ['AD1P00692H5LGNMM8IB9PBU8DTCRO7C7', '100000000259', 384_000, '112F'],
  ['AD1P0060EL96K9C18LLRIJ39S23RO4HP', '100000000004', 1000, '92EA'],
  ['AD10001RQ10OT70E8LEOT61G16J41I09', '100000000111', 1400, '62E3'],
] as const;

test('public links of many banks are right, and in their usual form', () => {
  for (const [id, bank, amount, crc] of SAMPLES) {
    const link = `https://qr.nspk.ru/${id}?type=02&bank=${bank}&sum=${amount}&cur=RUB&crc=${crc}`;
    assert.is(linkProblem(link, { linkId: id, amount }, 'nspk'), null, id);
    assert.is(unusualForm(link, 'nspk'), null, id);
  }
});

test("a sandbox bank's payer page is right for a bank on this machine, and there alone", () => {
  for (const page of [`http://192.168.1.7:1280/pay/${ID}`, `http://[fe80::1]:1280/pay/${ID}`]) {
    assert.is(linkProblem(page, PAYMENT, 'this-machine'), null, page);
    assert.type(linkProblem(page, PAYMENT, 'nspk'), 'string');
    assert.type(linkProblem(page, PAYMENT, 'nspk-test'), 'string');
  }
  for (const page of [
    `http://192.168.1.7:1280/pay/${ID}X`,
    `http://192.168.1.7:1280/${ID}`,
    `http://192.168.1.7:1280/pay/${ID}?x`,
    `http://192.168.1.7:1280/pay/${ID}#x`,
    `http://user@192.168.1.7:1280/pay/${ID}`,
    `http://192.168.1.7:1280/x/../pay/${ID}`,
    `http:192.168.1.7/pay/${ID}`,
    `ftp://192.168.1.7/pay/${ID}`,
    ` http://192.168.1.7:1280/pay/${ID}`,
    `http://192.168.1.7:1280/pay/\t${ID}`,
  ]) {
    assert.type(linkProblem(page, PAYMENT, 'this-machine'), 'string', page);
  }
});

test('which rule holds follows from where the bank is', () => {
  for (const [baseUrl, rule] of [
    ['https://zkc2b.koronacard.ru', 'nspk'],
    ['https://zkc2b-socium.koronacard.ru/points', 'nspk'],
    ['https://ahmad.ftc.ru:10400', 'nspk-test'],
    ['https://nskbl.ahmad.ftc.ru:10400', 'nspk-test'],
    ['https://notahmad.ftc.ru', 'nspk'],
    ['https://ahmad.ftc.ru.example.org', 'nspk'],
    ['http://127.0.0.1:1280', 'this-machine'],
    ['http://localhost:1280/x', 'this-machine'],
    ['https://[::1]:1280', 'this-machine'],
    ['https://127.0.0.1.example.org', 'nspk'],
  ] as const) {
    assert.is(linkRuleOf(baseUrl, CFT_TEST_HOSTS), rule, baseUrl);
  }
});

test.run();
