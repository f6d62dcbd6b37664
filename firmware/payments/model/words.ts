/** The words of printed pages and spreadsheets: headings, payment methods, and names of banks as the console has them. */

import Type, { type Static } from 'typebox';
import { type Language, RUSSIAN, type Texts } from '../../../drivers/lib/languages.ts';
import { isForTest, METHOD_NAMES, METHODS, type PaymentMethod } from '../../banks/index.ts';
import type { PaymentRow } from './payment-row.ts';

/** The name of a payment method, as calls have it. */
export const PaymentMethodName = Type.Enum(METHOD_NAMES, {
  title: 'PaymentMethod',
  description: Object.entries(METHODS)
    .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
    .join('; '),
});

export const MethodTotals = Type.Object(
  {
    method: PaymentMethodName,
    count: Type.Integer(),
    sum: Type.Integer({ description: 'kopecks' }),
  },
  { title: 'MethodTotals' },
);
export type MethodTotals = Readonly<Static<typeof MethodTotals>>;

/** Follows the name of a bank at which no real money moves. */
export const TEST_MARK = ' TEST';

/** The bank of a payment in totals and exports; test payments never count under the real bank's name. */
export const reportedBank = ({ bank, merchant }: Pick<PaymentRow, 'bank' | 'merchant'>): string =>
  isForTest(merchant) ? `${bank}${TEST_MARK}` : bank;

/** Loads the words `bank.*` of the pages when a paper is written. */
export type BankWords = (language: Language) => Promise<Readonly<Record<string, string>>>;

/** The heading of a profile's totals. */
export type ProfileNames = (of: { readonly profile: string; readonly bank: string }) => string;

export const profileNames =
  (words: Awaited<ReturnType<BankWords>>): ProfileNames =>
  ({ profile, bank }) => {
    const mark = bank.endsWith(TEST_MARK) ? TEST_MARK : '';
    const plain = bank.slice(0, bank.length - mark.length);
    const name = `${words[`bank.${plain}`] ?? plain}${mark}`;
    return profile === bank ? name : `${profile} · ${name}`;
  };

/** Names banks where no profile is known. */
export const bankNames = (words: Awaited<ReturnType<BankWords>>): ((bank: string) => string) => {
  const nameOf = profileNames(words);
  return (bank) => nameOf({ profile: bank, bank });
};

/** Words of a day. */
export const DAY_WORDS = {
  ru: {
    title: 'Итоги дня',
    onlyTheBank: 'Оплачены ли статические коды, знает только банк.',
    notOver: 'День ещё не закончился: это промежуточные итоги.',
    all: 'Все профили',
    none: 'В этот день платежей не было.',
  },
  en: {
    title: 'Daily totals',
    onlyTheBank: 'Only the bank knows whether static codes were paid.',
    notOver: 'The day is not over: totals so far.',
    all: 'All profiles',
    none: 'No payments on this day.',
  },
} as const satisfies Texts<object>;

/** Words of a shift. */
export const SHIFT_WORDS = {
  ru: {
    title: 'Смена',
    by: 'Кассир',
    all: 'Вся смена',
    nobody: 'Кассир не назван',
    earlier: 'Оплачены в этой смене, начаты раньше',
    inShift: 'смена',
    returned: 'Вернул банк без возврата на кассе',
    notOver: 'Смена ещё открыта: итоги на этот момент.',
    itself: 'Закрыта устройством по расписанию.',
  },
  en: {
    title: 'Shift',
    by: 'Cashier',
    all: 'The whole shift',
    nobody: 'No cashier named',
    earlier: 'Paid in this shift, started earlier',
    inShift: 'shift',
    returned: 'Returned by the bank without a refund here',
    notOver: 'The shift is still open: these are the totals so far.',
    itself: 'Closed by the device at the set time.',
  },
} as const satisfies Texts<object>;

