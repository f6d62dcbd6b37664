/** Reads what a bank has answered: strictly, and without quoting it. */
import { parseStrictJson, StrictJsonError } from '../../../../drivers/lib/strict-json.ts';
import { BankError } from '../bank.ts';
import { isRecord } from './bank-words.ts';

/** Of objects and lists in an answer. */
const MAX_DEPTH = 32;

/** @throws {BankError} `contradiction` */
export function readAnswer(body: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseStrictJson(body, MAX_DEPTH);
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    // the parser would quote the answer, and with it whatever the bank repeats of what it was sent
    const why = cause.kind === 'syntax' ? 'is no JSON' : cause.message;
    throw new BankError('contradiction', `the bank's answer ${why}`, { cause });
  }
  if (!isRecord(value)) throw new BankError('contradiction', 'the bank answered with JSON that is not an object');
  return value;
}

/** What stands in an answer that is no success; nothing for an error page of something in between. */
export function jsonOrNothing(body: Buffer): unknown {
  try {
    return parseStrictJson(body, MAX_DEPTH);
  } catch (error) {
    if (error instanceof StrictJsonError) return null; // its status says enough
    throw error;
  }
}
