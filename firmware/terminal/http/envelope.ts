/** How the terminal words a failure: `status` first, then category, message and code. */
import type { EncodedFailure, Envelope, FailureKind, HttpFailure } from '../../http/index.ts';
import { ERROR_TABLE, type ErrorCategory, TerminalError } from '../errors.ts';
import { Failure } from './schemas.ts';

const WORDS: Readonly<Record<FailureKind, readonly [ErrorCategory, string]>> = {
  json: ['JsonParse', 'IllegalValue'],
  parameter: ['RequestParams', 'InvalidField'],
  request: ['RequestParams', 'InvalidRequest'],
  unauthorised: ['RequestParams', 'NotAuthorised'],
  forbidden: ['RequestParams', 'Forbidden'],
  'not-found': ['RequestParams', 'UnknownPath'],
  method: ['RequestParams', 'WrongMethod'],
  timeout: ['RequestParams', 'InvalidRequest'],
  'too-large': ['RequestParams', 'TooLarge'],
  'media-type': ['RequestParams', 'UnsupportedMediaType'],
  undecodable: ['RequestParams', 'InvalidField'],
  encryption: ['RequestParams', 'Forbidden'],
  'too-many': ['RequestParams', 'TooMany'],
  headers: ['RequestParams', 'TooLarge'],
  busy: ['RequestParams', 'TooMany'],
  internal: ['Internal', 'UnexpectedError'],
  storage: ['Internal', 'StorageFull'],
};

function answer(
  category: ErrorCategory,
  code: number,
  message: string,
  extra: Readonly<Record<string, string | number>> = {},
) {
  return { status: 'error', ...extra, error_category: category, error_message: message, error_code: code };
}

/** The nearest member of the table for what the JSON parser said. */
function jsonMember(message: string): string {
  if (/UTF-8/.test(message)) return 'IllegalUTF8String';
  if (/nests deeper/.test(message)) return 'DeepNesting';
  if (/after JSON/.test(message)) return 'GarbageAtEnd';
  if (/Unterminated string/.test(message)) return 'UnterminatedString';
  if (/end of JSON|empty/.test(message)) return 'UnterminatedObject';
  if (/escaped/.test(message)) return 'IllegalEscapeSequence';
  return 'IllegalValue';
}

/** The category and the member of the table of errors for what goes wrong before or around a handler. */
export function wordOf(failure: HttpFailure): readonly [category: ErrorCategory, member: string] {
  const [category, word] = WORDS[failure.kind];
  return [category, failure.kind === 'json' ? jsonMember(failure.message) : word];
}

export const terminalEnvelope: Envelope = {
  failure: Failure,
  failsUnder200: false,

  fromFailure(failure: HttpFailure): EncodedFailure {
    const [category, member] = wordOf(failure);
    const code = (ERROR_TABLE[category] as readonly string[]).indexOf(member);
    return { status: failure.status, body: answer(category, code, failure.message) };
  },

  fromError(error: unknown): EncodedFailure | null {
    if (!(error instanceof TerminalError)) return null;
    return { status: error.status, body: answer(error.category, error.errorCode, error.message, error.extra) };
  },
};
