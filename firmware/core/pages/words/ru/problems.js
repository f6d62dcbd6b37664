/** The Russian words of ../en/problems.js. */
export default {
  'problem.RequestParams.InvalidField.unknown-columns':
    'Не удалось распознать столбцы файла. Выберите хотя бы сумму и один из номеров.',
  'problem.RequestParams.InvalidField.unclear-dates':
    'Дату {date} в строке {line} можно понять двояко. Выберите, что в ней сначала.',
  'problem.RequestParams.InvalidField.statement-unknown':
    'Это не выписка для 1С. Скачайте в банке выписку в формате 1С.',
  'problem.RequestParams.InvalidField.statement-cut':
    'Выписка по счёту неполная, обрыв в строке {line}. Скачайте её в банке заново.',
  'problem.RequestParams.InvalidField.statement-value':
    'Строка {line} выписки: не удалось прочитать «{key}». Скачайте её в банке заново.',
  'problem.table.old-workbook':
    'Книга Excel с паролем или в старом формате (.xls). Сохраните её без пароля в формате .xlsx.',
  'problem.table.page': 'Это страница или XML с именем таблицы. Откройте файл в Excel и сохраните в формате .xlsx.',
  'problem.table.account': 'Это выписка по счёту для 1С, а не таблица.',
  'problem.table.binary': 'Это не таблица. Сохраните таблицу в формате .xlsx или CSV.',
  'problem.table.too-long': 'Строка {line} таблицы слишком длинная. Не закрыта кавычка?',
  'problem.table.workbook': 'Книга Excel повреждена. Откройте её и сохраните в формате .xlsx ещё раз.',
  'problem.table.slow': 'Таблица читается слишком долго. Отправьте её по частям.',
  'problem.late': 'Устройство не ответило вовремя. Прежде чем повторить, проверьте, не сделано ли это.',
  'problem.silent': 'Устройство не отвечает. Проверьте, включено ли оно.',
  'problem.lost-file': 'Файл не читается: его изменили или переместили. Выберите его ещё раз.',
  'problem.cut-short': 'Файл дошёл не целиком. Попробуйте ещё раз.',
  'problem.unreadable': 'Не удалось прочитать ответ устройства: перезагрузите страницу.',
  'problem.display': 'Дисплей покупателя не подключён. Проверьте кабель и питание, затем повторите.',
  'problem.other': 'Не получилось. Если повторится, позовите техника.',
};
