/** Words a failed start of a device for the person who started it, and chooses the exit code. Loaded only then. */
import { isCode, messageOf } from '../../drivers/lib/errors.ts';

/** Exit codes, as in help.txt. */
const CANNOT_START = 1;
const WRONG_ARGUMENT = 2;
/** EX_CONFIG of sysexits(3): another start or another release would fail in the same way. */
const WRONG_CONFIG = 78;

/** Codes of errors for which the process prints a sentence; for any other error it prints the stack. */
const EXPECTED = [
  'ARGUMENT_INVALID',
  'CONFIG_INVALID',
  'DATA_DIR_BUSY',
  'DATA_DIR_UNUSABLE',
  'SEAL_BROKEN',
  'EADDRINUSE',
  'EADDRNOTAVAIL',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EACCES',
];

const isExpected = (error: unknown): error is Error => isCode(error, ...EXPECTED);

const isPortTooLow = (error: Error): boolean =>
  isCode(error, 'EACCES') && 'syscall' in error && error.syscall === 'listen';

function explain(error: Error): string {
  if (isCode(error, 'EADDRINUSE'))
    return `${error.message}: another program listens there; stop it, or choose another port (LANEWARE_TERMINAL_PORT, LANEWARE_RECOGNITION_PORT, LANEWARE_SANDBOXBANK_PORT)`;
  if (isCode(error, 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'))
    return `${error.message}: this machine has no such address; choose 127.0.0.1, one of its own, or 0.0.0.0 for all of them (LANEWARE_TERMINAL_HOST, LANEWARE_RECOGNITION_HOST, LANEWARE_SANDBOXBANK_HOST)`;
  if (isPortTooLow(error))
    return `${error.message}: this user may open no port as low as that; on an installed device it may from 80 on (LANEWARE_TERMINAL_PORT, LANEWARE_RECOGNITION_PORT, LANEWARE_SANDBOXBANK_PORT)`;
  return messageOf(error);
}

function exitCodeOf(error: Error): number {
  if (isCode(error, 'ARGUMENT_INVALID')) return WRONG_ARGUMENT;
  return isCode(error, 'CONFIG_INVALID') || isPortTooLow(error) ? WRONG_CONFIG : CANNOT_START;
}

/** @throws the error itself where it is not expected, so that its stack is printed */
export function refusalOf(error: unknown): { readonly sentence: string; readonly exitCode: number } {
  if (!isExpected(error)) throw error;
  return { sentence: explain(error), exitCode: exitCodeOf(error) };
}
