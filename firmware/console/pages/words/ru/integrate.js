/** The Russian words of ../en/integrate.js. */
export default {
  'integrate.calls': 'Из вашей кассы',
  'integrate.kopecks': 'Суммы в копейках: 12345 — это 123,45 ₽.',
  'integrate.token': 'Вместо … впишите токен кассы (страница «Устройство»).',
  'integrate.certificate': 'Кассы из сети вызывают по https. Доверять им нужно файлу',
  'integrate.fingerprint': 'отпечаток SHA-256 его сертификата',
  'integrate.ask': 'Запросить платёж',
  'integrate.status': 'Что с ним стало',
  'integrate.sale': 'То же с собственным ключом кассы: посланное дважды — одна продажа',
  'integrate.clear': 'Очистить дисплей',
  'integrate.reference': 'Справочник',
  'integrate.terminal': 'Вызовы платёжного терминала',
  'integrate.recognition': 'Вызовы распознавания',
  'integrate.errors': 'Что значит каждый код ошибки',
};
