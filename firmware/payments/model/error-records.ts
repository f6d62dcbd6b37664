/**
 * Codes of payments. A code's place in its category is its number in the answers of the nine calls and in the ledger: a
 * new one stands at the end of its category, and none is removed.
 */
import { refused, subReasons } from '../../../drivers/lib/records.ts';

/** Laneware's own: the original driver has no codes for what is done with a payment after its request. */
export const PAYMENT_ERRORS = {
  'Payments.NotFound': refused({
    status: 404,
    again: 'no',
    en: {
      meaning: 'this caller has no payment with this id',
      todo: 'find it: `GET /v1/payments`',
      page: 'There is no such payment on this device.',
    },
    ru: {
      meaning: 'у этого вызывающего нет такого платежа',
      todo: 'найдите его: `GET /v1/payments`',
      page: 'Такого платежа на этом устройстве нет.',
    },
  }),
  'Payments.NotAccepted': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'the payment is not `ACCEPTED`: see `state`',
      todo: 'cancel an open one',
      page: 'Only a paid payment can be refunded.',
    },
    ru: {
      meaning: 'вернуть можно только платёж в состоянии `ACCEPTED`; его состояние — в `state`',
      todo: 'открытый отмените',
      page: 'Вернуть можно только оплаченный платёж.',
    },
  }),
  'Payments.NotRefundable': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'the bank does not refund through its interface, the code is static, or the record is damaged',
      todo: 'refund it in your account at the bank',
      page: 'This bank does not refund through the device: refund in your account at the bank.',
    },
    ru: {
      meaning: 'банк не возвращает деньги через свой интерфейс, код статический или запись повреждена',
      todo: 'сделайте возврат в личном кабинете банка',
      page: 'Через устройство этот банк деньги не возвращает: сделайте возврат в личном кабинете банка.',
    },
  }),
  'Payments.ExceedsPaid': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'more than is left of the payment: `left`',
      todo: 'refund at most `left`, with a new key',
      page: 'This is more than is left of the payment.',
    },
    ru: {
      meaning: 'больше, чем осталось от платежа: `left`',
      todo: 'верните не больше `left`, с новым ключом',
      page: 'Это больше, чем осталось от платежа.',
    },
  }),
  'Payments.IdConflict': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'the `Idempotency-Key` belongs to another sale or refund',
      todo: 'use a new key for each; `payment` and `differs` say whose it is',
      page: 'This key belongs to another sale. Request the payment again.',
    },
    ru: {
      meaning: '`Idempotency-Key` занят другой продажей или возвратом',
      todo: 'берите новый для каждой операции; чей этот — в `payment` и `differs`',
      page: 'Этот ключ занят другой продажей. Запросите платёж заново.',
    },
  }),
  'Payments.RefundOpen': refused({
    status: 409,
    again: 'later',
    en: {
      meaning: 'another refund of the payment, or this one, is in progress',
      todo: 'wait for it: `GET …/refunds/{refund}?wait=25`',
      page: 'Another refund of this payment is in progress: wait until it ends.',
    },
    ru: {
      meaning: 'другой или этот возврат платежа ещё обрабатывается',
      todo: 'дождитесь его: `GET …/refunds/{refund}?wait=25`',
      page: 'Другой возврат этого платежа ещё обрабатывается: дождитесь итога.',
    },
  }),
  'Payments.NotLate': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'this payment needs no review',
      todo: 'nothing',
      page: 'This payment needs no review any more.',
    },
    ru: {
      meaning: 'этот платёж не нужно проверять',
      todo: 'ничего',
      page: 'Этот платёж больше не нужно проверять.',
    },
  }),
  'Payments.RefundNotFound': refused({
    status: 404,
    again: 'no',
    en: {
      meaning: 'the payment has no refund with this id',
      todo: 'see `GET /v1/payments/{id}/refunds`',
      page: 'This payment has no such refund.',
    },
    ru: {
      meaning: 'у платежа нет такого возврата',
      todo: 'посмотрите `GET /v1/payments/{id}/refunds`',
      page: 'Такого возврата у платежа нет.',
    },
  }),
  'Payments.RefundFollowed': refused({
    status: 409,
    again: 'later',
    en: {
      meaning: 'the device is still checking this refund with the bank',
      todo: 'mark its outcome after `from`',
      page: 'The device is still checking this refund with the bank: mark its outcome later.',
    },
    ru: {
      meaning: 'устройство ещё проверяет возврат в банке',
      todo: 'отметьте итог не раньше `from`',
      page: 'Устройство ещё проверяет этот возврат в банке: отметьте итог позже.',
    },
  }),
  'Payments.RefundDecided': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'the outcome of this refund is known: `state`',
      todo: 'nothing',
      page: 'The outcome of this refund is already known.',
    },
    ru: {
      meaning: 'итог возврата известен: `state`',
      todo: 'ничего',
      page: 'Итог этого возврата уже известен.',
    },
  }),
  'Payments.Damaged': refused({
    status: 500,
    again: 'no',
    en: {
      meaning: 'the record of the `payment` that the key belongs to is damaged',
      todo: 'check in your account at the bank before using a new key',
      page: 'The record of this payment is damaged. Check in your account at the bank what became of it.',
    },
    ru: {
      meaning: 'запись платежа `payment`, к которому относится ключ, повреждена',
      todo: 'прежде чем брать новый ключ, проверьте в личном кабинете банка',
      page: 'Запись этого платежа повреждена. Проверьте в личном кабинете банка, что с ним стало.',
    },
  }),
  'Payments.RefundLimit': refused({
    status: 403,
    again: 'no',
    en: {
      meaning:
        'more than this till or cashier may refund without a supervisor (`terminal.refundLimits`); nothing was refunded; `left`',
      todo: 'send the same with `supervisorPin`, or refund at most `left`',
      page: 'Nothing was refunded: this amount needs a supervisor or a technician.',
    },
    ru: {
      meaning:
        'больше, чем эта кассовая программа или кассир возвращает без старшего кассира (`terminal.refundLimits`); деньги не возвращены; осталось `left`',
      todo: 'отправьте то же с `supervisorPin` или верните не больше `left`',
      page: 'Деньги не возвращены: такую сумму возвращает старший кассир или техник.',
    },
  }),
  'Payments.WrongPin': refused({
    status: 403,
    again: 'no',
    en: {
      meaning: '`supervisorPin` is not a supervisor’s PIN; nothing was refunded',
      todo: 'ask for the PIN again',
      page: 'Not the PIN of a supervisor or technician.',
    },
    ru: {
      meaning: '`supervisorPin` — не PIN старшего кассира; деньги не возвращены',
      todo: 'спросите PIN ещё раз',
      page: 'Это не PIN старшего кассира и не PIN техника.',
    },
  }),
  'Payments.TooManyPins': refused({
    status: 429,
    again: 'later',
    en: {
      meaning: 'too many wrong PINs from this address; nothing was refunded',
      todo: 'wait `seconds` seconds',
      page: 'Too many wrong PINs. Try again in {seconds} s.',
    },
    ru: {
      meaning: 'с этого адреса пришло слишком много неверных PIN; деньги не возвращены',
      todo: 'подождите `seconds` секунд',
      page: 'Слишком много неверных PIN. Повторите через {seconds} с.',
    },
  }),
  'Payments.ShiftNotFound': refused({
    status: 404,
    again: 'no',
    en: {
      meaning: 'the device has no shift of that number',
      todo: 'look at `GET /v1/shifts`',
      page: 'There is no such shift on this device.',
    },
    ru: {
      meaning: 'смены с таким номером нет',
      todo: 'посмотрите `GET /v1/shifts`',
      page: 'Такой смены на устройстве нет.',
    },
  }),
  'Payments.ShiftNotOpen': refused({
    status: 409,
    again: 'no',
    en: {
      meaning: 'another shift is open than `number`; nothing was closed',
      todo: 'look at `GET /v1/shifts/current`',
      page: 'This shift is no longer open. Nothing was closed now.',
    },
    ru: {
      meaning: 'открыта другая смена, не `number`; ничего не закрыто',
      todo: 'посмотрите `GET /v1/shifts/current`',
      page: 'Эта смена уже не открыта. Сейчас ничего не закрыто.',
    },
  }),
  'Payments.EntriesDamaged': refused({
    status: 500,
    again: 'mended',
    en: {
      meaning:
        'the storage has altered entries of the ledger, and no copy of them is found: they are neither counted nor written; `GET /health` names them',
      todo: 'compare those payments with your account at the bank, and restore a backup',
      page: 'The ledger has damaged entries, and no copy of them: they are not counted. See Health.',
    },
    ru: {
      meaning:
        'накопитель исказил записи журнала платежей, и копии их не нашлось: они не посчитаны и не записаны; `GET /health` называет их',
      todo: 'сверьте эти платежи с личным кабинетом банка и восстановите резервную копию',
      page: 'В журнале платежей повреждены записи, и копий их нет: они не посчитаны. Смотрите «Состояние».',
    },
  }),
  'Payments.OfOtherLane': refused({
    status: 404,
    again: 'no',
    en: {
      meaning: 'the payment was taken by another device of the store: `lane`, at `address` where that is known',
      todo: 'send the call to that device: money goes back where it was taken',
      page: 'This payment was taken by device {lane}: open it on that device’s page.',
    },
    ru: {
      meaning: 'платёж принят на другом устройстве магазина: `lane`, его адрес — в `address`, если известен',
      todo: 'отправьте вызов тому устройству: деньги возвращает то, что их приняло',
      page: 'Этот платёж принят на устройстве {lane}: откройте его на странице того устройства.',
    },
  }),
} as const;

/** Why a field of the settings is refused. */
export const SETTINGS_FIELD_ERRORS = subReasons('RequestParams.InvalidField', 400, {
  'secret-again': {
    en: 'The bank, its address or its IDs have changed: enter this again. A stored secret is not sent to a new address.',
    ru: 'Банк, его адрес или идентификаторы изменились: введите это заново. Сохранённый секрет на новый адрес не отправляется.',
  },
});
