/** How `/v1` answers the failures of the recognition device: as problems, with a code that stays. */

import { HostError } from '../../../core/host/index.ts';
import { problemEnvelope, problemsOf, recordedProblem } from '../../../core/http/index.ts';
import { isDamage, recognitionFailure } from '../../model/failures.ts';
import { RECOGNITION_PROBLEMS } from '../../model/recognition-error.ts';

type Code = keyof typeof RECOGNITION_PROBLEMS;

/** The refusals of a call by their status, to be spread into the responses of its schema. */
export const refusals = (...codes: readonly Code[]): object => problemsOf(RECOGNITION_PROBLEMS, codes);

/** Codes of every call that writes. */
export const WRITING = ['Internal.StorageFull', 'Internal.StorageRefused'] as const satisfies readonly Code[];

const isUncoded = (error: unknown): boolean => error instanceof HostError || isDamage(error);

export const recognitionProblems = problemEnvelope((error) =>
  isUncoded(error) ? recordedProblem(recognitionFailure(error)) : null,
);
