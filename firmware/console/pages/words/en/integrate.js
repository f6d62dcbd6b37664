/** The page for till programmers. */
export default {
  'integrate.calls': 'From your till',
  'integrate.kopecks': 'Amounts are in kopecks: 12345 is 123,45 ₽.',
  'integrate.token': 'In place of … write the token of the till (page Device).',
  'integrate.certificate': 'Tills of the network call over https. What they are to trust is',
  'integrate.fingerprint': 'its certificate has the SHA-256 fingerprint',
  'integrate.ask': 'Ask for a payment',
  'integrate.status': 'What has become of it',
  'integrate.sale': 'The same with a key of the till’s own: sent twice it is one sale',
  'integrate.clear': 'Clear the display',
  'integrate.reference': 'Reference',
  'integrate.terminal': 'Calls of the payment terminal',
  'integrate.recognition': 'Calls of recognition',
  'integrate.errors': 'What each error code means',
};
