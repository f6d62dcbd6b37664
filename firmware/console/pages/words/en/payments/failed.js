/** Why a payment has failed, where that is other than why a call was refused. */
export default {
  'failed.display':
    'The display did not show the code: nothing is paid by it. The page Device tells what is wrong with it.',
  'failed.Bank.GivenBack': 'It was paid, and the bank has given all of it back, or does so now: nothing is paid.',
  'failed.Bank.NotShown': 'The code was not shown: nothing is paid by it.',
  'failed.Bank.Unreachable': 'The bank did not answer, so no code was shown. Check the device’s way to the internet.',
  'failed.Internal.StorageFull': 'The storage of the device was full: the payment was given up.',
  'failed.Internal.UnexpectedError':
    'The device failed, or was started again, before the code was shown. Where the customer may have paid, look in the account at the bank.',
  'failed.RequestParams.InvalidRequest': 'The display was cleared, or the till hung up, before the code was shown.',
};
