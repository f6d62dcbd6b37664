import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memberOf } from '../../../drivers/lib/strict-json.ts';
import { payerOf } from '../../../firmware/banks/method.ts';

const test = suite('payer');

const phone = (said: unknown): string | null => payerOf({ phone: said })?.phone ?? null;
const bank = (said: unknown): string | null => payerOf({ bank: said })?.bank ?? null;

test('no more of a phone is kept than its last four digits, however the bank writes it', () => {
  for (const said of ['+79161234567', '89161234567', 79161234567, '+7 (916) 123-45-67', '+7 9** ***-45–67', '***4567'])
    assert.is(phone(said), '***4567', String(said));
});

test('a phone whose last digits the bank hides, or that is none, is not kept', () => {
  for (const said of ['+7916*****67', '+7916123****', '67', '', null, undefined, {}, ['79161234567'], true])
    assert.is(phone(said), null, String(said));
});

test("the payer's bank is one line, as the bank writes it", () => {
  assert.equal([bank(' Т-Банк '), bank(100_000_000_004)], ['Т-Банк', '100000000004']);
  for (const said of ['', ' ', 'one\ntwo', 'x'.repeat(141), null, {}, ['Т-Банк']]) assert.is(bank(said), null);
  assert.is(bank('x'.repeat(140))?.length, 140);
});

test('a bank that says neither says nothing of the payer', () => {
  assert.is(payerOf({}), null);
  assert.is(payerOf({ bank: '', phone: '12' }), null);
  assert.equal(payerOf({ bank: 'A', phone: '12' }), { bank: 'A', phone: null });
});

test('a part that is not there, or not of an object, is no failure', () => {
  assert.is(memberOf({ bankName: 'A' }, 'bankName'), 'A');
  for (const said of [null, undefined, 'text', 7, {}]) assert.is(memberOf(said, 'toString'), undefined);
});

test.run();
