/** A bank that is tried out. */
export default {
  'bankTest.go': 'Test the bank',
  'bankTest.what':
    'Tests what stands in the form, saved or not: the bank is asked about a payment that does not exist. No money moves, nothing is saved.',
  'bankTest.works': 'It works: the bank has answered in {ms} ms and takes the credentials.',
  'bankTest.save': 'Not saved yet: press Save.',
  'bankTest.untried': 'Only the first payment shows whether these are right: {fields}.',
  'bankTest.unasked': 'A fixed code is shown as it is; there is no bank to ask. Scan it, and see whom it pays.',
  'problem.changed': 'What stands in the form has changed meanwhile. Test again.',
  'problem.BankTest.NameNotFound':
    'No bank is found by this address. Look for a typing mistake; where it is right, look at the device’s network.',
  'problem.BankTest.NoConnection':
    'Nothing answers at this address. Look at the cable or Wi-Fi of the device, at what filters its network, and at host and port of the address.',
  'problem.BankTest.TimedOut':
    'The bank has not answered in time. Look at the network; many banks answer only addresses that they know: ask whether the shop’s is let in.',
  'problem.BankTest.Interrupted':
    'The connection broke before the bank had answered. Test again; where it stays so, ask the bank whether the shop’s address is let in.',
  'problem.BankTest.NoEncryption': 'What answers there does not speak TLS. Look at host and port of the address.',
  'problem.BankTest.Untrusted':
    'The bank’s certificate is of an authority that this device does not trust. Choose the file of the bank’s authority in the field “Trusted authorities”. Is it really the bank’s network?',
  'problem.BankTest.WrongName':
    'What answers there has the certificate of another name. Write the address just as the bank gave it.',
  'problem.BankTest.Expired':
    'By the clock of this device ({clock}) the bank’s certificate has expired. Set the clock on the page Device; where it is right, tell the bank.',
  'problem.BankTest.NotYetValid':
    'By the clock of this device ({clock}) the bank’s certificate is not valid yet. Set the clock on the page Device.',
  'problem.BankTest.WrongCredentials':
    'The bank does not take this. Type it again as the bank gave it; look at what belongs to it, too, such as the login.',
  'problem.BankTest.Refused': 'The bank answers, and refuses: “{said}”. Ask the bank with these words.',
  'problem.BankTest.NotABank':
    'Something answers there, but it is not this bank. Compare the address, its path too, with the bank’s letter.',
  'problem.BankTest.TooOften': 'Banks lock a login that is tried often. Test again in {seconds} s.',
  'problem.BankTest.Unavailable': 'The bank cannot answer now: “{said}”. Test again in a few minutes.',
  'problem.RequestParams.InvalidField.secret-again':
    'The bank, its address or the ids have changed: type this again. A stored secret never goes elsewhere.',
};
