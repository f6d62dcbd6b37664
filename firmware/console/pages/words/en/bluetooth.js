/** Displays that are looked for over Bluetooth. */
export default {
  'bluetooth.go': 'Search for displays',
  'bluetooth.searching': 'Searching for a few seconds…',
  'bluetooth.found': 'Found over Bluetooth: {count}',
  'bluetooth.none': 'Nothing found. Is the display on, nearby, and not connected to another device? Search again.',
  'bluetooth.nameless': 'no name',
  'bluetooth.signal': '{signal} dBm',
  'bluetooth.connected': 'connected',
  'problem.Bluetooth.NoService':
    'The Bluetooth service is not running on this device. A technician starts it: systemctl enable --now bluetooth. You can also enter the address.',
  'problem.Bluetooth.NoAdapter': 'This device has no Bluetooth. Plug in an adapter, or use a display with a cable.',
  'problem.Bluetooth.SwitchedOff':
    'Bluetooth is off on this device. A technician switches it on: rfkill unblock bluetooth, then bluetoothctl power on.',
  'problem.Bluetooth.NotPermitted':
    'The device may not use Bluetooth. A technician adds its user to the group bluetooth and restarts it.',
  'problem.Bluetooth.Failed': 'The search failed. Try again; if that does not help, restart the device.',
};
