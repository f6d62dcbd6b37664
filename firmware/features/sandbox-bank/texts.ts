/** The words of the payer's page. */
import { languageOf } from '../../core/http/index.ts';

export const LANGUAGES = Object.freeze(['ru', 'en'] as const);
export type Language = (typeof LANGUAGES)[number];

const EN = {
  bank: 'Test bank',
  test: 'TEST',
  play: 'no real money moves',
  /** What the choice of it is called. */
  language: 'Language',
  /** Where the bank does not answer. */
  lost: 'No answer from the bank. Reconnecting…',
  toPay: 'You pay',
  pay: 'Pay',
  decline: 'Decline',
  /** Before the time that is left. */
  validFor: 'Valid for',
  paid: 'Paid',
  paidMore: 'The till will see it in a moment. You can close this page.',
  declined: 'Declined',
  declinedMore: 'You were not charged. To pay after all, ask at the till for a new code.',
  processing: 'Processing',
  processingMore: 'Your bank has not finished yet. Do not pay twice.',
  cancelled: 'Cancelled',
  cancelledMore: 'This code was cancelled and you were not charged. Ask at the till for a new code.',
  expired: 'Expired',
  expiredMore: 'This code has expired and you were not charged. Ask at the till for a new code.',
  unknown: 'No such payment',
  unknownMore: 'Scan the code at the till again.',
};
export type Texts = Readonly<Record<keyof typeof EN, string>>;

export const TEXTS: { readonly [L in Language]: Texts } = {
  en: EN,
  ru: {
    bank: 'Тестовый банк',
    test: 'ТЕСТ',
    play: 'настоящие деньги не списываются',
    language: 'Язык',
    lost: 'Банк не отвечает. Подключаемся снова…',
    toPay: 'К оплате',
    pay: 'Оплатить',
    decline: 'Отказаться',
    validFor: 'Действует ещё',
    paid: 'Оплачено',
    paidMore: 'Касса сейчас получит подтверждение. Страницу можно закрыть.',
    declined: 'Отклонено',
    declinedMore: 'Деньги не списаны. Чтобы всё же оплатить, попросите на кассе новый код.',
    processing: 'Обрабатывается',
    processingMore: 'Банк ещё не закончил. Не платите второй раз.',
    cancelled: 'Отменено',
    cancelledMore: 'Код отменён, деньги не списаны. Попросите на кассе новый код.',
    expired: 'Срок кода истёк',
    expiredMore: 'Код больше не действует, деньги не списаны. Попросите на кассе новый код.',
    unknown: 'Такого платежа нет',
    unknownMore: 'Отсканируйте код на кассе ещё раз.',
  },
};

/** @param asked by the address, if it asks @param header Accept-Language */
export const chooseLanguage = (asked: unknown, header: string | undefined): Language =>
  LANGUAGES.find((language) => language === asked) ?? languageOf(header);

const RUB = { style: 'currency', currency: 'RUB', currencyDisplay: 'narrowSymbol' } as const;

/** Kopecks as roubles, as the pages write them; made from the digits, so that no amount is rounded. */
export function roubles(amount: number, language: Language): string {
  const digits = String(amount).padStart(3, '0');
  const decimal = `${digits.slice(0, -2)}.${digits.slice(-2)}` as `${number}`;
  const locale = language === 'ru' ? 'ru-RU' : 'en-GB';
  return new Intl.NumberFormat(locale, RUB).format(decimal);
}

/** In the largest unit that fits, rounded up: "3 minutes". */
export function timeLeft(ms: number, language: Language): string {
  const minutes = Math.ceil(ms / 60_000);
  const [value, unit] =
    minutes <= 120
      ? ([minutes, 'minute'] as const)
      : minutes <= 48 * 60
        ? ([Math.ceil(minutes / 60), 'hour'] as const)
        : ([Math.ceil(minutes / 1440), 'day'] as const);
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
