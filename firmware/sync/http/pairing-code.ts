/** The pairing code, as the calls of both kinds return it. */
import type { FastifyRequest } from 'fastify';
import { qrPath } from '../../../drivers/display/qr-svg.ts';
import { credentialOf, HttpFailure, isFromThisMachine } from '../../core/http/index.ts';
import { pairingText } from '../pairing-text.ts';
import type { Sync } from '../sync.ts';
import { synchronising } from './synchronising.ts';

/** The code admits a device to the store: only a technician over TLS, or the master itself, gets it. @throws {HttpFailure} */
function requirePrivacy(request: FastifyRequest): void {
  const { socket, headers } = request.raw;
  if (isFromThisMachine({ remoteAddress: socket.remoteAddress ?? '', headers })) return;
  if ('encrypted' in socket && credentialOf(request) === 'technician') return;
  throw new HttpFailure(
    'forbidden',
    "the pairing code is shown on the master itself, and over TLS to a caller with a technician's token",
  );
}

/** For a caller who may have it. @throws {HttpFailure} `forbidden` @throws {RecognitionError} */
export async function pairingCodeFor(request: FastifyRequest, sync: Sync) {
  requirePrivacy(request);
  const { code, seconds } = await synchronising(() => sync.pairingCode());
  return { code, seconds, qr: qrPath(pairingText(code, sync.masterAddress)) };
}
