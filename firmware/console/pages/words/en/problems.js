/** What went wrong in a call, by the code that the device tells. */
export default {
  'problem.Calls.NotFound': 'This call is kept no more: only the last ones are, until the device starts again.',
  'problem.Bank.Contradiction':
    'The bank has answered what cannot be true. Look in the account at the bank whether it was paid.',
  'problem.Bank.NoCashLinks': 'The bank in use makes no codes to print.',
  'problem.Bank.PreviousOpen':
    'The code before, for the same, may still be paid: wait until its time is over, or cancel it.',
  'problem.Bank.PreviousPaid':
    'Payments before this one were paid, and no till knew. First look whether it was this customer: the page Payments has them on top.',
  'problem.Bank.Refused': 'The bank has refused. In its words: {detail}',
  'problem.Bank.Unreachable': 'The bank does not answer. Check the device’s way to the internet, and try again.',
  'problem.Calibration.SheetIncomplete':
    'Some codes of the sheet are covered, in a glare or out of the picture: move it until all four are seen.',
  'problem.Calibration.SheetNotFlat': 'The codes do not lie as they were printed: lay one sheet, flat.',
  'problem.Calibration.SheetNotFound':
    'The printed sheet is not in the picture: lay it flat into the middle of the tray, codes up.',
  'problem.Calibration.TooSlanted': 'The camera looks at the tray from the side: let it look straight down.',
  'problem.Calibration.WhiteUnusable':
    'That place is not white, or too dark or too bright. Name a place that lies wholly on the white sticker, in the light of every day.',
  'problem.Chain.NotMaster': 'A store joins its chain at its master, and this device is none.',
  'problem.DriverSettings.IsNotConfigured': 'The device is not set up yet: the page Set up does it.',
  'problem.Internal.UnexpectedError': 'The device has failed at this. Its log, on the page Device, says why.',
  'problem.Items.NoPicture': 'The item has no picture.',
  'problem.Items.PictureUnusable':
    'The picture cannot be used: it must be a whole JPEG or PNG. In the device’s words: {detail}',
  'problem.Payments.Damaged':
    'The storage has damaged this payment. Look in the account at the bank what became of it.',
  'problem.Payments.ExceedsPaid': 'That is more than what is left of the payment.',
  'problem.Payments.IdConflict': 'This key stands for another sale already. Ask anew.',
  'problem.Payments.NotAccepted': 'Only a payment that was paid can be given back.',
  'problem.Payments.NotFound': 'This device knows no such payment.',
  'problem.Payments.NotLate': 'There is nothing to be looked into about this payment any more.',
  'problem.Payments.NotRefundable':
    'This bank gives nothing back through the device: do it in the account at the bank.',
  'problem.Payments.RefundDecided': 'It is known already what became of this refund.',
  'problem.Payments.RefundFollowed': 'The device still asks the bank about this refund: decide it later.',
  'problem.Payments.RefundLimit': 'Nothing has gone back: so much needs a supervisor or a technician.',
  'problem.Payments.RefundNotFound': 'The payment has no such refund.',
  'problem.Payments.TooManyPins': 'Too many wrong PINs. Try again in {seconds} s.',
  'problem.Payments.WrongPin': 'This is not the PIN of a supervisor or a technician.',
  'problem.Payments.RefundOpen': 'Another refund of this payment is under way: wait until it has ended.',
  'problem.Recognition.AnsweredOtherwise':
    'Something else was said of this look before, and that counts. Look once more.',
  'problem.Recognition.NotFound': 'That look is too long ago. Look once more.',
  'problem.RequestParams.InvalidField.unknown-columns':
    'The device does not know the columns of this file. Choose the one with the amount, and one that names the payment.',
  'problem.RequestParams.InvalidField': '“{field}” is not right. In the device’s words: {detail}',
  'problem.RequestParams.InvalidRequest':
    'The device has not understood that, or not all of it has arrived: load this page again, and repeat.',
  'problem.RequestParams.TooLarge': 'That is more than the device takes at once. In its words: {detail}',
  'problem.RequestParams.UnknownPath': 'The device knows no such call: it may have been updated. Load this page again.',
  'problem.RequestParams.UnsupportedMediaType': 'The device does not take a file of this kind. In its words: {detail}',
  'problem.RequestParams.WrongMethod':
    'The device does not take this call so: it may have been updated. Load this page again.',
  'problem.Webhooks.AddressNotFound': 'There is no such address in the configuration.',
  'problem.Webhooks.DeliveryNotFound': 'That delivery is kept no more.',
  'problem.Webhooks.EventGone': 'What is told of is kept no more: look at the payment itself.',
  'problem.Webhooks.NotConfigured': 'The address is not in the configuration any more.',
  'problem.late': 'The device did not answer in time. Look whether it was done before you try again.',
  'problem.silent': 'The device does not answer. Check that it runs.',
  'problem.unreadable': 'The device answered something unreadable: load this page again.',
  'problem.other': 'The device refused it ({code}): {detail}',
};
