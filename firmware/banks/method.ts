/**
 * How a payment was paid, as its bank reports afterwards. Since September 2026 one code may be paid in several ways
 * (law 248-FZ): the payer chooses in an app.
 */

/** The payer, in the bank's words. Only the last digits of a phone number are stored, however many the bank sends. */
export interface Payer {
  /** As the bank writes it: a name, a BIC or the number of a member of the payment system; null where it says nothing. */
  readonly bank: string | null;
  /** `***1234`; null where the bank does not name the last digits. */
  readonly phone: string | null;
}

/** Longest word of a bank. */
export const MAX_BANK_WORD_CHARACTERS = 140;
const LAST_DIGITS = /\d{4}$/;
/** Separators in a phone number; a star or a letter hides a digit. */
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

/** @returns null where the bank sent neither in a usable form */
export function payerOf(said: { readonly bank?: unknown; readonly phone?: unknown }): Payer | null {
  const payer = { bank: bankOf(said.bank), phone: phoneOf(said.phone) };
  return payer.bank === null && payer.phone === null ? null : payer;
}

export const METHODS = Object.freeze({
  sbp: 'by the fast payment system (SBP)',
  'digital-rouble': 'in digital roubles',
  card: 'by a card',
  'bank-service': 'by a service of a bank: its wallet, or instalments',
  unknown: 'the bank does not say, or in a word that this device does not know',
});
export type PaymentMethod = keyof typeof METHODS;
export const METHOD_NAMES = Object.keys(METHODS) as PaymentMethod[];

export interface PaidBy {
  readonly method: PaymentMethod;
  /** The bank's word; null where the method follows from another field of its answer. */
  readonly word: string | null;
}

/** Words of a bank, in lower case. */
export type MethodWords = Readonly<Record<string, PaymentMethod>>;

/** @returns null where the bank says nothing; a word that is not in its table is stored, and never fails a paid sale */
export function paidBy(said: unknown, words: MethodWords): PaidBy | null {
  const word = typeof said === 'string' ? said.trim() : '';
  if (word === '' || word.length > MAX_BANK_WORD_CHARACTERS || /\p{Cc}/u.test(word)) return null;
  const key = word.toLowerCase();
  return { method: Object.hasOwn(words, key) ? (words[key] ?? 'unknown') : 'unknown', word };
}

/** A method in the ledger; one that a later release wrote is unknown here. */
export const methodNamed = (name: string | null): PaymentMethod =>
  METHOD_NAMES.find((known) => known === name) ?? 'unknown';

export const storedMethod = (method: string | null, word: string | null): PaidBy | null =>
  method === null ? null : { method: methodNamed(method), word };
