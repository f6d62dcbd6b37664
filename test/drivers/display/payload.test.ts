import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DisplayError } from '../../../drivers/display/contract.ts';
import { payloadBytes, payloadProblem } from '../../../drivers/display/payload.ts';

const payloads = suite('what a QR code may hold');

const REFUSED = [
  ['', 'must have 1 to 1000 bytes of UTF-8; it has 0'],
  ['a'.repeat(1001), 'must have 1 to 1000 bytes of UTF-8; it has 1001'],
  ['ж'.repeat(501), 'must have 1 to 1000 bytes of UTF-8; it has 1002'],
  ['a\ud800b', 'holds half a character'],
  ['\udc00', 'holds half a character'],
] as const;

payloads('is refused in one sentence where no display could draw it, for any caller', () => {
  for (const [payload, problem] of REFUSED) {
    assert.is(payloadProblem(payload), problem);
    try {
      payloadBytes('serial', payload);
      assert.unreachable(problem);
    } catch (error) {
      assert.instance(error, DisplayError);
      const { kind, code, message } = error as DisplayError;
      assert.equal([kind, code, message], ['serial', 'payload', `the payload ${problem}`]);
    }
  }
});

payloads('goes out as it is, to the last byte that a display takes', () => {
  for (const payload of ['x', ' ', '\u0000', 'a'.repeat(1000), 'ж'.repeat(500), '🍏'.repeat(250)]) {
    assert.is(payloadProblem(payload), null);
    assert.is(new TextDecoder('utf-8', { fatal: true }).decode(payloadBytes('serial', payload)), payload);
  }
});

payloads.run();
