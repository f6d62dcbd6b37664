/** What was thrown, in words: the message of an error, anything else as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The reason that a state carries, to follow what is said of it (": the cable was pulled out"); empty where it has none. */
export function because({ reason }: { readonly name: string; readonly reason?: string }): string {
  return reason === undefined ? '' : `: ${reason}`;
}

/** What the system, or Node, calls this failure ("ENOENT"); null where it has no such name. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** Whether the failure is one of these. */
export function isCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = codeOf(error);
  return code !== null && codes.includes(code);
}

/** A failure with a name that callers go by. */
export class CodedError<Code extends string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
  }
}

/** A field that is well formed, but of no use here. The message reads after the field's name. */
export class FieldError<Field extends string = string> extends Error {
  readonly field: Field;
  /** What is wrong with it, in a word, where a program may want to know. */
  readonly reason: string | null;

  constructor(field: Field, must: string, { reason, ...options }: ErrorOptions & { readonly reason?: string } = {}) {
    super(must, options);
    this.name = 'FieldError';
    this.field = field;
    this.reason = reason ?? null;
  }
}

/** One line for the log, and what belongs to it. Never a secret, a payload or a picture. */
export type LogLine = (message: string, details?: Readonly<Record<string, unknown>>) => void;
