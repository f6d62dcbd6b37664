/** A bank that is tried out. */
export default {
  'bankTest.go': 'Test the bank',
  'bankTest.what': 'Checks these settings with the bank, saved or not. No money moves.',
  'bankTest.works': 'It works: the bank answered in {ms} ms and accepts the credentials.',
  'bankTest.save': 'Not saved yet: press Save.',
  'bankTest.untried': 'Only the first payment can confirm: {fields}.',
  'bankTest.unasked': 'A static code is shown without the bank. Scan it and check the recipient.',
  'problem.changed': 'The form has changed. Test again.',
  'problem.RequestParams.InvalidField.secret-again':
    'The bank, its address or its IDs have changed: enter this again. A stored secret is not sent to a new address.',
};
