/** Displays that are looked for over Bluetooth. */
export default {
  'bluetooth.go': 'Search for displays',
  'bluetooth.searching': 'Searching for a few seconds…',
  'bluetooth.found': 'Found over Bluetooth: {count}',
  'bluetooth.none': 'Nothing found. Is the display on, nearby, and not connected to another device? Search again.',
  'bluetooth.nameless': 'no name',
  'bluetooth.signal': '{signal} dBm',
  'bluetooth.connected': 'connected',
};
