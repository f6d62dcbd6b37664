/** What a line of a registry is, by the bank's own word: a sale, a refund, or something else, which is never counted as either. */
import Type, { type Static } from 'typebox';
import type { KnownOperations } from '../../core/config/index.ts';

type Operation = KnownOperations[string];

const REFUND_WORDS = /возврат|отмен|сторн|refund|return|revers|chargeback/i;
/** C2B: a payer to a shop, in statements of digital roubles, too. */
const PAYMENT_WORDS = /оплат|плат[её]ж|покупк|продаж|зачислен|payment|sale|purchase|\bc2b\b/i;
/** What is neither, whatever else it speaks of. */
const OTHER_WORDS =
  /комисси|вознагражд|удержан|корректир|штраф|commission|\bfees?\b|adjust|(?:отмен|сторн)\S* возврат|revers\S* (?:of )?(?:a )?(?:refund|chargeback)/i;

const folded = (word: string): string => word.toLowerCase().replaceAll(/\s+/g, ' ');

/** Words that no pattern knows, as the shop has named them. */
export class Operations {
  readonly #named: ReadonlyMap<string, Operation>;

  constructor(named: KnownOperations) {
    this.#named = new Map(Object.entries(named).map(([word, operation]) => [folded(word), operation]));
  }

  /**
   * Of a line with a word its word and its sign say it; else its sign, and the id of a refund.
   * @param amount with its sign
   * @returns null for a word that nobody knows
   */
  of(word: string | null, amount: number, refund: string | null): Operation | null {
    if (word === null) return amount < 0 || refund !== null ? 'refund' : 'payment';
    const said = this.#said(word);
    return said !== null && amount < 0 ? 'refund' : said;
  }

  #said(word: string): Operation | null {
    const named = this.#named.get(folded(word));
    if (named !== undefined) return named;
    if (OTHER_WORDS.test(word)) return null;
    if (REFUND_WORDS.test(word)) return 'refund';
    return PAYMENT_WORDS.test(word) ? 'payment' : null;
  }
}

export const OperationTotals = Type.Object(
  {
    word: Type.String({ description: "the bank's" }),
    count: Type.Integer(),
    sum: Type.Integer({ description: 'kopecks, with the sign of each line' }),
  },
  { title: 'OperationTotals' },
);
export type OperationTotals = Readonly<Static<typeof OperationTotals>>;
