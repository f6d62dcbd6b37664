/** How the recognition device's failures are answered under `/v1`. */

import { ClaimError, SignInError } from '../../core/access/index.ts';
import { DeviceRefusal, HostError, type HostErrorCode } from '../../core/host/index.ts';
import { type EncodedFailure, problem, problemEnvelope, problemsOf } from '../../core/http/index.ts';
import { BackupError } from '../../features/backup/index.ts';
import { type CodeName, RecognitionError } from '../codes.ts';
import { isDamage, recognitionFailure } from '../failures.ts';
import { ReviewError } from '../feedback/review-queue.ts';
import { ItemError } from '../items/item.ts';
import { StoreRefusal } from '../store-refusal.ts';
import { DeletionOver } from '../templates/deletions.ts';
import { PackageRefusal } from '../templates/package-store.ts';

export const STATUS_OF_CODE = Object.freeze({
  'Items.NotFound': 404,
  'Items.NoPicture': 404,
  'Items.PictureUnusable': 422,
  'Items.BarcodeTaken': 409,
  'Items.IllegalFile': 400,
  'Deletions.NotFound': 404,
  'Templates.NotFound': 404,
  'Templates.Locked': 409,
  'Templates.Full': 409,
  'Templates.Marked': 409,
  'Templates.Unlike': 409,
  'Templates.Damaged': 500,
  'Packages.Running': 409,
  'Packages.NotFound': 404,
  'Packages.BeyondEnd': 416,
  'Tray.Empty': 409,
  'Tray.NotEmpty': 409,
  'Tray.NotLearned': 404,
  'Backups.WrongPassphrase': 422,
  'Backups.Damaged': 422,
  'Backups.TooNew': 409,
  'Backups.NewerPayments': 409,
  'Backups.Busy': 409,
  'Claim.NoCode': 409,
  'Claim.WrongCode': 403,
  'Claim.TooManyTries': 429,
  'Claim.TokenInUse': 409,
  'Device.NotManaged': 409,
  'Device.NotPermitted': 409,
  'Device.UpdateRuns': 409,
  'Device.NoReleaseBefore': 409,
  'Device.WrongName': 409,
  'Device.NotFresh': 409,
  'Device.SaleRuns': 409,
  'Device.NoReport': 404,
  'Device.ConfigWrong': 409,
  'Device.ConfigInForce': 409,
  'Device.SystemFailed': 503,
  'Device.ClockRefused': 503,
  'SignIn.WrongPin': 403,
  'SignIn.WrongToken': 403,
  'SignIn.TooManyTries': 429,
  'SignIn.EasyPin': 422,
  'SignIn.PinInUse': 409,
  'SignIn.TechnicianFirst': 409,
  'Recognition.NotFound': 404,
  'Recognition.AnsweredOtherwise': 409,
  'Uncertain.NotFound': 404,
  'Uncertain.AnsweredOtherwise': 409,
  'Store.NotMaster': 409,
  'Store.NoDevice': 404,
  'Store.WrongName': 409,
  'Store.NotSynchronised': 409,
  'Store.NoCode': 409,
  'Store.Refused': 409,
  'Store.Unreachable': 503,
  'Store.Late': 503,
  'Camera.Lost': 503,
  'Camera.NoPicture': 503,
  'Camera.NotDrawn': 404,
  'Model.NotReady': 503,
  'RequestParams.TooMany': 503,
  'Internal.StorageFull': 507,
  'Internal.StorageRefused': 500,
  'Internal.UnexpectedError': 500,
} as const);
export type Code = keyof typeof STATUS_OF_CODE;

/** What the errors of the older calls are called here; what no call of `/v1` meets is unexpected. */
const CODE_OF: Readonly<Partial<Record<CodeName, Code>>> = {
  cameraLost: 'Camera.Lost',
  frameUnusable: 'Camera.NoPicture',
  trayEmpty: 'Tray.Empty',
  trayNotEmpty: 'Tray.NotEmpty',
  trayUnknown: 'Tray.NotLearned',
  notDrawn: 'Camera.NotDrawn',
  algorithmTimeout: 'Model.NotReady',
  noSession: 'Recognition.NotFound',
  answeredOtherwise: 'Recognition.AnsweredOtherwise',
  noItem: 'Templates.NotFound',
  noTemplate: 'Templates.NotFound',
  templateLimit: 'Templates.Full',
  itemMarked: 'Templates.Marked',
  unlikeItem: 'Templates.Unlike',
  learningLocked: 'Templates.Locked',
  fileMissing: 'Templates.Damaged',
  notSynchronised: 'Store.NotSynchronised',
  noPairingCode: 'Store.NoCode',
  pairingRefused: 'Store.Refused',
  network: 'Store.Unreachable',
  syncTimeout: 'Store.Late',
  taskRunning: 'Packages.Running',
  clockRefused: 'Device.ClockRefused',
  storageFull: 'Internal.StorageFull',
  fileWrite: 'Internal.StorageRefused',
  tooMany: 'RequestParams.TooMany',
};

const CODE_OF_HOST: Readonly<Record<HostErrorCode, Code>> = {
  UNAVAILABLE: 'Device.NotManaged',
  NOT_PERMITTED: 'Device.NotPermitted',
  UPDATE_IN_PROGRESS: 'Device.UpdateRuns',
  TIMEOUT: 'Device.SystemFailed',
  FAILED: 'Device.SystemFailed',
};

/** What a call answers beside success, by its status: to be spread into the responses of its schema. */
export const refusals = (...codes: readonly Code[]): object => problemsOf(STATUS_OF_CODE, codes);

/** What each call that writes may meet. */
export const WRITING = ['Internal.StorageFull', 'Internal.StorageRefused'] as const satisfies readonly Code[];

const refusal = (code: Code, detail: string, more: object = {}): EncodedFailure =>
  problem(STATUS_OF_CODE[code], code, detail, more);

const backupDetails = ({ code, parameters }: BackupError): object =>
  code === 'WrongPassphrase' ? { ...parameters, field: 'passphrase' } : parameters;

function problemOf(error: unknown): EncodedFailure | null {
  if (error instanceof ItemError) return refusal(`Items.${error.code}`, error.message, error.extra);
  if (error instanceof DeletionOver) return refusal('Deletions.NotFound', error.message);
  if (error instanceof ReviewError) return refusal(`Uncertain.${error.code}`, error.message);
  if (error instanceof ClaimError)
    return refusal(`Claim.${error.code}`, error.message, error.seconds === null ? {} : { seconds: error.seconds });
  if (error instanceof HostError) return refusal(CODE_OF_HOST[error.code], error.message);
  if (error instanceof DeviceRefusal) return refusal(`Device.${error.code}`, error.message);
  if (error instanceof SignInError) return refusal(`SignIn.${error.code}`, error.message, error.more);
  if (error instanceof BackupError) return refusal(`Backups.${error.code}`, error.message, backupDetails(error));
  if (error instanceof PackageRefusal) return refusal(`Packages.${error.code}`, error.message);
  if (error instanceof StoreRefusal) return refusal(`Store.${error.code}`, error.message);
  const own = isDamage(error) ? recognitionFailure(error) : error;
  if (!(own instanceof RecognitionError)) return null;
  return refusal(CODE_OF[own.codeName] ?? 'Internal.UnexpectedError', own.message);
}

export const recognitionProblems = problemEnvelope(problemOf);
