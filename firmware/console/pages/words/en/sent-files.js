/** Files that are chosen for a bank, and what is wrong with them. */
export default {
  'file.choose': 'Choose a file',
  'file.none': 'No file chosen',
  'sentFile.chooseOther': 'Choose another file',
  'sentFile.remove': 'Remove',
  'sentFile.kept': 'Stored on this device.',
  'sentFile.good': '{name}, valid until {until}',
  'sentFile.early': '{name}, not valid before {from}',
  'sentFile.ended': '{name}, expired {until}: get a new one',
  'problem.RequestParams.InvalidField.too-large':
    'The file is larger than 64 KiB. Choose the file from the bank; from a bundle of authorities, only the bank’s.',
  'problem.RequestParams.InvalidField.empty': 'The file is empty. Choose another one.',
  'problem.RequestParams.InvalidField.no-certificate':
    'This file holds no complete certificate or key. Choose a PEM or PKCS #12 (.pfx, .p12) file.',
  'problem.RequestParams.InvalidField.damaged':
    'The certificate or key in this file is damaged or cut off. Get the file again.',
  'problem.RequestParams.InvalidField.is-request':
    'This is a certificate request. Choose the certificate that the bank issued for it.',
  'problem.RequestParams.InvalidField.not-pkcs12':
    'Choose certificate and key in one file here (.pfx, .p12). PEM files go into the fields “Client certificate” and “Key of the client certificate”.',
  'problem.RequestParams.InvalidField.not-pem':
    'This is a PKCS #12 file (.pfx, .p12); a PEM file is needed here. If it is the client certificate, choose it in the field “Client certificate with key”.',
  'problem.RequestParams.InvalidField.lacks-certificate':
    'This file holds a key but no certificate. Choose the certificate file.',
  'problem.RequestParams.InvalidField.lacks-key': 'This file holds a certificate but no key. Choose the key file.',
  'problem.RequestParams.InvalidField.other-key':
    'This key does not belong to the client certificate. Choose the key that the certificate was requested with.',
  'problem.RequestParams.InvalidField.other-of-pair': 'A certificate and its key go together: choose this file too.',
  'problem.RequestParams.InvalidField.old-cipher':
    'The file uses an old cipher that is no longer supported. Ask the bank for a new one.',
  'problem.RequestParams.InvalidField.unopened': 'This file cannot be opened. Choose another one.',
  'problem.RequestParams.InvalidField.not-rsa': 'An RSA key is required.',
  'problem.RequestParams.InvalidField.not-kept': 'This file is no longer stored on the device. Choose it again.',
  'problem.RequestParams.InvalidField.too-many':
    'Forty files are stored, and all of them are in use. Delete an unneeded profile first.',
  'problem.RequestParams.InvalidField.not-base64': 'The file arrived incomplete: choose it again.',
  'problem.RequestParams.InvalidField.wrong-password':
    'This password does not open the certificate or key. Check the password and the file.',
};
