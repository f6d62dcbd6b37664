/** Names of banks, also on the papers that the device prints. */
export default {
  'bank.Alfa Bank': 'Alfa-Bank (login)',
  'bank.Alfa Bank Token': 'Alfa-Bank (token)',
  'bank.CFT': 'CFT',
  'bank.Gazprombank': 'Gazprombank',
  'bank.MTS Bank': 'MTS Bank',
  'bank.Raiffeisenbank': 'Raiffeisenbank',
  'bank.Sandbox': 'Test bank',
  'bank.Sber': 'Sber',
  'bank.Static': 'Static QR code',
  'bank.Tinkoff': 'T-Bank (Tinkoff)',
  'bank.Tochka': 'Tochka',
  'bank.VTB': 'VTB',
  'bank.YooKassa': 'YooKassa',
};
