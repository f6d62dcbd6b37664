/** Название этикеток весов в списке настроек; остальные тексты загружаются вместе с ними. */
export default {
  'settings.printed-codes': 'Этикетки весов',
  'settings.printedCodesWords': 'Штрихкоды с весом или ценой',
  'audit.printed-codes-set': 'Изменены этикетки весов',
};
