/** The Russian words of ../../en/welcome/bluetooth.js. */
export default {
  'bluetooth.go': 'Найти дисплеи',
  'bluetooth.searching': 'Поиск займёт несколько секунд…',
  'bluetooth.found': 'Найдено по Bluetooth: {count}',
  'bluetooth.none': 'Ничего не найдено. Дисплей включён, рядом и не подключён к другому устройству? Поищите ещё раз.',
  'bluetooth.nameless': 'без имени',
  'bluetooth.signal': '{signal} дБм',
  'bluetooth.connected': 'подключён',
};
