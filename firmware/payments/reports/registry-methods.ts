/** How a line of a registry was paid, by what banks write of it for people. */
import type { PaymentMethod } from '../../banks/index.ts';

/** The surest first: a service of a bank may pay by SBP, and digital roubles go by the same code. */
const WORDS: readonly (readonly [PaymentMethod, RegExp])[] = [
  ['digital-rouble', /цифров\S*\s+рубл|^цр$|digital.?ro?u?ble/i],
  ['sbp', /сбп|быстрых платежей|\bsbp|_sbp|fast(?:er)?[ _]payment/i],
  ['bank-service', /(?:sber|tinkoff|(?<![a-z])t)[ _-]?pay(?!m)|долями|рассрочк|кошел(?:[её]к|ьк)|wallet|instal/i],
  ['card', /карт|\bcard|_card|^мир$|^mir$|visa|mastercard/i],
];

/** @returns null where it says nothing that is known */
export const methodIn = (text: string | null): PaymentMethod | null =>
  text === null ? null : (WORDS.find(([, word]) => word.test(text))?.[0] ?? null);
