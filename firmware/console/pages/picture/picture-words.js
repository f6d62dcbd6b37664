/** The words of the customer's screen in each of its languages, and how it writes times and amounts. */
import { LOCALES } from '/console/assets/languages.js';
import { roublesIn } from '../../../core/pages/app/writing.js';

/** @import { DisplayLanguage, ScreenLanguage } from '../../../../drivers/lib/languages.ts' */
/** @typedef {Readonly<Record<ScreenLanguage, string>>} ScreenWords */

/** @satisfies {Readonly<Record<string, ScreenWords>>} */
export const WORDS = {
  nothing: { ru: '', en: '' },
  screen: { ru: 'Экран покупателя', en: 'Customer’s screen' },
  code: { ru: 'QR-код для оплаты', en: 'QR code to pay by' },
  toPay: { ru: 'К оплате', en: 'To pay' },
  scan: { ru: 'Наведите камеру телефона на код', en: 'Point your phone’s camera at the code' },
  left: { ru: 'Осталось времени', en: 'Time left' },
  success: { ru: 'Оплачено', en: 'Paid' },
  failure: { ru: 'Оплата не прошла', en: 'Payment failed' },
  waiting: { ru: 'Подождите', en: 'Please wait' },
  next: {
    ru: 'Попросите новый код на кассе или оплатите другим способом',
    en: 'Ask at the till for a new code, or pay in another way',
  },
  lost: { ru: 'Нет связи с кассой', en: 'No connection to the till' },
  lostNext: { ru: 'Обратитесь к кассиру', en: 'Please ask the cashier' },
  test: { ru: 'ТЕСТ', en: 'TEST' },
  testMeans: { ru: 'деньги не списываются', en: 'no real money' },
  receipt: { ru: 'Оплачено. Ваш чек', en: 'Paid. Your receipt' },
  receiptCode: { ru: 'QR-код чека', en: 'QR code of the receipt' },
  receiptNext: { ru: 'Наведите камеру телефона, чтобы сохранить чек', en: 'Point your phone’s camera to keep it' },
  touch: { ru: 'Коснитесь экрана, чтобы включить звук', en: 'Touch the screen for sound' },
  claim: { ru: 'Код для техника', en: 'Technician’s code' },
  claimNext: { ru: 'Откройте адрес на телефоне', en: 'Open this address on a phone' },
};

const MINUTE_S = 60;

/** Writes a time as "4:05", from an hour on as "1:04:05". @param {number} ms */
export function clock(ms) {
  const seconds = Math.ceil(ms / 1000);
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / MINUTE_S);
  const rest = two(seconds % MINUTE_S);
  return minutes < MINUTE_S
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / MINUTE_S)}:${two(minutes % MINUTE_S)}:${rest}`;
}

/**
 * The languages in which words are shown, one below the other. What is written only once, such as an amount, is in the
 * first.
 * @param {DisplayLanguage} language @returns {readonly [ScreenLanguage, ...ScreenLanguage[]]}
 */
export const languagesOf = (language) => (language === 'both' ? ['ru', 'en'] : [language]);

/** An amount as the customer's language writes it. @param {number} kopecks @param {DisplayLanguage} language */
export const roubles = (kopecks, language) => roublesIn(LOCALES[languagesOf(language)[0]], kopecks);
