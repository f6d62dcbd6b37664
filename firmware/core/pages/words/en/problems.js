/** What went wrong in a call, by the code that the device returns. */
export default {
  'problem.RequestParams.InvalidField.unknown-columns':
    'The columns of this file were not recognised. Select at least the amount and one ID.',
  'problem.RequestParams.InvalidField.unclear-dates':
    'The date {date} in line {line} may be two days. Select what stands first.',
  'problem.RequestParams.InvalidField.statement-unknown':
    'This is not an account statement for 1C. Choose the format 1C when you download the statement from the bank.',
  'problem.RequestParams.InvalidField.statement-cut':
    'The account statement is incomplete at line {line}. Download it from the bank again.',
  'problem.RequestParams.InvalidField.statement-value':
    'Line {line} of the account statement: “{key}” is not readable. Download the statement again, or ask the bank.',
  'problem.table.old-workbook':
    'This workbook has a password, or is an old one (.xls). Save it as .xlsx without a password.',
  'problem.table.page': 'This is a page or XML named like a table. Open it in a spreadsheet and save it as .xlsx.',
  'problem.table.account': 'This is an account statement for 1C, not a table.',
  'problem.table.binary': 'This is not a table. Save the table as .xlsx or CSV.',
  'problem.table.too-long': 'Line {line} of the table is too long. Is a quotation mark not closed?',
  'problem.table.workbook': 'This workbook is damaged. Open it in a spreadsheet and save it as .xlsx again.',
  'problem.table.slow': 'This table takes too long to read. Send a part of it.',
  'problem.late': 'The device did not answer in time. Check whether it was done before you try again.',
  'problem.silent': 'The device is not answering. Check that it is switched on.',
  'problem.lost-file': 'This file cannot be read: it was changed or moved. Choose it again.',
  'problem.cut-short': 'The file did not arrive complete. Try again.',
  'problem.unreadable': 'Unreadable answer from the device: reload this page.',
  'problem.display': 'The customer display is not connected. Check its cable and power, then try again.',
  'problem.other': 'The device could not do this. If it happens again, call the technician.',
  // why a payment has failed, where that is other than why a call was refused
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
