/** Files that are chosen for a bank, and what is wrong with them. */
export default {
  'file.choose': 'Choose a file',
  'file.none': 'No file is chosen',
  'sentFile.chooseOther': 'Choose another file',
  'sentFile.remove': 'Remove',
  'sentFile.kept': 'Kept on this device.',
  'sentFile.good': '{name}, good until {until}',
  'sentFile.early': '{name}, good from {from} only',
  'sentFile.ended': '{name}, has ended on {until}: get the next one',
  'problem.RequestParams.InvalidField.too-large':
    'The file is larger than 64 KiB. Choose the one file that the bank gave; of a bundle of many authorities the bank’s alone.',
  'problem.RequestParams.InvalidField.empty': 'The file is empty. Choose another, or get it anew.',
  'problem.RequestParams.InvalidField.no-certificate':
    'This is no certificate and no key, or it is not whole: a file in PEM, or PKCS #12 (.pfx, .p12), is needed.',
  'problem.RequestParams.InvalidField.damaged':
    'The certificate or key in this file is damaged, or cut off. Get the file anew.',
  'problem.RequestParams.InvalidField.is-request':
    'This is the request for a certificate. Choose the certificate that the bank has made of it.',
  'problem.RequestParams.InvalidField.not-pkcs12':
    'Certificate and key in one file (.pfx, .p12) go here. Files in PEM go into the fields “Client certificate” and “Key of the client certificate”.',
  'problem.RequestParams.InvalidField.not-pem':
    'This is PKCS #12 (.pfx, .p12); a file in PEM goes here. Where it is the client certificate, choose it in the field “Client certificate with key”.',
  'problem.RequestParams.InvalidField.lacks-certificate':
    'There is a key in this file, and no certificate. Choose the file of the certificate.',
  'problem.RequestParams.InvalidField.lacks-key':
    'There is a certificate in this file, and no key. Choose the file of the key.',
  'problem.RequestParams.InvalidField.other-key':
    'This is not the key of the client certificate. Choose the key that the certificate was asked for with.',
  'problem.RequestParams.InvalidField.other-of-pair': 'Certificate and key go together: choose this file, too.',
  'problem.RequestParams.InvalidField.old-cipher':
    'The file is locked in an old way that is no longer opened. Ask the bank for a new one. In the device’s words: {detail}',
  'problem.RequestParams.InvalidField.unopened': 'This file cannot be opened as what it should be. Choose another.',
  'problem.RequestParams.InvalidField.not-rsa': 'A key of the kind RSA is needed here.',
  'problem.RequestParams.InvalidField.not-kept': 'This file is not kept on the device any more. Choose it once more.',
  'problem.RequestParams.InvalidField.too-many':
    'Forty files are kept, and the profiles use all of them: first take a profile away that is not needed.',
  'problem.RequestParams.InvalidField.not-base64': 'The file did not arrive whole: choose it once more.',
  'problem.RequestParams.InvalidField.wrong-password':
    'This password does not open the certificate or key. Type it again; where it is right, the file is another one.',
};
