/** How `/v1` answers the failures of the recognition device: as problems, with a code that stays. */

import { ACCESS_ERRORS } from '../../../core/access/records.ts';
import { HostError, type HostErrorCode } from '../../../core/host/index.ts';
import { DEVICE_ERRORS } from '../../../core/host/records.ts';
import { COMMON_ERRORS } from '../../../core/http/error-records.ts';
import { type EncodedFailure, problem, problemEnvelope, problemsOf } from '../../../core/http/index.ts';
import { RecognitionError } from '../../model/codes.ts';
import { RECOGNITION_ERRORS } from '../../model/error-records.ts';
import { isDamage, recognitionFailure } from '../../model/failures.ts';

/** All codes with which a call of recognition, of the store or of the device may be refused. */
export const RECOGNITION_PROBLEMS = {
  ...COMMON_ERRORS,
  ...RECOGNITION_ERRORS,
  ...ACCESS_ERRORS,
  ...DEVICE_ERRORS,
};
export type Code = keyof typeof RECOGNITION_PROBLEMS;

const CODE_OF_HOST: Readonly<Record<HostErrorCode, Code>> = {
  UNAVAILABLE: 'Device.NotManaged',
  NOT_PERMITTED: 'Device.NotPermitted',
  UPDATE_IN_PROGRESS: 'Device.UpdateRuns',
  TIMEOUT: 'Device.SystemFailed',
  FAILED: 'Device.SystemFailed',
};

/** The refusals of a call by their status, to be spread into the responses of its schema. */
export const refusals = (...codes: readonly Code[]): object => problemsOf(RECOGNITION_PROBLEMS, codes);

/** Codes of every call that writes. */
export const WRITING = ['Internal.StorageFull', 'Internal.StorageRefused'] as const satisfies readonly Code[];

const refusal = (code: Code, detail: string): EncodedFailure =>
  problem(RECOGNITION_PROBLEMS[code].status, code, detail, {});

function problemOf(error: unknown): EncodedFailure | null {
  if (error instanceof HostError) return refusal(CODE_OF_HOST[error.code], error.message);
  const own = isDamage(error) ? recognitionFailure(error) : error;
  if (!(own instanceof RecognitionError)) return null;
  return refusal(own.problem ?? 'Internal.UnexpectedError', own.message);
}

export const recognitionProblems = problemEnvelope(problemOf);
