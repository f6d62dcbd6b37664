/** A bank that is tried out. */
export default {
  'bankTest.go': 'Test the bank',
  'bankTest.what': 'Checks these settings with the bank, saved or not. No money moves.',
  'bankTest.works': 'It works: the bank answered in {ms} ms and accepts the credentials.',
  'bankTest.save': 'Not saved yet: press Save.',
  'bankTest.untried': 'Only the first payment can confirm: {fields}.',
  'bankTest.unasked': 'A static code is shown without the bank. Scan it and check the recipient.',
  'problem.changed': 'The form has changed. Test again.',
  'problem.BankTest.NameNotFound':
    'No host found at this address. Check it for typing errors, then check the device’s network.',
  'problem.BankTest.NoConnection':
    'No answer at this address. Check the device’s cable or Wi-Fi, the firewall, and the host and port.',
  'problem.BankTest.TimedOut':
    'The bank did not answer in time. Check the network. Many banks only answer known addresses: ask whether the shop’s is allowed.',
  'problem.BankTest.Interrupted':
    'The connection broke before the bank answered. Test again; if that does not help, ask the bank whether the shop’s address is allowed.',
  'problem.BankTest.NoEncryption': 'The server at this address does not use TLS. Check the host and port.',
  'problem.BankTest.Untrusted':
    'The bank’s certificate was issued by an authority that this device does not trust. Choose the authority’s file in “Trusted authorities”. Is this really the bank’s network?',
  'problem.BankTest.WrongName':
    'The server’s certificate is for another name. Enter the address exactly as the bank gave it.',
  'problem.BankTest.Expired':
    'By this device’s clock ({clock}), the bank’s certificate has expired. If the clock is wrong, set it on the Device page; otherwise report it to the bank.',
  'problem.BankTest.NotYetValid':
    'By this device’s clock ({clock}), the bank’s certificate is not valid yet. Set the clock on the Device page.',
  'problem.BankTest.WrongCredentials':
    'The bank does not accept this. Enter it again as the bank gave it, and check related fields such as the login.',
  'problem.BankTest.Refused': 'The bank refused: “{said}”. Quote this to the bank.',
  'problem.BankTest.NotABank':
    'A server answers there, but it is not this bank. Compare the address, including the path, with the bank’s letter.',
  'problem.BankTest.TooOften': 'Banks lock a login that is tested often. Test again in {seconds} s.',
  'problem.BankTest.Unavailable': 'The bank is not available now: “{said}”. Test again in a few minutes.',
  'problem.RequestParams.InvalidField.secret-again':
    'The bank, its address or its IDs have changed: enter this again. A stored secret is not sent to a new address.',
};
