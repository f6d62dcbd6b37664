/**
 * Codes of payments: ours, for the original has none. A code's place in its category is its number in the answers of the nine calls
 * and in the ledger: a new one stands at the end of its category, and none is taken away.
 */
import { refused, refusedToPages } from '../../drivers/lib/records.ts';

export const PAYMENT_ERRORS = {
  // why no display can be looked for over Bluetooth
  'Bluetooth.NoService': refusedToPages(503, {
    en: 'The Bluetooth service is not running on this device. A technician starts it: systemctl enable --now bluetooth. You can also enter the address.',
    ru: 'Служба Bluetooth на этом устройстве не запущена. Техник запускает её так: systemctl enable --now bluetooth. Адрес можно ввести и вручную.',
  }),
  'Bluetooth.NoAdapter': refusedToPages(503, {
    en: 'This device has no Bluetooth. Plug in an adapter, or use a display with a cable.',
    ru: 'В этом устройстве нет Bluetooth. Подключите адаптер или возьмите дисплей с кабелем.',
  }),
  'Bluetooth.SwitchedOff': refusedToPages(503, {
    en: 'Bluetooth is off on this device. A technician switches it on: rfkill unblock bluetooth, then bluetoothctl power on.',
    ru: 'Bluetooth на этом устройстве выключен. Техник включает его так: rfkill unblock bluetooth, затем bluetoothctl power on.',
  }),
  'Bluetooth.NotPermitted': refusedToPages(503, {
    en: 'The device may not use Bluetooth. A technician adds its user to the group bluetooth and restarts it.',
    ru: 'Устройству нельзя пользоваться Bluetooth. Техник добавляет его пользователя в группу bluetooth и перезагружает устройство.',
  }),
  'Bluetooth.Failed': refusedToPages(503, {
    en: 'The search failed. Try again; if that does not help, restart the device.',
    ru: 'Поиск не удался. Поищите ещё раз; если не поможет, перезагрузите устройство.',
  }),
  // what is done with a payment after it was asked for
  'Payments.NotFound': refused(404, 'no', {
    en: 'this caller has no payment with this id | find it: `GET /v1/payments` | There is no such payment on this device.',
    ru: 'у этого вызывающего нет такого платежа | найдите его: `GET /v1/payments` | Такого платежа на этом устройстве нет.',
  }),
  'Payments.NotAccepted': refused(409, 'no', {
    en: 'the payment is not `ACCEPTED`: see `state` | cancel an open one | Only a paid payment can be refunded.',
    ru: 'вернуть можно только платёж в состоянии `ACCEPTED`; его состояние — в `state` | открытый отмените | Вернуть можно только оплаченный платёж.',
  }),
  'Payments.NotRefundable': refused(409, 'no', {
    en: 'the bank does not refund through its interface, the code is static, or the record is damaged | refund it in your account at the bank | This bank does not refund through the device: refund in your account at the bank.',
    ru: 'банк не возвращает деньги через свой интерфейс, код статический или запись повреждена | сделайте возврат в личном кабинете банка | Через устройство этот банк деньги не возвращает: сделайте возврат в личном кабинете банка.',
  }),
  'Payments.ExceedsPaid': refused(409, 'no', {
    en: 'more than is left of the payment: `left` | refund at most `left`, with a new key | This is more than is left of the payment.',
    ru: 'больше, чем осталось от платежа: `left` | верните не больше `left`, с новым ключом | Это больше, чем осталось от платежа.',
  }),
  'Payments.IdConflict': refused(409, 'no', {
    en: 'the `Idempotency-Key` belongs to another sale or refund | use a new key for each; `payment` and `differs` say whose it is | This key belongs to another sale. Request the payment again.',
    ru: '`Idempotency-Key` занят другой продажей или возвратом | берите новый для каждой операции; чей этот — в `payment` и `differs` | Этот ключ занят другой продажей. Запросите платёж заново.',
  }),
  'Payments.RefundOpen': refused(409, 'later', {
    en: 'another refund of the payment, or this one, is in progress | wait for it: `GET …/refunds/{refund}?wait=25` | Another refund of this payment is in progress: wait until it ends.',
    ru: 'другой или этот возврат платежа ещё обрабатывается | дождитесь его: `GET …/refunds/{refund}?wait=25` | Другой возврат этого платежа ещё обрабатывается: дождитесь итога.',
  }),
  'Payments.NotLate': refused(409, 'no', {
    en: 'this payment needs no review | nothing | This payment needs no review any more.',
    ru: 'этот платёж не нужно проверять | ничего | Этот платёж больше не нужно проверять.',
  }),
  'Payments.RefundNotFound': refused(404, 'no', {
    en: 'the payment has no refund with this id | see `GET /v1/payments/{id}/refunds` | This payment has no such refund.',
    ru: 'у платежа нет такого возврата | посмотрите `GET /v1/payments/{id}/refunds` | Такого возврата у платежа нет.',
  }),
  'Payments.RefundFollowed': refused(409, 'later', {
    en: 'the device is still checking this refund with the bank | mark its outcome after `from` | The device is still checking this refund with the bank: mark its outcome later.',
    ru: 'устройство ещё проверяет возврат в банке | отметьте итог не раньше `from` | Устройство ещё проверяет этот возврат в банке: отметьте итог позже.',
  }),
  'Payments.RefundDecided': refused(409, 'no', {
    en: 'the outcome of this refund is known: `state` | nothing | The outcome of this refund is already known.',
    ru: 'итог возврата известен: `state` | ничего | Итог этого возврата уже известен.',
  }),
  'Payments.Damaged': refused(500, 'no', {
    en: 'the record of the `payment` that the key belongs to is damaged | check in your account at the bank before using a new key | The record of this payment is damaged. Check in your account at the bank what became of it.',
    ru: 'запись платежа `payment`, к которому относится ключ, повреждена | прежде чем брать новый ключ, проверьте в личном кабинете банка | Запись этого платежа повреждена. Проверьте в личном кабинете банка, что с ним стало.',
  }),
  'Payments.RefundLimit': refused(403, 'no', {
    en: 'more than this till or cashier may refund without a supervisor (`terminal.refundLimits`); nothing was refunded; `left` | send the same with `supervisorPin`, or refund at most `left` | Nothing was refunded: this amount needs a supervisor or a technician.',
    ru: 'больше, чем эта кассовая программа или кассир возвращает без старшего кассира (`terminal.refundLimits`); деньги не возвращены; осталось `left` | отправьте то же с `supervisorPin` или верните не больше `left` | Деньги не возвращены: такую сумму возвращает старший кассир или техник.',
  }),
  'Payments.WrongPin': refused(403, 'no', {
    en: '`supervisorPin` is not a supervisor’s PIN; nothing was refunded | ask for the PIN again | Not the PIN of a supervisor or technician.',
    ru: '`supervisorPin` — не PIN старшего кассира; деньги не возвращены | спросите PIN ещё раз | Это не PIN старшего кассира и не PIN техника.',
  }),
  'Payments.TooManyPins': refused(429, 'later', {
    en: 'too many wrong PINs from this address; nothing was refunded | wait `seconds` seconds | Too many wrong PINs. Try again in {seconds} s.',
    ru: 'с этого адреса пришло слишком много неверных PIN; деньги не возвращены | подождите `seconds` секунд | Слишком много неверных PIN. Повторите через {seconds} с.',
  }),
  'Payments.ShiftNotFound': refused(404, 'no', {
    en: 'the device has no shift of that number | look at `GET /v1/shifts` | There is no such shift on this device.',
    ru: 'смены с таким номером нет | посмотрите `GET /v1/shifts` | Такой смены на устройстве нет.',
  }),
  'Payments.ShiftNotOpen': refused(409, 'no', {
    en: 'another shift is open than `number`; nothing was closed | look at `GET /v1/shifts/current` | This shift is no longer open. Nothing was closed now.',
    ru: 'открыта другая смена, не `number`; ничего не закрыто | посмотрите `GET /v1/shifts/current` | Эта смена уже не открыта. Сейчас ничего не закрыто.',
  }),
  // addresses that events are sent to
  'Webhooks.DeliveryNotFound': refused(404, 'no', {
    en: 'there is no such delivery | list the deliveries | This delivery is no longer kept.',
    ru: 'такой доставки нет | посмотрите список доставок | Такой доставки больше нет.',
  }),
  'Webhooks.EventGone': refused(409, 'no', {
    en: 'the event is no longer kept | read the payment itself | This event is no longer kept: look at the payment itself.',
    ru: 'событие больше не хранится | прочтите сам платёж | Это событие больше не хранится: посмотрите сам платёж.',
  }),
  'Webhooks.NotConfigured': refused(409, 'mended', {
    en: 'the address is no longer in the configuration | add it to `terminal.webhooks` again | The address is no longer in the configuration.',
    ru: 'адреса в конфигурации больше нет | верните его в `terminal.webhooks` | Этого адреса в конфигурации больше нет.',
  }),
  'Webhooks.AddressNotFound': refused(404, 'no', {
    en: 'the configuration has no such address | list the webhooks | This address is not in the configuration.',
    ru: 'такого адреса в конфигурации нет | посмотрите список вебхуков | Такого адреса в конфигурации нет.',
  }),
  // what tills have called
  'Calls.NotFound': refusedToPages(404, {
    en: 'This call is no longer kept: only the latest are, until a restart.',
    ru: 'Этого вызова больше нет: хранятся только последние, до перезагрузки.',
  }),
} as const;
