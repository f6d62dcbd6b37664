/** Displays that are looked for over Bluetooth. */
export default {
  'bluetooth.go': 'Look for displays',
  'bluetooth.searching': 'Listening for a few seconds…',
  'bluetooth.found': 'Heard over Bluetooth: {count}',
  'bluetooth.none':
    'Nothing was heard. Is the display switched on, near, and connected to no other device? Look again.',
  'bluetooth.nameless': 'no name',
  'bluetooth.signal': '{signal} dBm',
  'bluetooth.connected': 'connected',
  'problem.Bluetooth.NoService':
    'The service of Bluetooth does not run on this device. A technician starts it: systemctl enable --now bluetooth. The address can be typed all the same.',
  'problem.Bluetooth.NoAdapter': 'This device has no Bluetooth. Plug an adapter in, or take a display with a cable.',
  'problem.Bluetooth.SwitchedOff':
    'The Bluetooth of this device is switched off. A technician switches it on: rfkill unblock bluetooth, then bluetoothctl power on.',
  'problem.Bluetooth.NotPermitted':
    'The device may not use Bluetooth. A technician takes its user into the group bluetooth and starts it again.',
  'problem.Bluetooth.Failed': 'The search went wrong. Look again; where it stays so, start the device again.',
};
