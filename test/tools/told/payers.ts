/**
 * Customers who pay, and answers of a bank, as they are drawn: a payer pays some sixteen seconds after the code is shown,
 * one in twelve about a minute after, nobody before four. The bank may say shortly before that the customer is paying.
 * No times of payers at tills are published for instant payments: the shape is that of one test of 25 people.
 */

const PROMPT = { share: 0.92, medianMs: 16_000, spread: 0.4 };
const STRAGGLERS = { medianMs: 60_000, spread: 0.6 };
const NOBODY_BEFORE_MS = 4000;
const PAYING = { medianMs: 1500, spread: 0.6, mostMs: 15_000 };
const ANSWER = { medianMs: 150, spread: 0.5, mostMs: 3000 };

/** A draw around a median. @param random 0 to 1 */
function around({ medianMs, spread }: { readonly medianMs: number; readonly spread: number }, random: () => number) {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return medianMs * Math.exp(spread * normal);
}

/** Since the code was shown, ms. */
export interface Payer {
  readonly paidAt: number;
  /** When the bank can first say that the customer is paying. */
  readonly payingAt: number;
}

export function drawPayer(random: () => number): Payer {
  const paidAt = Math.max(NOBODY_BEFORE_MS, around(random() < PROMPT.share ? PROMPT : STRAGGLERS, random));
  return { paidAt, payingAt: paidAt - Math.min(PAYING.mostMs, around(PAYING, random)) };
}

/** How long a question and its answer take, ms. */
export const drawAnswer = (random: () => number): number => Math.min(ANSWER.mostMs, around(ANSWER, random));

/** The value below which a share of the numbers lies. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(share * values.length))] ??
  Number.NaN;
