/**
 * What the commands of lanectl stand on: where the device is and how it is called, what is printed, and how a command ends. A
 * command is typed by a person or called by a program: its sentences say what to do, and its exit code says what it came to. A
 * feature brings its own command, so this lies below them.
 */
export type { Port } from './addresses.ts';
export { bodyOf, writeAnswer } from './answer-file.ts';
export type { Call, DeviceClient } from './client.ts';
export { faultOfFailure, isOwnHost } from './connection-faults.ts';
export { acting, type CommonOptions, type Tools } from './context.ts';
export { CommandFailure, EXIT_CODES, type ExitName, inPlainWords, isMisuse, mistyped, misuse } from './exit-codes.ts';
export { Interruption } from './interruption.ts';
export { type Output, outliveReader, printable, table } from './output.ts';
export { DATA, dataFolder, type Fault, faultsOfMachine, isInstalled, ROOT } from './own-machine.ts';
export { repeating } from './repeating.ts';
export {
  amount,
  idOf,
  itemId,
  key,
  paymentId,
  readNamed,
  readNamedText,
  wholeNumber,
  whyUnreadable,
} from './values.ts';
