import { recorded } from '../../../drivers/lib/records.ts';
import { RECOGNITION_ERRORS } from './records.ts';

/**
 * Codes of the recognition device: negative codes of the device family where they fit (docs/sources.md, "The
 * recognition interface: error codes"), our own from -6301 on.
 */
export const CODES = Object.freeze({
  ok: 0,
  cameraLost: -6103,
  unknownCommand: -6117,
  resetDuringUpdate: -6134,
  json: -6200,
  fileMissing: -6202,
  fileWrite: -6203,
  network: -6207,
  algorithmTimeout: -6209,
  unknown: -6210,
  parameter: -6213,
  syncTimeout: -6214,
  learningLocked: -6217,
  notMaster: -6301,
  noItem: -6302,
  noTemplate: -6303,
  templateLimit: -6304,
  taskRunning: -6305,
  notAuthorised: -6306,
  storageFull: -6307,
  frameUnusable: -6308,
  trayEmpty: -6308, // one of them to the original device's calls
  clockRefused: -6309,
  noSession: -6310,
  answeredOtherwise: -6310, // the same
  notSynchronised: -6312,
  pairingRefused: -6313,
  noPairingCode: -6313, // the same
  hostRefused: -6314,
  tooMany: -6315,
  itemMarked: -6316,
  trayNotEmpty: -6317,
  trayUnknown: -6318,
  unlikeItem: -6319,
  notDrawn: -6320,
});

export type CodeName = keyof typeof CODES;

/** A failure as the device answers it: HTTP 200 with its code, as for every handled outcome. */
export class RecognitionError extends Error {
  readonly codeName: CodeName;
  readonly code: number;

  constructor(codeName: CodeName, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RecognitionError';
    this.codeName = codeName;
    this.code = CODES[codeName];
  }
}

/**
 * Why a call of the store is refused, where synchronisation itself has no error for it. `NotMaster`: only a master does
 * it; `NoDevice`: no device with that serial number is paired; `WrongName`: the typed number is another device's.
 */
export class StoreRefusal extends recorded('Store', RECOGNITION_ERRORS) {}
