import { recorded } from '../../../drivers/lib/records.ts';
import type { DEVICE_ERRORS } from '../../core/host/records.ts';
import type { COMMON_ERRORS } from '../../core/http/error-records.ts';
import { RECOGNITION_ERRORS } from './error-records.ts';

/**
 * What each failure is called: `number` at the older calls, negative codes of the device family where they fit
 * (docs/sources.md, "The recognition interface: error codes"), our own from -6301 on; `problem` under `/v1`, null where
 * no call of `/v1` meets it, which counts as unexpected.
 */
export const RECOGNITION_FAILURES = Object.freeze({
  cameraLost: { number: -6103, problem: 'Camera.Lost' },
  unknownCommand: { number: -6117, problem: null },
  resetDuringUpdate: { number: -6134, problem: null },
  json: { number: -6200, problem: null },
  fileMissing: { number: -6202, problem: 'Templates.Damaged' },
  fileWrite: { number: -6203, problem: 'Internal.StorageRefused' },
  network: { number: -6207, problem: 'Store.Unreachable' },
  algorithmTimeout: { number: -6209, problem: 'Model.NotReady' },
  unknown: { number: -6210, problem: null },
  parameter: { number: -6213, problem: null },
  syncTimeout: { number: -6214, problem: 'Store.Late' },
  learningLocked: { number: -6217, problem: 'Templates.Locked' },
  notMaster: { number: -6301, problem: null },
  noItem: { number: -6302, problem: 'Templates.NotFound' },
  noTemplate: { number: -6303, problem: 'Templates.NotFound' },
  templateLimit: { number: -6304, problem: 'Templates.Full' },
  taskRunning: { number: -6305, problem: 'Packages.Running' },
  notAuthorised: { number: -6306, problem: null },
  storageFull: { number: -6307, problem: 'Internal.StorageFull' },
  frameUnusable: { number: -6308, problem: 'Camera.NoPicture' },
  trayEmpty: { number: -6308, problem: 'Tray.Empty' }, // one of them to the original device's calls
  clockRefused: { number: -6309, problem: 'Device.ClockRefused' },
  noSession: { number: -6310, problem: 'Recognition.NotFound' },
  answeredOtherwise: { number: -6310, problem: 'Recognition.AnsweredOtherwise' }, // the same
  notSynchronised: { number: -6312, problem: 'Store.NotSynchronised' },
  pairingRefused: { number: -6313, problem: 'Store.Refused' },
  noPairingCode: { number: -6313, problem: 'Store.NoCode' }, // the same
  hostRefused: { number: -6314, problem: null },
  tooMany: { number: -6315, problem: null },
  itemMarked: { number: -6316, problem: 'Templates.Marked' },
  trayNotEmpty: { number: -6317, problem: 'Tray.NotEmpty' },
  trayUnknown: { number: -6318, problem: 'Tray.NotLearned' },
  unlikeItem: { number: -6319, problem: 'Templates.Unlike' },
  notDrawn: { number: -6320, problem: 'Camera.NotDrawn' },
} as const satisfies Readonly<Record<string, { readonly number: number; readonly problem: ProblemCode | null }>>);

type ProblemCode = keyof typeof RECOGNITION_ERRORS | keyof typeof DEVICE_ERRORS | keyof typeof COMMON_ERRORS;

export type CodeName = keyof typeof RECOGNITION_FAILURES;

const numbers = Object.fromEntries(Object.entries(RECOGNITION_FAILURES).map(([name, { number }]) => [name, number]));
/** The numbers of the older calls. */
export const CODES = Object.freeze({ ok: 0, ...(numbers as Record<CodeName, number>) } as const);

/** A failure as the device answers it: HTTP 200 with its code, as for every handled outcome. */
export class RecognitionError extends Error {
  readonly codeName: CodeName;
  /** At the older calls. */
  readonly code: number;
  /** Under `/v1`; null where no call of it meets the failure. */
  readonly problem: ProblemCode | null;

  constructor(codeName: CodeName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RecognitionError';
    this.codeName = codeName;
    const { number, problem } = RECOGNITION_FAILURES[codeName];
    this.code = number;
    this.problem = problem;
  }
}

/**
 * Why a call of the store is refused, where synchronisation itself has no error for it. `NotMaster`: only a master does
 * it; `NoDevice`: no device with that serial number is paired; `WrongName`: the typed number is another device's.
 */
export class StoreRefusal extends recorded('Store', RECOGNITION_ERRORS) {}
