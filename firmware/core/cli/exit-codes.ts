/**
 * The exit codes of commands, for scripts, and the failures that end with them. A test checks the table of
 * `docs/lanectl.md` against the codes.
 */
export const EXIT_CODES = Object.freeze({
  /** Done; of a payment: paid. */
  ok: 0,
  /** A failure without a code of its own: a file that cannot be written, a damaged backup, a fault of lanectl. */
  failed: 1,
  /** A wrong command, option or value, or a file that cannot be read or that the device refuses: nothing was done. */
  usage: 2,
  /** The device does not answer. */
  unreachable: 3,
  /** The device answers, and refuses. */
  refused: 4,
  /** The token is missing, wrong, or opens too little. */
  unauthorised: 5,
  /** The bank has declined the payment, or the refund. */
  declined: 6,
  /** The payment was not paid in time, or was cancelled. */
  cancelled: 7,
  /** The outcome is not known yet: the payment may still be paid, or may have been. */
  undecided: 8,
  /** The device reports a fault. */
  faults: 9,
  /** Ctrl-C, with nothing left open. */
  interrupted: 130,
} as const);

export type ExitName = keyof typeof EXIT_CODES;

/** Why a command failed. */
export class CommandFailure extends Error {
  readonly exit: ExitName;
  /** Details for programs, beside the sentence: a stable code of the device, an id. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(exit: ExitName, message: string, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CommandFailure';
    this.exit = exit;
    this.details = details;
  }
}

/** What is wrong with a command line: codes of `usage` from lanectl, not from the device. */
type Misuse = 'Command' | 'Option' | 'Argument' | 'Value' | 'File';

const OF_USAGE = 'Usage.';
export const isMisuse = (code: unknown): boolean => String(code).startsWith(OF_USAGE);

export const misuse = (what: Misuse, message: string, cause?: unknown): CommandFailure =>
  new CommandFailure('usage', message, { code: OF_USAGE + what }, cause);

/** The misuse for each error code of the command line's parser. */
const MISUSE_OF: Readonly<Record<string, Misuse>> = {
  'commander.unknownOption': 'Option',
  'commander.optionMissingArgument': 'Option',
  'commander.missingMandatoryOptionValue': 'Option',
  'commander.conflictingOption': 'Option',
  'commander.missingArgument': 'Argument',
  'commander.excessArguments': 'Argument',
  'commander.invalidArgument': 'Value',
};

/** Sentences of the command line's parser, and plainer ones. */
const PLAIN: readonly (readonly [its: RegExp, ours: string])[] = [
  [/command-argument value '([\s\S]*)' is invalid for argument '([^']*)'\./, '$2: "$1" cannot be used.'],
  [/option '([^']*)' argument '([\s\S]*)' is invalid\./, '$1: "$2" cannot be used.'],
  [/missing required argument '([^']*)'/, '$1 is missing'],
  [/required option '([^']*)' not specified/, '$1 is missing: it is required'],
  [/option '([^']*)' argument missing/, '$1: its value is missing'],
];
export const inPlainWords = (words: string): string =>
  PLAIN.reduce((before, [its, ours]) => before.replace(its, ours), words);

export const mistyped = (code: string, message: string): CommandFailure =>
  misuse(MISUSE_OF[code] ?? 'Command', message);
