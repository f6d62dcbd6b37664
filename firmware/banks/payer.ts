/** What a bank says of who has paid. No more of a phone is kept than its last digits, however much the bank names. */

export interface Payer {
  /** As the bank writes it: a name, a BIC or the number of a member of the payment system; null where it says nothing. */
  readonly bank: string | null;
  /** `***1234`; null where the bank does not name the last digits. */
  readonly phone: string | null;
}

/** Of what a bank says in words of its own. */
export const MAX_BANK_WORD_CHARACTERS = 140;
const LAST_DIGITS = /\d{4}$/;
/** What stands between the digits of a phone number; a star or a letter hides one. */
const SEPARATORS = /[\s()\-–]/gu;

function bankOf(said: unknown): string | null {
  const text = typeof said === 'string' || typeof said === 'number' ? String(said).trim() : '';
  const isFit = text !== '' && text.length <= MAX_BANK_WORD_CHARACTERS && !/\p{Cc}/u.test(text);
  return isFit ? text : null;
}

function phoneOf(said: unknown): string | null {
  const text = typeof said === 'string' || typeof said === 'number' ? String(said) : '';
  const [digits] = LAST_DIGITS.exec(text.replaceAll(SEPARATORS, '')) ?? [];
  return digits === undefined ? null : `***${digits}`;
}

/** @returns null where the bank has said neither that can be used */
export function payerOf(said: { readonly bank?: unknown; readonly phone?: unknown }): Payer | null {
  const payer = { bank: bankOf(said.bank), phone: phoneOf(said.phone) };
  return payer.bank === null && payer.phone === null ? null : payer;
}
