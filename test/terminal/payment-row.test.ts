/** What a bank knows a payment by, as its row has it: of a damaged one no more counts than can be read. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { paymentOf } from '../../firmware/payments/model/payment-row.ts';

const test = suite('rows of payments');

const refOf = (text: string | null, id: string | null = 'bank-1') => paymentOf({ bank_id: id, bank_ref: text }).ref;

test('the reference of the bank, with all its parts', () => {
  assert.equal(refOf('{"id":"other","step":"one"}'), { id: 'bank-1', step: 'one' });
  assert.equal(refOf('{"id":"other"}', null), null);
});

test('what is no object of texts is left out, and the id stays', () => {
  for (const text of ['{"step":5}', '{"step":null}', '["one"]', '"one"', '7', 'null', '{"step":"one"', null])
    assert.equal(refOf(text), { id: 'bank-1' }, String(text));
});

test.run();
