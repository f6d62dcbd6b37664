/** The error of the terminal, and the codes that it may have: those of its records. */
import { DISPLAY_ERRORS } from '../../../drivers/display/error-records.ts';
import type { CategoriesOf, ErrorRecords, MembersOf } from '../../../drivers/lib/records.ts';
import { BANK_ERRORS, BANK_SETTINGS_ERRORS } from '../../banks/error-records.ts';
import { COMMON_ERRORS } from '../../core/http/error-records.ts';
import { PAYMENT_ERRORS } from './error-records.ts';
import { ORIGINAL_ERRORS } from './original-error-records.ts';

/** All codes that a call of payments may be refused with. */
export const TERMINAL_PROBLEMS = {
  ...COMMON_ERRORS,
  ...DISPLAY_ERRORS,
  ...ORIGINAL_ERRORS,
  ...BANK_SETTINGS_ERRORS,
  ...BANK_ERRORS,
  ...PAYMENT_ERRORS,
};
type Problems = typeof TERMINAL_PROBLEMS;

export type ErrorCode = keyof Problems;
export type ErrorCategory = CategoriesOf<Problems>;
export type ErrorMember<C extends ErrorCategory> = 'NoError' | Exclude<MembersOf<Problems, C>, '*'>;

const CODES: ReadonlySet<string> = new Set(Object.keys(TERMINAL_PROBLEMS).filter((code) => !code.endsWith('*')));
/** Whether a category and a member stand in a record: `Bank.Refused`. */
export const isErrorCode = (code: string): boolean => CODES.has(code);

function membersByCategory(): ReadonlyMap<string, readonly string[]> {
  const members = new Map<string, string[]>();
  for (const [category = '', member = ''] of [...CODES].map((code) => code.split('.')))
    members.set(category, [...(members.get(category) ?? ['NoError']), member]);
  return members;
}
const MEMBERS = membersByCategory();

/** The members of each category by their numbers: `error_code` is a member's place among the records of its category. */
export const ERROR_TABLE = Object.freeze(Object.fromEntries(MEMBERS)) as {
  readonly [C in ErrorCategory]: readonly ErrorMember<C>[];
};

/**
 * The code for a category and a number of an answer, or of the ledger: `Bank.Refused`. A number that only a later release
 * has reads as a failure of the device.
 */
export function codeNamed(category: string, errorCode: number): string {
  const code = `${category}.${MEMBERS.get(category)?.[errorCode]}`;
  return isErrorCode(code) ? code : 'Internal.UnexpectedError';
}

/** The category and the number of a code of the table. */
export function categoryAndNumber(code: string): readonly [category: string, errorCode: number] {
  const [category = '', member = ''] = code.split('.');
  return [category, MEMBERS.get(category)?.indexOf(member) ?? -1];
}

const RECORDS: ErrorRecords = TERMINAL_PROBLEMS;
const MENDABLE = 400;
/** The HTTP status of a code under `/v1`; a field missing in a bank's profile may have no record of its own. */
export const statusOf = (code: string): number => RECORDS[code]?.status ?? MENDABLE;

type Parameters = Readonly<Record<string, string | boolean | readonly string[] | Readonly<Record<string, string>>>>;

export interface ErrorDetails {
  readonly cause?: unknown;
  readonly extra?: Readonly<Record<string, string | number>>;
  readonly parameters?: Parameters;
  readonly field?: string | null;
  readonly payment?: string | null;
}

/** An answer that is no success: HTTP status, category, code and a sentence that says what to do. */
export class TerminalError extends Error {
  /** Status in the older calls: 400 for what the caller can mend. */
  readonly status: 400 | 500;
  readonly category: ErrorCategory;
  readonly member: string;
  readonly errorCode: number;
  /** Fields of the answer beside the common ones. */
  readonly extra: Readonly<Record<string, string | number>>;
  /** The values in the sentence; `/v1` returns them beside it. */
  readonly parameters: Parameters;
  /** The request's field at fault; `/v1` names it beside the sentence. */
  readonly field: string | null;
  /** Order id of the payment that the failed call made or was about; null for none. */
  readonly payment: string | null;

  private constructor(category: ErrorCategory, member: string, message: string, options: ErrorDetails) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'TerminalError';
    this.status = statusOf(`${category}.${member}`) >= 500 ? 500 : MENDABLE;
    this.category = category;
    this.member = member;
    this.errorCode = MEMBERS.get(category)?.indexOf(member) ?? -1;
    this.extra = Object.freeze({ ...options.extra });
    this.parameters = Object.freeze({ ...options.parameters });
    this.field = options.field ?? null;
    this.payment = options.payment ?? null;
  }

  /** @param code as in its record: `Screen.NotAvailable` */
  static coded(code: ErrorCode, message: string, options: ErrorDetails = {}): TerminalError {
    const [category, member] = code.split('.') as [ErrorCategory, string];
    return new TerminalError(category, member, message, options);
  }

  static of<C extends ErrorCategory>(
    category: C,
    member: ErrorMember<C>,
    message: string,
    options: ErrorDetails = {},
  ): TerminalError {
    return new TerminalError(category, member, message, options);
  }

  /** 400 for a field missing in a bank's profile: the category has a member named after it. @param path of the field in the request */
  static missing(category: ErrorCategory, field: string, path: string, must: string): TerminalError {
    const member = `Missing${field.charAt(0).toUpperCase()}${field.slice(1)}`;
    return new TerminalError(category, member, `${path} ${must}`, { field: path });
  }

  /** This error, about a payment. @param payment its order id @param more further parameters */
  about(payment: string, more: Parameters = {}): TerminalError {
    const { category, member, message, cause, extra, field } = this;
    const parameters = { ...this.parameters, ...more };
    return new TerminalError(category, member, message, { cause, extra, parameters, field, payment });
  }

  /** This error without `member.` before its fields: the caller sent them outside that member. */
  renameFields(member: string): TerminalError {
    const { category, member: name, cause, extra, parameters, payment } = this;
    const bare = (text: string): string => text.replaceAll(`${member}.`, '');
    const field = this.field === null ? null : bare(this.field);
    return new TerminalError(category, name, bare(this.message), { cause, extra, parameters, payment, field });
  }

  /** 400 for a field of a request. @param must the condition on it, to be read after its name: `must end in .csv` */
  static invalid(field: string, must: string, options: Pick<ErrorDetails, 'cause' | 'parameters'> = {}): TerminalError {
    return TerminalError.of('RequestParams', 'InvalidField', `${field} ${must}`, { ...options, field });
  }
}
