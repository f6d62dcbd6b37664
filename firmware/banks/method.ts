/**
 * How a payment was paid, as its bank says it afterwards. Since September 2026 one code may be paid in several ways (law 248-FZ), and the
 * payer chooses in his own app.
 */
import { MAX_BANK_WORD_CHARACTERS } from './payer.ts';

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
  /** As the bank writes it; null where it follows from another field of its answer. */
  readonly word: string | null;
}

/** Words of a bank, in small letters. */
export type MethodWords = Readonly<Record<string, PaymentMethod>>;

/** @returns null where the bank says nothing; a word that is not in its table is kept, and never fails a paid sale */
export function paidBy(said: unknown, words: MethodWords): PaidBy | null {
  const word = typeof said === 'string' ? said.trim() : '';
  if (word === '' || word.length > MAX_BANK_WORD_CHARACTERS || /\p{Cc}/u.test(word)) return null;
  const key = word.toLowerCase();
  return { method: Object.hasOwn(words, key) ? (words[key] ?? 'unknown') : 'unknown', word };
}

/** As the ledger has it; a method that a later release wrote is unknown to this one. */
export const methodNamed = (name: string | null): PaymentMethod =>
  METHOD_NAMES.find((known) => known === name) ?? 'unknown';

export const keptMethod = (method: string | null, word: string | null): PaidBy | null =>
  method === null ? null : { method: methodNamed(method), word };
