/**
 * Tells by the bank's own word what a line of a registry is: a sale, a refund, or something else, which never counts as
 * either.
 */
import Type, { type Static } from 'typebox';
import type { PaymentMethod } from '../../banks/index.ts';
import type { KnownOperations } from '../../core/config/index.ts';

/** Payment methods by the words that banks write for people. The surest first: a bank's service may pay by SBP, and digital roubles use the same code. */
const WORDS: readonly (readonly [PaymentMethod, RegExp])[] = [
  ['digital-rouble', /цифров\S*\s+рубл|^цр$|digital.?ro?u?ble/i],
  ['sbp', /сбп|быстрых платежей|\bsbp|_sbp|fast(?:er)?[ _]payment/i],
  ['bank-service', /(?:sber|tinkoff|(?<![a-z])t)[ _-]?pay(?!m)|долями|рассрочк|кошел(?:[её]к|ьк)|wallet|instal/i],
  ['card', /карт|\bcard|_card|^мир$|^mir$|visa|mastercard/i],
];

/** @returns null for an unknown text */
export const methodIn = (text: string | null): PaymentMethod | null =>
  text === null ? null : (WORDS.find(([, word]) => word.test(text))?.[0] ?? null);

type Operation = KnownOperations[string];

/**
 * Words of operations that are neither a sale nor a refund, whatever else they mention: lower-case, with a blank
 * between words. A missing one is counted wrongly; one too many is listed, and the shop says what it is.
 */
const OTHERS: readonly RegExp[] = [
  // a fee
  /комисси|вознагражд|тариф|обслуживан|услуг\S* банка|(?<!\p{L})плат[аыу](?!\p{L})/u,
  /commission|\bfees?\b|service charge|surcharge/,
  // a penalty, an insurance, a tax
  /штраф|неустойк|(?<!\p{L})пен[ия](?!\p{L})|страхо|налог|(?<!\p{L})ндс(?!\p{L})/u,
  /penalt|\bfines?\b|insur|\btax(?:es)?\b|\bvat\b/,
  // a correction, a loan, a bonus
  /корректир|коррекц|погашен|к[еэ]шб[еэ]к/,
  /adjust|correct|\brepay|cash ?back/,
  // a payout, and what comes to the account of the shop: a refund goes to the account of the payer
  /выплат|перечисл|возмещ|вывод|взаимо|^(?!.*возврат).* на (?:\S+ )?(?:сч[её]т|р\/с)/,
  /pay ?out|withdraw|settle|^(?!.*refund).* to (?:\S+ ){0,3}account/,
  // a hold
  /удерж|блокир|холд|авториз|резерв|заморо/,
  /withh|block|\bhold(?:s|ing)?\b|\bauth|pre ?auth|reserve|freez|froz/,
  // a refusal, a failure, and what was cancelled before it was anything
  /отклон|отказ|ошибк|просроч|ист[её]к|отмен[её]н|аннулирован(?!и)/,
  /(?<!\p{L})не(?!\p{L})|(?<!\p{L})не(?:успе|удач|опла)/u,
  /declin|reject|deny|denie|refus|fail|error|expir|time ?out|abort|cancell?ed|voided/,
  /\bnot\b|unsuccess|unpaid/,
  // what is only asked for, or under way
  /ожида|в обработке|(?:запрос|заявк)\S* на |сч[её]т на /,
  /pending|await|processing|request|invoice/,
  // a dispute that goes on
  /диспут|disput|represent/,
];
const REFUND = 'возврат|отмен|сторн|аннул|чардж?б[еэ]к|refund|return|revers|cancel|void|charge ?back';
const REFUND_WORDS = new RegExp(REFUND);
/** A refund undone: a refund word twice. */
const UNDONE = new RegExp(`(?:${REFUND}).*(?:${REFUND})`);
/** C2B: a payer to a shop, in statements of digital roubles, too. */
const PAYMENT_WORDS = /оплат|плат[её]ж|покупк|продаж|зачислен|payment|sale|purchase|\bc2b\b/;

const folded = (word: string): string => word.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ');
/** `PAYMENT_FEE` and `PaymentFee` as `payment fee`. */
const inWords = (word: string): string =>
  folded(word.replaceAll(/[_-]/g, ' ').replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));

/** Tells operations, also by the words that the shop has named. */
export class Operations {
  readonly #named: ReadonlyMap<string, Operation>;

  constructor(named: KnownOperations) {
    this.#named = new Map(Object.entries(named).map(([word, operation]) => [folded(word), operation]));
  }

  /**
   * The operation by word and sign; for a line without a word, by its sign and the id of a refund.
   * @param amount with its sign
   * @returns null for an unknown word
   */
  of(word: string | null, amount: number, refund: string | null): Operation | null {
    if (word === null) return amount < 0 || refund !== null ? 'refund' : 'payment';
    const said = this.#said(word);
    return said !== null && amount < 0 ? 'refund' : said;
  }

  #said(word: string): Operation | null {
    const named = this.#named.get(folded(word));
    if (named !== undefined) return named;
    const words = inWords(word);
    if (UNDONE.test(words) || OTHERS.some((other) => other.test(words))) return null;
    if (REFUND_WORDS.test(words)) return 'refund';
    return PAYMENT_WORDS.test(words) ? 'payment' : null;
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
