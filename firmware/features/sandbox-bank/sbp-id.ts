/** Ids as the payment system gives them. */
import { randomBytes } from 'node:crypto';

/** Without letters and digits that look alike; 32 of them, so a random byte falls on each equally often. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const ID_LETTERS = 30;

/** 32 letters and digits, as the payment system's ids have. @param prefix two letters: AD for codes of one payment */
export function newSbpId(prefix: string): string {
  return `${prefix}${Array.from(randomBytes(ID_LETTERS), (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}
