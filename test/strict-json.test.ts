import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasFewBetweenStrings, parseStrictJson, StrictJsonError } from '../drivers/lib/strict-json.ts';
import { thrown } from './support.ts';

const test = suite('strict json');

const read = (text: string | Uint8Array, depth = 32): unknown =>
  parseStrictJson(typeof text === 'string' ? Buffer.from(text) : text, depth);

const refusal = (text: string | Uint8Array, depth?: number): string =>
  thrown(StrictJsonError, () => read(text, depth)).message;

test('a member that an object holds twice is refused by name, however written, wherever it is', () => {
  for (const text of [
    '{"amount":100,"amount":10000}',
    '{"amount":100,"amount":100}',
    '{ "amount" : {} ,\n "ttl": [1, {"amount": 2}], "amount" : 1 }',
    '{"amount":100,"\\u0061mount":10000}',
    '[0, {"x": {"amount": 1, "y": "\\"", "amount": 2}}]',
    '{"x":"\\\\","amount":1,"amount":2}',
  ]) {
    assert.is(refusal(text), 'holds "amount" twice', text);
  }
  assert.is(refusal('{"__proto__":1,"__proto__":2}'), 'holds "__proto__" twice');
  assert.is(refusal('{"":1,"":2}'), 'holds "" twice');
  assert.is(refusal(`{"${'x'.repeat(1000)}":1,"${'x'.repeat(1000)}":2}`), `holds "${'x'.repeat(40)}" twice`);
});

test('the same name in different objects, and as a value, is nothing twice', () => {
  for (const text of [
    '{"a":{"a":{"a":"a"}}}',
    '[{"a":1},{"a":2}]',
    '{"a":[{"b":1},{"b":2}],"b":"a","c":"a"}',
    '{"a":"b","b":"a"}',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a":1,"A":2,"\\"a":3}',
  ]) {
    assert.equal(read(text), JSON.parse(text), text);
  }
});

test('any value written as JSON reads back the same', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (text) => {
      assert.equal(read(text, 64), JSON.parse(text));
    }),
  );
});

test('an object written with one of its members twice is always refused', () => {
  const object = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 });
  fc.assert(
    fc.property(object, fc.nat(), fc.jsonValue({ maxDepth: 2 }), (members, choice, value) => {
      const written = Object.entries(members).map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`);
      const names = Object.keys(members);
      const again = `${JSON.stringify(names[choice % names.length])}:${JSON.stringify(value)}`;
      assert.match(refusal(`[{${[...written, again].join(' , ')}}]`), /^holds ".*" twice$/s);
    }),
  );
});

test('what is no JSON is refused in the words of the parser, and bytes that are no text too', () => {
  assert.match(refusal('{"a":'), /^is no JSON: .*end of JSON/);
  assert.match(refusal('{"a":1} x'), /^is no JSON: .*after JSON/);
  assert.is(refusal(Buffer.from([0x22, 0xff, 0x22])), 'is no JSON: it is not UTF-8');
});

test('depth counts objects and lists within each other', () => {
  assert.equal(read('[[{"a":1}]]', 3), [[{ a: 1 }]]);
  assert.is(refusal('[[{"a":[]}]]', 3), 'nests deeper than 3 levels');
  assert.equal(read('[[],[],{},{"a":[]}]', 3), [[], [], {}, { a: [] }]);
  assert.is(refusal('['.repeat(100_000) + ']'.repeat(100_000)), 'nests deeper than 32 levels');
});

const WHOLE: readonly [string, unknown][] = [
  ['12345678901234567890', '12345678901234567890'],
  ['-12345678901234567890', '-12345678901234567890'],
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740992', '9007199254740992'],
  ['9007199254740993', '9007199254740993'],
  ['1e20', '1e20'],
  ['9007199254740993.0', '9007199254740993.0'],
  ['110.10', 110.1],
  ['"12345678901234567890"', '12345678901234567890'],
  ['0', 0],
];
for (const [written, kept] of WHOLE) {
  test(`a whole number, else rounded, comes as written where asked for: ${written}`, () => {
    const text = Buffer.from(`{"id":[${written}]}`);
    assert.equal(parseStrictJson(text, 3, { keepsDigits: true }), { id: [kept] });
    assert.equal(parseStrictJson(text, 3), JSON.parse(text.toString()));
  });
}

test('bytes outside of strings are counted, and escaped quotation marks', () => {
  const written = fc.anything({ maxDepth: 4 }).map((value) => JSON.stringify(value) ?? 'null');
  const quoting = fc.string().map((text) => JSON.stringify([text, { [`${text}"\\`]: `"${text}` }, '\\"']));
  fc.assert(
    fc.property(fc.oneof(written, quoting), (text) => {
      const marks = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (each) =>
        '"'.repeat(each.match(/\\.|"/g)?.filter((mark) => mark.endsWith('"')).length ?? 0),
      );
      assert.ok(hasFewBetweenStrings(Buffer.from(text), marks.length));
      assert.not(hasFewBetweenStrings(Buffer.from(text), marks.length - 1));
    }),
  );
});

test.run();
