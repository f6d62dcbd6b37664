/** Why a payment has failed, where that is other than why a call was refused. */
export default {
  'failed.display':
    'The customer display did not show the code, so nothing was paid. Check its cable and power, then try again.',
  'failed.Bank.GivenBack': 'It was paid, but the bank has refunded it in full, or is doing so now.',
  'failed.Bank.NotShown': 'The code was not shown, so nothing was paid. Try again.',
  'failed.Bank.Unreachable':
    'The bank did not answer, so no code was shown. Check the internet connection, then try again.',
  'failed.Internal.StorageFull': 'No space was left on the device, so the payment was stopped. Call the technician.',
  'failed.Internal.StorageRefused':
    'The device could not write to its storage, so the payment was stopped. Call the technician.',
  'failed.Internal.UnexpectedError':
    'The device failed or restarted before the code was shown. If the customer may have paid, check your account at the bank.',
  'failed.RequestParams.InvalidRequest':
    'The display was cleared, or the till disconnected, before the code was shown.',
};
