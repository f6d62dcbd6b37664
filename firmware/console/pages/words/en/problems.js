/** What went wrong in a call, by the code that the device tells. */
export default {
  'problem.Calls.NotFound': 'This call is kept no more: only the last ones are, until the device starts again.',
  'problem.late': 'The device did not answer in time. Look whether it was done before you try again.',
  'problem.silent': 'The device does not answer. Check that it runs.',
  'problem.unreadable': 'The device answered something unreadable: load this page again.',
  'problem.other': 'The device refused it ({code}): {detail}',
};
