/** Why the code of a receipt is not shown. */
import { refused } from '../../../drivers/lib/records.ts';

export const RECEIPT_CODE_ERRORS = {
  'ReceiptCodes.DisplayInUse': refused({
    status: 409,
    again: 'later',
    en: {
      meaning:
        'a payment is open, its code is on the display, or something else came onto the display meanwhile: the receipt is not shown',
      todo: 'let the payment end first; leave the receipt out if the next sale has begun',
      page: 'The display is in use: the receipt is not shown.',
    },
    ru: {
      meaning: 'идёт оплата, её код на дисплее или дисплей тем временем занят другим: чек не показан',
      todo: 'дождитесь конца оплаты; если началась следующая продажа, чек не показывайте',
      page: 'Дисплей занят: чек не показан.',
    },
  }),
  'ReceiptCodes.Passed': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'another payment was asked for after this one: its customer is no longer at the display',
      todo: 'nothing: do not show this receipt any more',
      page: 'The next payment has begun: the receipt is not shown.',
    },
    ru: {
      meaning: 'после этого платежа запрошен другой: покупателя у дисплея уже нет',
      todo: 'ничего: этот чек больше не показывайте',
      page: 'Начался следующий платёж: чек не показан.',
    },
  }),
} as const;
