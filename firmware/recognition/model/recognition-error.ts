/** The error of recognition, and the codes that it may have: those of its records, and those of core that it raises, too. */
import { type ErrorRecord, RecordedError, recorded } from '../../../drivers/lib/records.ts';
import { ACCESS_ERRORS } from '../../core/access/records.ts';
import { DEVICE_ERRORS } from '../../core/host/records.ts';
import { COMMON_ERRORS } from '../../core/http/error-records.ts';
import { RECOGNITION_ERRORS } from './error-records.ts';

/** All codes with which a call of recognition, of the store or of the device may be refused. */
export const RECOGNITION_PROBLEMS = {
  ...COMMON_ERRORS,
  ...RECOGNITION_ERRORS,
  ...ACCESS_ERRORS,
  ...DEVICE_ERRORS,
};
type Problem = keyof typeof RECOGNITION_PROBLEMS;

interface NumberedRecord extends ErrorRecord {
  /** `code` in answers of the original device's calls. */
  readonly number: number;
  /** The code under `/v1`, where it is another: only the original device's calls distinguish the two. */
  readonly problem?: Problem;
}

/** Records of core with their numbers, and a code that only the original device's calls have. */
const SHARED_ERRORS = {
  'JsonParse.*': { ...COMMON_ERRORS['JsonParse.*'], number: -6200 },
  'RequestParams.UnknownPath': { ...COMMON_ERRORS['RequestParams.UnknownPath'], number: -6117 },
  'RequestParams.InvalidField': { ...COMMON_ERRORS['RequestParams.InvalidField'], number: -6213 },
  'RequestParams.NotAuthorised': { ...COMMON_ERRORS['RequestParams.NotAuthorised'], number: -6306 },
  'RequestParams.TooMany': { ...COMMON_ERRORS['RequestParams.TooMany'], number: -6315 },
  'Internal.UnexpectedError': { ...COMMON_ERRORS['Internal.UnexpectedError'], number: -6210 },
  'Internal.StorageFull': { ...COMMON_ERRORS['Internal.StorageFull'], number: -6307 },
  'Internal.StorageRefused': { ...COMMON_ERRORS['Internal.StorageRefused'], number: -6203 },
  'Device.UpdateRuns': { ...DEVICE_ERRORS['Device.UpdateRuns'], number: -6134 },
  'Device.ClockRefused': { ...DEVICE_ERRORS['Device.ClockRefused'], number: -6309 },
  'Device.NotManaged': { ...DEVICE_ERRORS['Device.NotManaged'], number: -6314 },
  'Device.NotPermitted': { ...DEVICE_ERRORS['Device.NotPermitted'], number: -6314 },
  'Device.SystemFailed': { ...DEVICE_ERRORS['Device.SystemFailed'], number: -6314 },
  'Templates.NoItem': { ...RECOGNITION_ERRORS['Templates.NotFound'], number: -6302, problem: 'Templates.NotFound' },
} as const satisfies Readonly<Record<string, NumberedRecord>>;

type Records = typeof RECOGNITION_ERRORS;
type Numbered<Code extends keyof Records> = Code extends unknown
  ? Records[Code] extends { readonly number: number }
    ? Code
    : never
  : never;
/** A code that recognition raises, as in its record: `Tray.Empty`. */
export type CodeName = Numbered<keyof Records> | keyof typeof SHARED_ERRORS;

const RAISED: Readonly<Record<CodeName, NumberedRecord>> = { ...RECOGNITION_ERRORS, ...SHARED_ERRORS };

/** `code` in answers of the original device's calls. */
export const numberOf = (codeName: CodeName): number => RAISED[codeName].number;

/** A failure with a code of a record: the original device's calls answer its number under HTTP 200. */
export class RecognitionError extends RecordedError<string> {
  readonly codeName: CodeName;

  constructor(codeName: CodeName, message: string, options?: ErrorOptions) {
    const [category = '', member = ''] = (RAISED[codeName].problem ?? codeName).split('.');
    super([category, RECOGNITION_PROBLEMS], member, message, options);
    this.codeName = codeName;
  }
}

/**
 * Why `/v1` refuses a call of the store. `NoDevice`: no device with that serial number is paired; `WrongName`: the typed
 * serial number is not the master's.
 */
export class StoreRefusal extends recorded('Store', RECOGNITION_ERRORS) {}
