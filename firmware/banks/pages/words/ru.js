/** Names of banks, also on the papers that the device prints. */
export default {
  'bank.Alfa Bank': 'Альфа-Банк (по логину)',
  'bank.Alfa Bank Token': 'Альфа-Банк (по токену)',
  'bank.CFT': 'ЦФТ',
  'bank.Gazprombank': 'Газпромбанк',
  'bank.MTS Bank': 'МТС Банк',
  'bank.Raiffeisenbank': 'Райффайзен Банк',
  'bank.Sandbox': 'Тестовый банк',
  'bank.Sber': 'Сбер',
  'bank.Static': 'Статический QR-код',
  'bank.Tinkoff': 'Т-Банк (Тинькофф)',
  'bank.Tochka': 'Точка Банк',
  'bank.VTB': 'ВТБ',
  'bank.YooKassa': 'ЮKassa',
};
