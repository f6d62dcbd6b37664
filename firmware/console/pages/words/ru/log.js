/** The Russian words of ../../en/device/log.js. */
export default {
  'log.title': 'Журнал устройства',
  'log.words': 'Записи с момента запуска, новые сверху, на английском. Секреты скрыты.',
  'log.level': 'Важность',
  'log.least.info': 'Всё',
  'log.least.warn': 'Предупреждения и ошибки',
  'log.least.error': 'Только ошибки',
  'log.of.warn': 'Предупреждение',
  'log.of.error': 'Ошибка',
  'log.part': 'Часть',
  'log.part.all': 'Все части',
  'log.part.terminal': 'Платежи',
  'log.part.recognition': 'Распознавание',
  'log.part.sync': 'Магазин',
  'log.part.chain': 'Сеть магазинов',
  'log.part.device': 'Устройство',
  'log.text': 'Текст',
  'log.lines': 'Строки журнала',
  'log.none': 'Записей нет.',
  'log.support': 'Скачать архив для поддержки',
  'log.supportWords':
    'Журнал, состояние, показатели, версии и настройки без секретов, одним файлом. Сам он никуда не отправляется.',
};
