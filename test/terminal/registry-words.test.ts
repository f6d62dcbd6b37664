/** Words of banks for the operations of a registry, and for how they were paid: what each is. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { methodIn, Operations } from '../../firmware/features/reconciliation/registry-file.ts';

const test = suite('terminal: words of a registry');

const listed = (text: string): string[] => text.trim().split(/ \| |\s*\n\s*/);

const SALES = listed(`
  Оплата | Оплата товара | Платёж | Платеж по СБП | Покупка | Продажа | Зачисление | Зачисление по СБП
  PAYMENT | Payment | SBP_PAYMENT | Sale | sale | Purchase | C2B | SBP_C2B | Перевод СБП C2B
  Оплата Цифровым рублем в ТСТ Сбербанка | Оплата переводом по СБП | Предоплата | Недельная предоплата
  Payment for coffee | Payment notebook | Taxi payment | Card holder payment | Оплата счёта
`);

const REFUNDS = listed(`
  Возврат | Возврат Цифрового рубля | Возврат платежа | Возврат товара | Частичный возврат | Возврат B2C
  REFUND | Refund | REFUND_DC | PARTIAL_REFUND | Payment refund | Return | Chargeback | ChargeBack
  Charge-back | Чарджбэк | Отмена платежа | Отмена операции | Отмена операции оплаты | Сторно | Сторно оплаты
  Reversal | Reversed | Reversal of a payment | Payment cancellation | Аннулирование платежа
  Возврат на карту | Возврат на счёт покупателя | Refund to the account
`);

/** By why it is neither. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  'a fee': listed(`
    PAYMENT_FEE | REFUND_FEE | SERVICE_FEE | PaymentFee | refundFee | Fees for payments | Refund-fee
    Комиссия | Комиссия за платежи | Возврат комиссии | Вознаграждение за оплату | Commission refund
    Плата за приём платежей | Плата за возврат | Оплата услуг банка | Оплата по тарифу
    Service charge of sales | Payment surcharge | Оплата за обслуживание
  `),
  'a penalty, an insurance, a tax, a correction, a bonus': listed(`
    Штраф за возврат | Пени по платежам | Неустойка за возврат | Refund penalty | Payment fine
    Страховой платёж | Страхование покупки | Purchase insurance | Налог с продаж | НДС по платежам | Sale tax
    Корректировка платежа | Коррекция возврата | Payment adjustment | Refund correction | Кэшбэк за покупки
    Возврат кешбэка | Cashback for purchases | Погашение кредита платежом | Loan repayment
  `),
  'a payout': listed(`
    Выплата по платежам | Payout of payments | Payments pay-out | PAYMENT_PAYOUT | Отмена выплаты
    Перечисление по платежам | Возмещение по платежам | Вывод средств от продаж | Зачисление на счёт
    Зачисление средств на расчётный счет | Зачисление на р/с | Перевод оплаты на счёт
    Взаиморасчёты по платежам | Transfer of payments to your account | Settlement of payments
    Withdrawal of payments | Взаимозачёт оплат
  `),
  'a hold': listed(`
    Удержание по возврату | Удержано за возврат | Payment withheld | Payment blocked | Блокировка платежа
    Разблокировка оплаты | Заблокированный платёж | Холд оплаты | Холдирование платежа | Payment hold
    HOLD_REVERSAL | Авторизация платежа | Отмена авторизации | Payment authorization | Authorisation reversal
    Payment pre-auth | PREAUTH_REVERSAL | Резерв под возвраты | Refund reserve | Заморозка платежа
    Frozen payment
  `),
  'a refusal, or a failure': listed(`
    Возврат отклонён | Возврат отклонен | Refund declined | Declined payment | Платёж отклонён
    Payment failed | PAYMENT_FAILURE | REFUND_FAILED | Rejected payment | Payment denied | Refused refund
    Payment error | Ошибка оплаты | Отказ в оплате | Отказано в возврате | Неуспешный платёж
    Неудачная оплата | Неоплата | Оплата не прошла | Возврат не проведён | Не возврат | Refund not made
    Unsuccessful payment | Просроченный платёж | Истёк срок оплаты | Payment expired | Payment timeout
    Aborted payment | PAYMENT_CANCELED | Cancelled payment | Платёж отменён | Отменённая покупка
    Voided payment | Платёж аннулирован
  `),
  'not yet anything': listed(`
    Ожидает оплаты | Ожидание возврата | Pending payment | PENDING_REFUND | Awaiting payment | Счёт на оплату
    Запрос на возврат | Заявка на возврат | Refund request | Payment invoice | Запрос на оплату
    Платёж в обработке | Payment processing
  `),
  'an undoing of an undoing': listed(`
    Refund reversal | REFUND_REVERSAL | RefundReversal | Chargeback reversal | Reversal ChargeBack
    Reversal of a refund | Возврат отменён | Отмена возврата | Сторно возврата | Возврат сторнирован
    Refund cancelled | Refund canceled | REFUND_CANCELLATION | Cancelled reversal | Отмена отмены
    Сторно отмены | Отмена чарджбэка | Возврат аннулирован | Refund voided | Chargeback refund
    Dispute reversal | Representment of a payment | Возврат возврата | Return of a refund
  `),
  unknown: ['BUY', '', 'Операция', 'Списание', 'Transfer'],
};

test('a word is a sale, a refund, or neither, and then it is never counted', () => {
  const operations = new Operations({});
  const wrong = (words: readonly string[], expected: 'payment' | 'refund' | null) =>
    words.filter((word) => operations.of(word, 100, null) !== expected);
  assert.equal(wrong(SALES, 'payment'), []);
  assert.equal(wrong(REFUNDS, 'refund'), []);
  for (const [why, words] of Object.entries(OTHERS)) assert.equal(wrong(words, null), [], why);
});

test('the sign of a line makes a refund of a sale, and nothing of what is neither', () => {
  const operations = new Operations({ payment_fee: 'payment' });
  assert.is(operations.of('Оплата', -100, null), 'refund');
  assert.is(operations.of('Payment failed', -100, 'R-1'), null);
  assert.is(operations.of(null, -100, null), 'refund');
  assert.is(operations.of('Платёж'.normalize('NFD'), 100, null), 'payment', 'in letters of two parts');
  assert.is(operations.of('PAYMENT_FEE', 100, null), 'payment', 'as the shop has named it');
});

test('how a line was paid is read with any sign between the words', () => {
  const words = {
    card: ['Карта МИР', 'BANK_CARD', 'card', 'CardPayment', 'Mastercard', 'МИР', 'VISA'],
    sbp: ['СБП', 'SBP', 'QR_SBP', 'Система быстрых платежей', 'Faster_payments_sbp'],
    'bank-service': ['SberPay', 'SBER_PAY', 'Tinkoff Pay', 'TINKOFF_PAY', 'T-Pay', 'Электронным кошельком', 'Кошелёк'],
    'digital-rouble': ['Цифровые рубли', 'DIGITAL_RUBLE', 'Оплата Цифровым рублем в ТСТ Сбербанка'],
  };
  for (const [method, each] of Object.entries(words))
    assert.equal(
      each.filter((word) => methodIn(word) !== method),
      [],
      method,
    );
  assert.equal(['Discard', 'DEBIT_PAYMENT', 'Наличные', null].map(methodIn), [null, null, null, null]);
});

test.run();
