import { accessProblemOf } from './rights.ts';

/** Node's advice to a person who has started it in a shell, which nobody at a device has. */
const ADVICE_OF_NODE = '; if the root CA is installed locally, try running Node.js with --use-system-ca';

/**
 * A thrown value in words: the message of an error, anything else as text. A file or folder that belongs to another user
 * is named, with what to do about it.
 */
export function messageOf(error: unknown): string {
  return accessProblemOf(error) ?? (error instanceof Error ? error.message : String(error)).replace(ADVICE_OF_NODE, '');
}

/** The reason of a state, to follow a sentence about it (": the cable was pulled out"); empty for none. */
export function because({ reason }: { readonly name: string; readonly reason?: string }): string {
  return reason === undefined ? '' : `: ${reason}`;
}

/** The name that the system, or Node, gives this failure ("ENOENT"); null for none. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Whether the failure has one of these codes. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(error);
  return code !== null && codes.includes(code);
}

/** A failure with a code by which callers decide. */
export class CodedError<Code extends string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A well-formed field that cannot be used here. The message reads after the field's name. */
export class FieldError<Field extends string = string> extends Error {
  readonly field: Field;
  /** A code of what is wrong, for programs; null for none. */
  readonly reason: string | null;

  constructor(field: Field, must: string, { reason, ...options }: ErrorOptions & { readonly reason?: string } = {}) {
    super(must, options);
    this.name = 'FieldError';
    this.field = field;
    this.reason = reason ?? null;
  }
}

/** Writes a line to the log, with details. Never a secret, a payload or a picture. */
export type LogLine = (message: string, details?: Readonly<Record<string, unknown>>) => void;
