/** The pairing code, for the original device's calls and the console's. */
import type { FastifyRequest } from 'fastify';
import { qrPath } from '../../../drivers/display/qr-svg.ts';
import { credentialOf, HttpFailure, isFromThisMachine } from '../../core/http/index.ts';
import { pairingText } from '../pairing-code.ts';
import type { Sync } from '../sync.ts';
import { withSyncErrors } from './sync-errors.ts';

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
  const { code, seconds } = await withSyncErrors(() => sync.pairingCode());
  return { code, seconds, qr: qrPath(pairingText(code, sync.masterAddress)) };
}
