/** What went wrong in a call, by the code that the device returns. */
export default {
  'problem.Calls.NotFound': 'This call is no longer kept: only the latest are, until a restart.',
  'problem.Bank.Contradiction':
    'The bank’s answer is contradictory. Check in your account at the bank whether it was paid.',
  'problem.Bank.NoCashLinks': 'This bank offers no printable codes.',
  'problem.Bank.PreviousOpen':
    'The previous code for this sale can still be paid: wait until it expires, or cancel it.',
  'problem.Bank.PreviousPaid':
    'Earlier payments were paid without the till knowing. Check first whether it was this customer: they are at the top of the Payments page.',
  'problem.Bank.Refused': 'The bank refused. If it refuses again, call the technician.',
  'problem.Bank.Unreachable': 'The bank is not answering. Check the internet connection and try again.',
  'problem.DriverSettings.IsNotConfigured': 'The device is not set up yet: see Set up.',
  'problem.Internal.UnexpectedError': 'Something went wrong on the device. If it happens again, call the technician.',
  'problem.Items.NoPicture': 'The item has no picture.',
  'problem.Items.PictureUnusable': 'The picture cannot be used: choose a complete JPEG or PNG.',
  'problem.Payments.Damaged':
    'The record of this payment is damaged. Check in your account at the bank what became of it.',
  'problem.Payments.ExceedsPaid': 'This is more than is left of the payment.',
  'problem.Payments.IdConflict': 'This key belongs to another sale. Request the payment again.',
  'problem.Payments.NotAccepted': 'Only a paid payment can be refunded.',
  'problem.Payments.NotFound': 'There is no such payment on this device.',
  'problem.Payments.NotLate': 'This payment needs no review any more.',
  'problem.Payments.NotRefundable': 'This bank does not refund through the device: refund in your account at the bank.',
  'problem.Payments.RefundDecided': 'The outcome of this refund is already known.',
  'problem.Payments.RefundFollowed': 'The device is still checking this refund with the bank: mark its outcome later.',
  'problem.Payments.RefundLimit': 'Nothing was refunded: this amount needs a supervisor or a technician.',
  'problem.Payments.RefundNotFound': 'This payment has no such refund.',
  'problem.Payments.ShiftNotFound': 'There is no such shift on this device.',
  'problem.Payments.ShiftNotOpen': 'This shift is no longer open. Nothing was closed now.',
  'problem.Payments.TooManyPins': 'Too many wrong PINs. Try again in {seconds} s.',
  'problem.Payments.WrongPin': 'Not the PIN of a supervisor or technician.',
  'problem.Payments.RefundOpen': 'Another refund of this payment is in progress: wait until it ends.',
  'problem.Recognition.AnsweredOtherwise':
    'This picture was answered differently before, and that answer stands. Try again.',
  'problem.Recognition.NotFound': 'This picture is too old. Try again.',
  'problem.RequestParams.InvalidField.unknown-columns':
    'The columns of this file were not recognised. Select at least the amount and one ID.',
  'problem.RequestParams.InvalidField.statement-unknown':
    'This is not an account statement for 1C. Choose the format 1C when you download the statement from the bank.',
  'problem.RequestParams.InvalidField.statement-cut':
    'The account statement is incomplete at line {line}. Download it from the bank again.',
  'problem.RequestParams.InvalidField.statement-value':
    'Line {line} of the account statement: “{key}” is not readable. Download the statement again, or ask the bank.',
  'problem.RequestParams.InvalidField': 'A value is not accepted: check what you entered.',
  'problem.RequestParams.InvalidRequest':
    'The device did not understand the request, or got only part of it: reload this page and try again.',
  'problem.RequestParams.TooLarge': 'This is too large: choose a smaller file.',
  'problem.RequestParams.UnknownPath':
    'The device does not know this call. It may have been updated: reload this page.',
  'problem.RequestParams.UnsupportedMediaType': 'The device does not accept this type of file: choose another one.',
  'problem.RequestParams.WrongMethod':
    'The device does not accept this call. It may have been updated: reload this page.',
  'problem.Webhooks.AddressNotFound': 'This address is not in the configuration.',
  'problem.Webhooks.DeliveryNotFound': 'This delivery is no longer kept.',
  'problem.Webhooks.EventGone': 'This event is no longer kept: look at the payment itself.',
  'problem.Webhooks.NotConfigured': 'The address is no longer in the configuration.',
  'problem.late': 'The device did not answer in time. Check whether it was done before you try again.',
  'problem.silent': 'The device is not answering. Check that it is switched on.',
  'problem.lost-file': 'This file cannot be read: it was changed or moved. Choose it again.',
  'problem.cut-short': 'The file did not arrive complete. Try again.',
  'problem.unreadable': 'Unreadable answer from the device: reload this page.',
  'problem.display': 'The customer display is not connected. Check its cable and power, then try again.',
  'problem.other': 'The device could not do this. If it happens again, call the technician.',
  'problem.Device.SaleRuns': 'A payment is in progress: start when the display is at rest.',
  'problem.Device.NoReport': 'This report is no longer there: the last five are kept.',
};