/** Words of both papers. */
export const PAPER_WORDS = {
  ru: {
    printed: 'Составлено',
    device: 'Устройство',
    test: 'ТЕСТ: деньги не списываются',
    sign: 'Подпись',
    methods: 'Способы оплаты',
  },
  en: {
    printed: 'Created',
    device: 'Device',
    test: 'TEST: no money moves',
    sign: 'Signature',
    methods: 'Payment methods',
  },
} as const satisfies Texts<object>;

export const METHOD_IN = {
  ru: {
    sbp: 'СБП',
    'digital-rouble': 'Цифровые рубли',
    card: 'Карта',
    'bank-service': 'Сервис банка',
    unknown: 'Способ не указан',
  },
  en: {
    sbp: 'SBP',
    'digital-rouble': 'Digital roubles',
    card: 'Card',
    'bank-service': 'Bank service',
    unknown: 'Method not stated',
  },
} as const satisfies Texts<Readonly<Record<PaymentMethod, string>>>;

/** Payment methods on a receipt, which is in Russian by law; an unknown method is still cashless. */
export const METHOD_ON_RECEIPT = { ...METHOD_IN[RUSSIAN], unknown: 'Безналичными' };

/** Names of the lines of a shift. */
export const LINE_IN = {
  ru: { total: 'Итог', earlier: 'Начат раньше', returned: 'Вернул банк' },
  en: { total: 'Total', earlier: 'Started earlier', returned: 'Returned by the bank' },
} as const satisfies Texts<object>;

/** Names of the figures on the papers, and headings of the columns of a spreadsheet. */
export const HEADS = {
  ru: {
    number: 'Номер',
    asked: 'Запрошен',
    paid: 'Оплачен',
    amount: 'Сумма',
    refunded: 'Возвращено',
    purpose: 'Назначение',
    receipt: 'Номер чека',
    printed: 'Чек напечатан',
    till: 'Касса',
    profile: 'Профиль',
    order: 'Номер заказа',
    bankId: 'Номер в банке',
    transaction: 'Номер операции',
    method: 'Способ',
    review: 'Проверка',
    cashier: 'Кассир',
    shift: 'Смена',
    zone: 'Часовой пояс',
    bank: 'Банк',
    why: 'Причина возврата',
    day: 'День',
    accepted: 'Оплачено',
    refunds: 'Возвраты',
    net: 'Итого',
    late: 'Нужно проверить',
    open: 'Ещё открыты',
    openRefunds: 'Возвраты в обработке',
    notFollowed: 'Показано стат. кодов',
    openBefore: 'Открыты с прошлых дней',
    withoutReceipt: 'Без чека',
    shifts: 'Смены',
    opened: 'Открыта',
    closed: 'Закрыта',
    line: 'Строка',
    askedShift: 'Начат в смене',
  },
  en: {
    number: 'Number',
    asked: 'Asked',
    paid: 'Paid',
    amount: 'Amount',
    refunded: 'Refunded',
    purpose: 'Purpose',
    receipt: 'Receipt number',
    printed: 'Receipt printed',
    till: 'Till',
    profile: 'Profile',
    order: 'Order',
    bankId: 'Bank’s number',
    transaction: 'Transaction',
    method: 'Method',
    review: 'Review',
    cashier: 'Cashier',
    shift: 'Shift',
    zone: 'Time zone',
    bank: 'Bank',
    why: 'Reason for the refund',
    day: 'Day',
    accepted: 'Paid',
    refunds: 'Refunded',
    net: 'Net',
    late: 'To review',
    open: 'Still open',
    openRefunds: 'Refunds in progress',
    notFollowed: 'Static codes shown',
    openBefore: 'Open from earlier days',
    withoutReceipt: 'Without a receipt',
    shifts: 'Shifts',
    opened: 'Opened',
    closed: 'Closed',
    line: 'Line',
    askedShift: 'Asked in shift',
  },
} as const satisfies Texts<object>;

/** Units after the headings. */
export const UNITS = {
  ru: { count: 'шт.', roubles: '₽' },
  en: { count: 'pcs', roubles: '₽' },
} as const satisfies Texts<object>;
