/** The Russian words of ../../en/welcome/bluetooth.js. */
export default {
  'bluetooth.go': 'Найти дисплеи',
  'bluetooth.searching': 'Поиск займёт несколько секунд…',
  'bluetooth.found': 'Найдено по Bluetooth: {count}',
  'bluetooth.none': 'Ничего не найдено. Дисплей включён, рядом и не подключён к другому устройству? Поищите ещё раз.',
  'bluetooth.nameless': 'без имени',
  'bluetooth.signal': '{signal} дБм',
  'bluetooth.connected': 'подключён',
  'problem.Bluetooth.NoService':
    'Служба Bluetooth на этом устройстве не запущена. Техник запускает её так: systemctl enable --now bluetooth. Адрес можно ввести и вручную.',
  'problem.Bluetooth.NoAdapter': 'В этом устройстве нет Bluetooth. Подключите адаптер или возьмите дисплей с кабелем.',
  'problem.Bluetooth.SwitchedOff':
    'Bluetooth на этом устройстве выключен. Техник включает его так: rfkill unblock bluetooth, затем bluetoothctl power on.',
  'problem.Bluetooth.NotPermitted':
    'Устройству нельзя пользоваться Bluetooth. Техник добавляет его пользователя в группу bluetooth и перезагружает устройство.',
  'problem.Bluetooth.Failed': 'Поиск не удался. Поищите ещё раз; если не поможет, перезагрузите устройство.',
};
