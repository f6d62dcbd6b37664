/** The page on which the technician’s token is made. */
export default {
  'claim.title': 'Technician’s token',
  'claim.words':
    'Enter the code from the device’s display to create a technician’s token. The previous token stops working.',
  'claim.code': 'Code on the display',
  'claim.codeHelp': 'Format: XXXX-XXXX',
  'claim.noCode': 'Enter the code from the display.',
  'claim.own': 'Your own token (optional)',
  'claim.ownHelp': '16 characters or more. Leave empty to have one created.',
  'claim.wrongToken': 'Use 16 to 128 Latin letters, digits and symbols.',
  'claim.make': 'Create token',
  'claim.made': 'Your token',
  'claim.token': 'token',
  'claim.keep':
    'It is shown only once: keep it with your passwords. Browsers ask for it as the password; any user name works.',
  'claim.open': 'Open the console',
  'claim.pinTitle': 'New technician PIN',
  'claim.pinWords': 'Hold the button at the tray for ten seconds. The display shows a code: enter it with the new PIN.',
  'claim.setPin': 'Set PIN and sign in',
};
