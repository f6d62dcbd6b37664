/**
 * The base of lanectl's commands: the device's address and calls, output, and exit codes. People type a command and
 * programs call it: its sentences say what to do, its exit code gives the outcome. It lies below the features, as each
 * brings its own command.
 */
export type { Port } from './addresses.ts';
export { bodyOf, writeAnswer } from './answer-file.ts';
export type { Call, DeviceClient } from './client.ts';
export { acting, type CommonOptions, type Tools } from './context.ts';
export { CommandFailure, EXIT_CODES, type ExitName, inPlainWords, isMisuse, mistyped, misuse } from './exit-codes.ts';
export { Interruption, repeating } from './interruption.ts';
export { type Output, surviveLostOutput } from './output.ts';
export {
  DATA,
  dataFolder,
  type Fault,
  faultOfFailure,
  faultsOfMachine,
  isInstalled,
  isOwnHost,
  ROOT,
} from './own-machine.ts';
export { printable, table } from './text-table.ts';
export {
  amount,
  idOf,
  itemId,
  key,
  paymentId,
  readNamed,
  readNamedText,
  unreadableReason,
  wholeNumber,
} from './values.ts';
