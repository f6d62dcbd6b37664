/** Backups: one file of all that the device keeps, sealed by a passphrase, out and in. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { type Backups, type Mark, MIN_PASSPHRASE } from '../../backup/index.ts';
import {
  DOWNLOAD_RATE,
  type DownloadRate,
  noteForAudit,
  requirePrivacy,
  requireTaking,
  type TypeBoxProvider,
  UPLOAD_RATE,
  type UploadRate,
} from '../../http/index.ts';
import { FORM_BYTES, refusals, withFailureCodes } from '../../recognition/index.ts';
import { BackupBody, BackupsAnswer, RestoreAnswer, RestoreBody } from './backup-schemas.ts';
import { acceptBackups, MAX_BACKUP_BYTES, receiveBackup } from './restore-form.ts';

const WRITING = ['Internal.StorageFull', 'Internal.StorageRefused'] as const;
const BACKUP_TYPE = 'application/octet-stream';

const iso = (ms: number): string => new Date(ms).toISOString();

const aboutOf = ({ version, device, madeAt, isOwn, unopened }: Mark) => ({
  version,
  device,
  madeAt,
  sameBoard: isOwn,
  unopened,
});

/** Of letters that every system takes in a name. */
const fileNameOf = (device: string, at: string): string =>
  `laneware-${device.replaceAll(/[^\w-]/g, '-')}-${at.slice(0, 16).replaceAll(':', '-')}.backup`;

function stateOf(backups: Backups): Static<typeof BackupsAnswer> {
  const { last } = backups;
  return {
    minPassphrase: MIN_PASSPHRASE,
    ready: backups.isReady,
    last: last && { ...aboutOf(last), at: iso(last.at), restored: last.lost === null, before: last.before },
  };
}

export interface BackupLimits {
  /** Of a file that is put back. */
  readonly maxBytes?: number;
  readonly upload?: UploadRate;
  readonly download?: DownloadRate;
}

export async function addBackupRoutes(
  plain: FastifyInstance,
  backups: Backups,
  { maxBytes = MAX_BACKUP_BYTES, upload = UPLOAD_RATE, download = DOWNLOAD_RATE }: BackupLimits = {},
): Promise<void> {
  addState(plain, backups);
  addMaking(plain, backups, download);
  await addRestore(plain, backups, { maxBytes, upload });
}

function addState(plain: FastifyInstance, backups: Backups): void {
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/console/api/backups',
    {
      schema: {
        operationId: 'getBackups',
        tags: ['device'],
        summary: 'What became of the last backup that was put back',
        description: 'The device keeps no backups itself: the caller who makes one keeps its file.',
        response: { 200: BackupsAnswer },
      },
    },
    async () => stateOf(backups),
  );
}

function addMaking(plain: FastifyInstance, backups: Backups, rate: DownloadRate): void {
  plain.post<{ Body: Static<typeof BackupBody> }>(
    '/console/api/backups',
    {
      schema: {
        operationId: 'makeBackup',
        tags: ['device'],
        summary: 'All that the device keeps, as one file that opens with a passphrase',
        description:
          'Payments, refunds, settings with the secrets of the bank, items and what was learned, each database as it is at one moment; the lane goes on selling. What belongs to the board is not in it: its keys, tokens and certificates, its place in a store and a chain, its configuration and its audit trail.',
        body: BackupBody,
        response: {
          200: {
            description: 'the backup',
            content: { [BACKUP_TYPE]: { schema: { type: 'string', format: 'binary', description: 'the backup' } } },
          },
          ...refusals('Backups.Busy', ...WRITING),
        },
      },
    },
    async (request, reply) => {
      requirePrivacy(request, 'a backup is made');
      const made = await withFailureCodes(() => backups.make(request.body.passphrase));
      reply.raw.once('close', () => made[Symbol.dispose]());
      if (reply.raw.destroyed) made[Symbol.dispose](); // the caller has gone meanwhile
      noteForAudit(request, { files: made.files });
      requireTaking(request, reply, rate);
      return reply
        .headers({
          'cache-control': 'no-store',
          'content-length': made.bytes,
          'content-disposition': `attachment; filename="${fileNameOf(made.about.device, made.about.madeAt)}"`,
        })
        .type(BACKUP_TYPE)
        .send(Readable.from(made.content, { objectMode: false }));
    },
  );
}

/** A scope of its own, in which the body is a form with a file. */
async function addRestore(
  plain: FastifyInstance,
  backups: Backups,
  { maxBytes, upload }: Required<Pick<BackupLimits, 'maxBytes' | 'upload'>>,
): Promise<void> {
  await plain.register(async (scope) => {
    await acceptBackups(scope, maxBytes);
    scope.post(
      '/console/api/backups/restore',
      {
        bodyLimit: maxBytes + FORM_BYTES,
        config: { isUpload: true },
        // the body is streamed to files; the schema only describes it
        validatorCompiler: () => () => true,
        schema: {
          operationId: 'restoreBackup',
          tags: ['device'],
          summary: 'Put a backup back',
          description:
            'All of the file is read and judged before anything is touched; then the device starts anew, and has what the backup has. What was there is kept beside it. Another board than the one that made it takes payments and refunds over that were open then as ended, and asks no bank for them again: that board may be alive.',
          consumes: ['multipart/form-data'],
          body: RestoreBody,
          response: {
            200: RestoreAnswer,
            ...refusals(
              'Backups.WrongPassphrase',
              'Backups.Damaged',
              'Backups.TooNew',
              'Backups.NewerPayments',
              'Backups.Busy',
              ...WRITING,
            ),
          },
        },
      },
      async (request, reply): Promise<Static<typeof RestoreAnswer>> => {
        requirePrivacy(request, 'a backup is put back');
        const mark = await receiveBackup(request, reply, upload, backups);
        noteForAudit(request, { madeAt: mark.madeAt, of: mark.device, overNewerPayments: mark.isForced });
        reply.raw.once('finish', () => setImmediate(() => backups.restart()));
        return { ...aboutOf(mark), restarts: backups.restartsItself };
      },
    );
  });
}
