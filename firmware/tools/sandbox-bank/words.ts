/** The words of the payer's page. */
import type { Texts } from '../../../drivers/lib/languages.ts';

const EN = {
  bank: 'Test bank',
  test: 'TEST',
  play: 'no real money moves',
  /** Label of the choice of language. */
  language: 'Language',
  /** Shown where the bank does not answer. */
  lost: 'No answer from the bank. Reconnecting…',
  toPay: 'You pay',
  pay: 'Pay',
  decline: 'Decline',
  /** Stands before the time left. */
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
export type Words = Readonly<Record<keyof typeof EN, string>>;

export const WORDS: Texts<Words> = {
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
