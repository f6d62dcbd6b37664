/** The Russian words of ../en/problems.js. */
export default {
  'problem.Calls.NotFound': 'Этого вызова больше нет: хранятся только последние, до перезагрузки.',
  'problem.Bank.Contradiction': 'Ответ банка противоречив. Проверьте в личном кабинете банка, прошла ли оплата.',
  'problem.Bank.NoCashLinks': 'У этого банка нет кодов для печати.',
  'problem.Bank.PreviousOpen':
    'Прежний код на ту же покупку ещё могут оплатить: дождитесь конца его срока или отмените его.',
  'problem.Bank.PreviousPaid':
    'Прежние платежи оплачены, а кассовая программа об этом не узнала. Сначала проверьте, не этого ли покупателя: они вверху страницы «Платежи».',
  'problem.Bank.Refused': 'Банк отказал. Если откажет снова, позовите техника.',
  'problem.Bank.Unreachable': 'Банк не отвечает. Проверьте интернет и повторите.',
  'problem.DriverSettings.IsNotConfigured': 'Устройство ещё не настроено: см. «Настройка».',
  'problem.Internal.UnexpectedError': 'Ошибка на устройстве. Если повторится, позовите техника.',
  'problem.Items.NoPicture': 'У товара нет картинки.',
  'problem.Items.PictureUnusable': 'Картинка не подходит: нужен целый файл JPEG или PNG.',
  'problem.Payments.Damaged': 'Запись этого платежа повреждена. Проверьте в личном кабинете банка, что с ним стало.',
  'problem.Payments.ExceedsPaid': 'Это больше, чем осталось от платежа.',
  'problem.Payments.IdConflict': 'Этот ключ занят другой продажей. Запросите платёж заново.',
  'problem.Payments.NotAccepted': 'Вернуть можно только оплаченный платёж.',
  'problem.Payments.NotFound': 'Такого платежа на этом устройстве нет.',
  'problem.Payments.NotLate': 'Этот платёж больше не нужно проверять.',
  'problem.Payments.NotRefundable':
    'Через устройство этот банк деньги не возвращает: сделайте возврат в личном кабинете банка.',
  'problem.Payments.RefundDecided': 'Итог этого возврата уже известен.',
  'problem.Payments.RefundFollowed': 'Устройство ещё проверяет этот возврат в банке: отметьте итог позже.',
  'problem.Payments.RefundLimit': 'Деньги не возвращены: такую сумму возвращает старший кассир или техник.',
  'problem.Payments.RefundNotFound': 'Такого возврата у платежа нет.',
  'problem.Payments.ShiftNotFound': 'Такой смены на устройстве нет.',
  'problem.Payments.ShiftNotOpen': 'Эта смена уже не открыта. Сейчас ничего не закрыто.',
  'problem.Payments.TooManyPins': 'Слишком много неверных PIN. Повторите через {seconds} с.',
  'problem.Payments.WrongPin': 'Это не PIN старшего кассира и не PIN техника.',
  'problem.Payments.RefundOpen': 'Другой возврат этого платежа ещё обрабатывается: дождитесь итога.',
  'problem.Recognition.AnsweredOtherwise': 'На этот снимок уже дали другой ответ, и он в силе. Снимите ещё раз.',
  'problem.Recognition.NotFound': 'Этот снимок слишком старый. Снимите ещё раз.',
  'problem.RequestParams.InvalidField.unknown-columns':
    'Не удалось распознать столбцы файла. Выберите хотя бы сумму и один из номеров.',
  'problem.RequestParams.InvalidField.statement-unknown':
    'Это не выписка для 1С. Скачайте в банке выписку в формате 1С.',
  'problem.RequestParams.InvalidField.statement-cut':
    'Выписка по счёту неполная, обрыв в строке {line}. Скачайте её в банке заново.',
  'problem.RequestParams.InvalidField.statement-value':
    'Строка {line} выписки: не удалось прочитать «{key}». Скачайте её в банке заново.',
  'problem.RequestParams.InvalidField': 'Одно из значений не подходит: проверьте, что вы ввели.',
  'problem.RequestParams.InvalidRequest':
    'Устройство не поняло запрос или получило его не целиком: перезагрузите страницу и повторите.',
  'problem.RequestParams.TooLarge': 'Слишком большой размер: выберите файл поменьше.',
  'problem.RequestParams.UnknownPath':
    'Устройство не знает такого вызова. Возможно, оно обновилось: перезагрузите страницу.',
  'problem.RequestParams.UnsupportedMediaType': 'Устройство не принимает файлы такого типа: выберите другой.',
  'problem.RequestParams.WrongMethod':
    'Устройство не принимает такой вызов. Возможно, оно обновилось: перезагрузите страницу.',
  'problem.Webhooks.AddressNotFound': 'Такого адреса в конфигурации нет.',
  'problem.Webhooks.DeliveryNotFound': 'Такой доставки больше нет.',
  'problem.Webhooks.EventGone': 'Это событие больше не хранится: посмотрите сам платёж.',
  'problem.Webhooks.NotConfigured': 'Этого адреса в конфигурации больше нет.',
  'problem.late': 'Устройство не ответило вовремя. Прежде чем повторить, проверьте, не сделано ли это.',
  'problem.silent': 'Устройство не отвечает. Проверьте, включено ли оно.',
  'problem.lost-file': 'Файл не читается: его изменили или переместили. Выберите его ещё раз.',
  'problem.cut-short': 'Файл дошёл не целиком. Попробуйте ещё раз.',
  'problem.unreadable': 'Не удалось прочитать ответ устройства: перезагрузите страницу.',
  'problem.display': 'Дисплей покупателя не подключён. Проверьте кабель и питание, затем повторите.',
  'problem.other': 'Не получилось. Если повторится, позовите техника.',
  'problem.Device.SaleRuns': 'Идёт оплата: начните, когда дисплей свободен.',
  'problem.Device.NoReport': 'Этого отчёта уже нет: хранятся последние пять.',
};
