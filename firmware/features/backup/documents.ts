/**
 * Checks each document of a backup with the reader that the device uses for it. A document that the reader refuses would be
 * restored, and then not used.
 */
import { join } from 'node:path';
import Type from 'typebox';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { documentReader, isStoreError, MAX_DOCUMENT_BYTES, readPlainFileIfAny } from '../../core/files/index.ts';
import type { Sealer } from '../../core/secrets/index.ts';
import { BackupError } from './backup-error.ts';
import { DOCUMENTS, type DocumentName } from './contents.ts';

type Opener = Pick<Sealer, 'open'>;
/** @throws what is wrong with the bytes */
type Read = (bytes: Buffer) => unknown;

const READERS: Readonly<Record<DocumentName, (opener: Opener) => Promise<Read>>> = {
  'settings.json': async (opener) => {
    const { openStored, StoredSettings } = await import('../../payments/settings/settings-stored.ts');
    return documentReader(StoredSettings, (stored) => unlessSealed(() => openStored(stored, opener)));
  },
  'merchants.json': async () => documentReader((await import('../../banks/merchants.ts')).StoredMerchants),
  'certificates.json': async () =>
    documentReader((await import('../../banks/certificate-store.ts')).StoredCertificates),
  'recognition.json': async () => documentReader((await import('../../recognition/storage/settings.ts')).StoredSchema),
  'extra-info.json': async () =>
    documentReader((await import('../../recognition/http/original/device.ts')).ExtraInfoSchema),
  'shop.json': async () => documentReader((await import('../../core/host/shop.ts')).ShopSchema),
  // only the feature of the voice knows its schema: it reports what does not fit, and then has the settings of a new device
  'voice.json': async () => documentReader(Type.Record(Type.String(), Type.Unknown())),
  'empty-tray.bin': async () => (await import('../../recognition/vision/tray.ts')).readTray,
};

/**
 * A secret that only another machine's key opens is no damage: a person then sends the settings again, as `/health` asks.
 * @returns no problem, as the reader's check of a document wants it
 */
function unlessSealed(open: () => unknown): null {
  try {
    open();
    return null;
  } catch (error) {
    if (isStoreError(error, 'SEAL_BROKEN')) return null;
    throw error;
  }
}

/** Loads what reads a document; it throws {StoreError} `TOO_LARGE`, or what is wrong with the bytes. */
export const loadReader = (name: DocumentName, opener: Opener): Promise<Read> => READERS[name](opener);

/** The error for a file of the backup that cannot be read. */
export function unreadableError(name: string, cause: unknown): BackupError {
  const what = `${name} of the backup cannot be read (${messageOf(cause)}): nothing was changed; take another backup`;
  return new BackupError('Damaged', what, { cause, parameters: { file: name } });
}

/**
 * @param unpacked folder of the backup's files @param opener opens the secrets of these files
 * @throws {BackupError} `Damaged`
 */
export async function requireDocuments(unpacked: string, opener: Opener): Promise<void> {
  for (const name of DOCUMENTS) {
    const read = await loadReader(name, opener);
    try {
      const bytes = readPlainFileIfAny(join(unpacked, name), MAX_DOCUMENT_BYTES);
      if (bytes !== null) read(bytes);
    } catch (cause) {
      throw unreadableError(name, cause);
    }
  }
}
