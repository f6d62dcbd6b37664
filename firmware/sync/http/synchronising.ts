/**
 * What the original device's calls and the console's calls share: the codes of errors, this device's state in its
 * store, and the pairing code.
 */
import type { FastifyRequest } from 'fastify';
import { qrPath } from '../../../drivers/display/qr-svg.ts';
import { credentialOf, HttpFailure, isFromThisMachine } from '../../core/http/index.ts';
import { type CodeName, RecognitionError } from '../../recognition/index.ts';
import type { ListedDevice } from '../centre/master.ts';
import { SyncError, type SyncErrorCode } from '../errors.ts';
import { slaveReasonOf } from '../health.ts';
import { pairingText } from '../pairing-code.ts';
import type { Sync } from '../sync.ts';
import type { StoreState } from './store-schemas.ts';

const CODE_OF: Readonly<Record<SyncErrorCode, CodeName>> = {
  unreachable: 'Store.Unreachable',
  timeout: 'Store.Late',
  'not-ready': 'Store.Late',
  unauthorised: 'Store.Refused',
  'wrong-certificate': 'Store.Refused',
  refused: 'Store.Refused',
  full: 'Internal.StorageFull',
  garbage: 'Internal.UnexpectedError',
  damaged: 'Internal.UnexpectedError',
  storage: 'Internal.StorageRefused',
  'no-server': 'Store.NotSynchronised',
  program: 'Internal.UnexpectedError',
  'no-code': 'Store.NoCode',
  standalone: 'Store.NotSynchronised',
  unpaired: 'Store.NotSynchronised',
  closed: 'Store.NotSynchronised',
};

/** Converts a SyncError of `work`. @throws {RecognitionError} */
export async function synchronising<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    if (error.cause instanceof RecognitionError) throw error.cause;
    throw new RecognitionError(CODE_OF[error.code], error.message, { cause: error });
  }
}

/**
 * The pairing code admits a device to the store, so only a technician over TLS and a caller on the master itself get
 * it.
 * @throws {HttpFailure}
 */
function requirePrivacy(request: FastifyRequest): void {
  const { socket, headers } = request.raw;
  if (isFromThisMachine({ remoteAddress: socket.remoteAddress ?? '', headers })) return;
  if ('encrypted' in socket && credentialOf(request) === 'technician') return;
  throw new HttpFailure(
    'forbidden',
    "the pairing code is shown on the master itself, and over TLS to a caller with a technician's token",
  );
}

/** The pairing code, for a caller who may see it. @throws {HttpFailure} `forbidden` @throws {RecognitionError} */
export async function pairingCodeFor(request: FastifyRequest, sync: Sync) {
  requirePrivacy(request);
  const { code, seconds } = await synchronising(() => sync.pairingCode());
  return { code, seconds, qr: qrPath(pairingText(code, sync.masterAddress)) };
}

const listed = ({ serial, status, silent, conflict }: ListedDevice): StoreState['devices'][number] => ({
  sn: serial,
  version: status?.version ?? '',
  upload: status?.upload ?? false,
  download: status?.download ?? false,
  templates: status?.templates ?? 0,
  pending: status?.pending ?? 0,
  silent,
  conflict,
});

export function syncStatus(sync: Sync) {
  const { role, paired, problem, state, devices } = sync.status();
  return {
    role,
    paired,
    problem,
    masterSN: sync.info().masterSN,
    lastSuccess: state?.lastSuccess ?? null,
    lag: state?.lag ?? null,
    pending: state?.pending ?? 0,
    devices: devices.map(listed),
  };
}

export function storeState(sync: Sync): StoreState {
  const { masterIP, mastersyncPort, upload, download } = sync.info();
  const address = masterIP === '' ? null : `${masterIP}:${mastersyncPort}`;
  const reason = sync.loss?.code ?? slaveReasonOf(sync.status());
  const wipe = sync.isMaster ? sync.marks.wipe : null;
  return { ...syncStatus(sync), address, reason, upload, download, wipe };
}
