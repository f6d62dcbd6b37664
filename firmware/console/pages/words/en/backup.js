/** Backups: on the page of the device, and of setting up. */
export default {
  'backup.out': 'Make a backup',
  'backup.outWords':
    'Payments, refunds, settings with the bank’s secrets, items and their pictures, in one file protected by a passphrase. You can keep taking payments.',
  'backup.passphrase': 'Passphrase',
  'backup.passphraseHelp': '{limit} characters or more. Nobody can open the file without it.',
  'backup.again': 'Repeat the passphrase',
  'backup.short': 'At least {limit} characters.',
  'backup.other': 'The passphrases do not match.',
  'backup.make': 'Make a backup',
  'backup.making': 'Making the backup and downloading it…',
  'backup.made': 'Done. The file is in your downloads: keep it away from the device.',
  'backup.in': 'Restore a backup',
  'backup.inWords':
    'The whole file is checked first. Then the device restarts with the backup’s data; the current data is kept beside it. PINs, tokens, the device’s certificate and its place in a store or chain stay.',
  'backup.file': 'File',
  'backup.putBack': 'Restore',
  'backup.sending': 'Uploading the backup…',
  'backup.checking': 'Checking the backup…',
  'backup.restarting': 'The backup is complete. The device restarts; this page resumes automatically.',
  'backup.startIt': 'The backup is complete. Restart the device to use it.',
  'backup.ready': 'A backup was uploaded and is ready to be restored.',
  'backup.discard': 'Discard it',
  'backup.restored': 'Last restored: backup of device {device}, made {at} (version {version}).',
  'backup.notRestored':
    'The backup of {at} was not restored: payments arrived while the device was restarting. Nothing was changed; upload it again.',
  'backup.otherBoard':
    'It was made on another device. Payments and refunds that were open there are closed here: check them there or in your account at the bank.',
  'backup.unopened': {
    one: '{n} secret of the bank could not be restored: set up the bank again.',
    other: '{n} secrets of the bank could not be restored: set up the bank again.',
  },
  'backup.before': 'The previous data is in this folder inside the data folder:',
  'backup.newer': 'The backup is older than this device',
  'backup.newerWords':
    'This device has payments ({payments}) and refunds ({refunds}) that the backup lacks. They would disappear from the lists and stay only in a separate folder.',
  'backup.allTheSame': 'Restore anyway',
};
