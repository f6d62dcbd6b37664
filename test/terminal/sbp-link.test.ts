import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkSbpLink, crc16, sbpLinkWarning } from '../../firmware/banks/sbp-link.ts';
import { buildSbpLink, type SbpLinkInput } from './banks/sbp-links.ts';

const test = suite('sbp links');

/** Public links with the checksum that their banks printed. */
const VECTORS = [
  ['https://qr.nspk.ru/AD100004BAL7227F9BNP6KNE007J9B3K?type=02&bank=100000000007&sum=1&cur=RUB', 'AB75'],
  ['https://qr.nspk.ru/AD10001246OADML79D5OP9279JLPI2V6?type=02&bank=100000000001&sum=253&cur=RUB', 'D959'],
  ['https://qr.nspk.ru/AD10004MV5CJ3D638358RO81129CE63P?type=02&bank=100000000004&sum=30510&cur=RUB', 'B754'],
  ['https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G?type=01&bank=100000000007', '0C8A'],
  ['https://qr.nspk.ru/AS10003P3RH0LJ2A9ROO038L6NT5RU1M?type=01&bank=000000000001&sum=10000&cur=RUB', 'F3D0'],
] as const;

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
const linkParts = fc.record({
  id: fc.string({ unit: fc.constantFrom(...letters), minLength: 32, maxLength: 32 }),
  type: fc.constantFrom<SbpLinkInput['type']>('01', '02', '03'),
  bank: fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 12, maxLength: 12 }),
  sum: fc.option(fc.integer({ min: 1, max: 100_000_000 }), { nil: undefined }),
});
const build = ({
  sum,
  ...rest
}: {
  id: string;
  type: SbpLinkInput['type'];
  bank: string;
  sum: number | undefined;
}): string => buildSbpLink(sum === undefined ? rest : { ...rest, sum });

test('the checksum is CRC-16/CCITT-FALSE by its published check value', () => {
  assert.is(crc16('123456789'), 0x29b1);
  assert.is(crc16(''), 0xffff);
});

for (const [covered, crc] of VECTORS) {
  test(`a public link with crc ${crc} is right, and wrong with another sum or crc`, () => {
    const link = checkSbpLink(`${covered}&crc=${crc}`);
    assert.is(link.kind === 'sbp' && link.crc, 'ok');
    const other = checkSbpLink(`${covered}0&crc=${crc}`);
    assert.is(other.kind === 'sbp' && other.crc, 'wrong');
    const absent = checkSbpLink(covered);
    assert.is(absent.kind === 'sbp' && absent.crc, 'absent');
  });
}

test('a public link is rebuilt to the byte from its parts', () => {
  const text =
    'https://qr.nspk.ru/AD10004MV5CJ3D638358RO81129CE63P?type=02&bank=100000000004&sum=30510&cur=RUB&crc=B754';
  assert.is(
    buildSbpLink({ id: 'AD10004MV5CJ3D638358RO81129CE63P', type: '02', bank: '100000000004', sum: 30510 }),
    text,
  );
  assert.equal(checkSbpLink(text), {
    kind: 'sbp',
    host: 'qr.nspk.ru',
    id: 'AD10004MV5CJ3D638358RO81129CE63P',
    type: '02',
    bank: '100000000004',
    sum: 30510,
    cur: 'RUB',
    crc: 'ok',
  });
});

test('every link that is built reads back the same, with a right checksum', () => {
  fc.assert(
    fc.property(linkParts, (parts) => {
      const link = checkSbpLink(build(parts));
      assert.is(link.kind, 'sbp');
      if (link.kind !== 'sbp') return;
      assert.is(link.crc, 'ok');
      assert.equal([link.id, link.type, link.bank], [parts.id, parts.type, parts.bank]);
      assert.equal([link.sum, link.cur], parts.sum === undefined ? [null, null] : [parts.sum, 'RUB']);
    }),
  );
});

test('one changed digit of the sum never passes for right', () => {
  fc.assert(
    fc.property(linkParts, fc.nat(), fc.integer({ min: 1, max: 9 }), (parts, at, by) => {
      const text = build({ ...parts, sum: parts.sum ?? 12_345 });
      const digits = /sum=(\d+)/.exec(text)?.[1] ?? '';
      const place = at % digits.length;
      const changed = digits.slice(0, place) + ((Number(digits[place]) + by) % 10) + digits.slice(place + 1);
      const link = checkSbpLink(text.replace(`sum=${digits}`, `sum=${changed}`));
      assert.is(link.kind === 'sbp' && link.crc, 'wrong');
    }),
  );
});

test('any text at all gets a verdict', () => {
  const near = fc.string({ unit: 'binary' }).map((tail) => `https://qr.nspk.ru/A?${tail}`);
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), near), (text) => {
      assert.ok(['sbp', 'malformed', 'foreign'].includes(checkSbpLink(text).kind));
    }),
  );
});

test('a bare static link is one of the system, without a checksum and without a warning', () => {
  const text = 'https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G';
  const link = checkSbpLink(text);
  assert.is(link.kind === 'sbp' && link.crc, 'absent');
  assert.is(sbpLinkWarning(text), null);
});

test('links of other hosts, schemes and plain text are foreign', () => {
  for (const text of [
    'https://example.org/AS100001?type=01',
    'http://qr.nspk.ru/AS100001',
    'https://qr.nspk.ru.example.org/AS100001',
    'https://qr.nspk.ru:8443/AS100001',
    'приходите ещё',
    '',
  ]) {
    assert.equal(checkSbpLink(text), { kind: 'foreign' }, text);
    assert.is(sbpLinkWarning(text), null);
  }
});

test('a link that could be read in two ways is malformed, not believed', () => {
  for (const query of ['sum=100&sum=200', 'sum=1e3', 'sum=', 'sum=-5', 'crc=0000&crc=1111']) {
    assert.is(checkSbpLink(`https://qr.nspk.ru/AS100001?type=02&${query}`).kind, 'malformed', query);
  }
  assert.is(checkSbpLink('https://qr.nspk.ru/').kind, 'malformed');
  assert.is(checkSbpLink('https://qr.nspk.ru/A/B').kind, 'malformed');
});

test('a wrong checksum and a malformed link are worth a warning', () => {
  assert.match(sbpLinkWarning(`${VECTORS[3][0]}&crc=0000`) ?? '', 'checksum');
  assert.match(sbpLinkWarning('https://qr.nspk.ru/A?sum=x') ?? '', 'malformed');
  assert.is(sbpLinkWarning(`${VECTORS[3][0]}&crc=0C8A`), null);
});

test.run();
