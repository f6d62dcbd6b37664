/** Backups: on the page of the device, and of setting up. */
export default {
  'backup.out': 'Make a backup',
  'backup.outWords':
    'Payments, refunds, settings with the bank’s secrets, items and what was learned, in one file that opens with a passphrase alone. The lane goes on selling.',
  'backup.passphrase': 'Passphrase',
  'backup.passphraseHelp': '{limit} characters or more. Without it nobody opens the file, not even its maker.',
  'backup.again': 'The same once more',
  'backup.short': 'At least {limit} characters.',
  'backup.other': 'These are two different passphrases.',
  'backup.make': 'Make a backup',
  'backup.making': 'The backup is being made and fetched…',
  'backup.made': 'Made. The file is among your downloads: keep it away from the device.',
  'backup.in': 'Restore a backup',
  'backup.inWords':
    'All of the file is looked at first. Then the device starts anew with what the backup has; what is there now is kept beside it. Tokens, this device’s own certificate and its place in a store or chain stay as they are.',
  'backup.file': 'File',
  'backup.putBack': 'Restore',
  'backup.sending': 'The backup is being sent…',
  'backup.checking': 'All of it is being looked at…',
  'backup.restarting': 'The backup is whole. The device starts anew; this page goes on by itself.',
  'backup.startIt': 'The backup is whole. Start the device anew: it has the backup then.',
  'backup.restored': 'Restored last: the backup of the device {device}, made {at} (version {version}).',
  'backup.notRestored':
    'The backup of {at} was not restored: payments came in while the device was starting anew. Nothing was changed; send it once more.',
  'backup.otherBoard':
    'Another device made it. Payments and refunds that were open there are ended here: look for them there, or in the account at the bank.',
  'backup.unopened': {
    one: '{n} secret of the bank could not be taken along: set the bank up once more.',
    other: '{n} secrets of the bank could not be taken along: set the bank up once more.',
  },
  'backup.before': 'What was there before lies in this folder of the data:',
  'backup.newer': 'The backup is older than this device',
  'backup.newerWords':
    'This device knows payments ({payments}) and refunds ({refunds}) that the backup does not. They would vanish from its lists, and only be kept in a folder.',
  'backup.allTheSame': 'Restore all the same',
  'problem.Backups.WrongPassphrase': 'The file does not open with this passphrase. Nothing was changed.',
  'problem.Backups.Damaged': 'This is no backup, not all of one, or it was changed. Nothing was changed here.',
  'problem.Backups.TooNew': 'A later version has made this backup. Update this device first, then restore it.',
  'problem.Backups.NewerPayments': 'This device knows payments that the backup does not. Nothing was changed.',
  'problem.Backups.Busy': 'A backup is being made or restored already. Wait for its end, then try again.',
};
