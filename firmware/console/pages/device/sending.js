/** A backup on its way from the device. @import { Static } from 'typebox' @import { BackupsAnswer, RestoreAnswer } from '../../api/backup-schemas.ts' */
import { CallError, request } from '../app/api.js';

/** @typedef {Static<typeof BackupsAnswer>} State */
/** @typedef {Static<typeof RestoreAnswer>} Ready */

/** Copies of a full card are made within it, and fetched. */
const LIMIT_MS = 20 * 60_000;
/** A name that the device has not sent. */
const NAME = 'laneware.backup';

/** @param {Response} response */
const nameOf = (response) => /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? NAME;

/**
 * @param {string} passphrase
 * @param {(share: number) => void} onShare 0 to 1
 * @returns {Promise<{name: string, blob: Blob}>} whole
 * @throws {CallError}
 */
export async function fetchBackup(passphrase, onShare) {
  const response = await request('/console/api/backups', { method: 'POST', json: { passphrase }, limitMs: LIMIT_MS });
  const total = Number(response.headers.get('content-length'));
  let count = 0;
  const counting = new TransformStream({
    transform(piece, controller) {
      count += piece.byteLength;
      onShare(total === 0 ? 0 : count / total);
      controller.enqueue(piece);
    },
  });
  try {
    const blob = await new Response(response.body?.pipeThrough(counting)).blob();
    if (blob.size !== total) throw new Error(`${blob.size} of ${total} bytes`);
    return { name: nameOf(response), blob };
  } catch (cause) {
    throw new CallError('silent', {}, cause);
  }
}

/** Has the browser keep it. @param {{name: string, blob: Blob}} file */
export function keep({ name, blob }) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // the browser has begun by then
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
