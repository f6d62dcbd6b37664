/** The page on which the technician’s token is made. */
export default {
  'claim.title': 'Technician’s token',
  'claim.words':
    'The device shows a code on its display. With it you make the token that opens everything here; the one before opens nothing any more.',
  'claim.code': 'Code on the display',
  'claim.codeHelp': 'As XXXX-XXXX',
  'claim.noCode': 'Type the code that the display shows.',
  'claim.own': 'A token of your own',
  'claim.ownHelp': 'Not needed: left empty, the device makes one. 16 characters or more',
  'claim.wrongToken': 'Take 16 to 128 Latin letters, digits and signs.',
  'claim.make': 'Make the token',
  'claim.made': 'This is your token',
  'claim.token': 'token',
  'claim.keep':
    'It is shown once: keep it where you keep passwords. A browser asks for it as the password; the name does not matter.',
  'claim.open': 'Open the device',
  'problem.Claim.WrongCode': 'This is not the code that the display shows. Look at it once more.',
  'problem.Claim.TooManyTries': 'Too many wrong codes. Try again in {seconds} s.',
  'problem.Claim.NoCode':
    'The display shows no code now: hold the button at the tray for ten seconds, then type the code that it shows.',
  'problem.Claim.TokenInUse': 'This token is in use already: take another one.',
};
