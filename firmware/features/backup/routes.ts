/** The calls of backups: they make and receive one sealed file of a device's data. */
import { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import {
  abortSlowDownload,
  acceptFiles,
  addAuditFacts,
  DOWNLOAD_RATE,
  HttpFailure,
  type LeastRate,
  readUpload,
  requirePrivacy,
  UPLOAD_RATE,
} from '../../core/http/index.ts';
import { maybe, orNull } from '../../core/schema/index.ts';
import { FORM_BYTES, formFailure, isPartAFile, passOverRest, withFailureCodes } from '../../recognition/index.ts';
import type { Backups } from './backups.ts';
import { MAX_PASSPHRASE, MIN_PASSPHRASE } from './sealed-stream.ts';
import type { Mark } from './swap.ts';

const BackupBody = Type.Object(
  {
    passphrase: Type.String({
      minLength: MIN_PASSPHRASE,
      maxLength: MAX_PASSPHRASE,
      description: 'opens the file again, and nothing else does: without it the backup is lost',
    }),
  },
  { additionalProperties: false, examples: [{ passphrase: 'seven lamps over the counter' }] },
);

const about = {
  version: Type.String({ description: 'release that has made it' }),
  device: Type.String({ description: 'serial number of the device that has made it' }),
  madeAt: Type.String({ description: 'when, by its clock (ISO 8601)' }),
  sameBoard: Type.Boolean({ description: 'whether it is the board that puts it back' }),
  unopened: Type.Integer({
    minimum: 0,
    description: 'secrets that could not be opened when it was made: the settings of the bank are to be sent again',
  }),
};

const RestoreBody = Type.Object({
  passphrase: Type.String({ minLength: 1, description: 'that it was sealed with; before the file' }),
  overNewerPayments: maybe(
    Type.String({
      description: '`true`: put it back also where the device knows payments that it does not; before the file',
    }),
  ),
  file: Type.Unsafe<unknown>({ type: 'string', format: 'binary', description: 'the backup; the last field' }),
});

const restarts = {
  restarts: Type.Boolean({
    description:
      'whether the device restarts by itself now, and has the backup then; if not, the person who started it must restart it',
  }),
};

export const RestoreAnswer = Type.Object({ ...about, ...restarts });

const RestartAnswer = Type.Object(restarts);

export const BackupsAnswer = Type.Object({
  lastMade: orNull(Type.String(), 'when the last backup was made that a caller has (ISO 8601); null where none was'),
  ready: Type.Boolean({ description: 'whether a backup waits for the next start' }),
  last: Type.Union(
    [
      Type.Object({
        ...about,
        at: Type.String({ description: 'when it was asked for (ISO 8601)' }),
        restored: Type.Boolean({
          description: 'false where payments had come in after the backup was sent: nothing was changed then',
        }),
        before: Type.String({ description: 'folder, in that of the data, of what was there before' }),
      }),
      Type.Null(),
    ],
    { description: 'the last one that was put back; null where none was' },
  ),
});

/** Many times the data of a lane in years. */
const MAX_BACKUP_BYTES = 4 * 1024 * 1024 * 1024;
const NO_FORM = 'the backup must be sent as multipart/form-data, in the field "file", after "passphrase"';
const MAX_PARTS = 10;
/** Russian letters take two bytes, others up to four. */
const MAX_FIELD_BYTES = MAX_PASSPHRASE * 4;

/** Lets a scope of its own receive uploads of backups. */
async function acceptBackups(scope: FastifyInstance): Promise<void> {
  acceptFiles(scope, {}, NO_FORM);
  await scope.register(multipart, {
    limits: { fileSize: MAX_BACKUP_BYTES, files: 1, fields: MAX_PARTS, fieldSize: MAX_FIELD_BYTES, parts: MAX_PARTS },
    isPartAFile,
    throwFileSizeLimit: false,
  });
}

async function receive(request: FastifyRequest, backups: Backups): Promise<Mark> {
  const fields = new Map<string, string>();
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      fields.set(part.fieldname, String(part.value));
      continue;
    }
    const passphrase = fields.get('passphrase') ?? '';
    if (passphrase === '')
      throw new HttpFailure('parameter', 'passphrase is missing: it must come before the file', {
        field: 'passphrase',
      });
    const isForced = fields.get('overNewerPayments') === 'true';
    const bytes = Number(request.headers['content-length'] ?? 0);
    try {
      return await backups.prepare({ file: part.file, passphrase, isForced }, bytes);
    } catch (error) {
      // a file over the limit ends early, as if it were cut
      if (part.file.truncated) throw new HttpFailure('too-large', 'the backup is larger than any that a lane makes');
      throw error;
    }
  }
  throw new HttpFailure('parameter', 'file is missing: it must be that of a backup', { field: 'file' });
}

/**
 * Receives an upload: a form with the passphrase and then the file, which is read as a stream and judged at its end.
 * @throws {HttpFailure} @throws {BackupError} @throws {RecognitionError} of the storage
 */
async function receiveBackup(
  request: FastifyRequest,
  reply: FastifyReply,
  rate: LeastRate,
  backups: Backups,
): Promise<Mark> {
  if (!request.isMultipart()) throw new HttpFailure('media-type', NO_FORM);
  try {
    return await withFailureCodes(() => readUpload(request, reply, rate, () => receive(request, backups)));
  } catch (error) {
    passOverRest(request);
    throw formFailure(error);
  }
}

/** Names the damaged documents that a backup lacks; empty for none. */
const LEFT_OUT_HEADER = 'laneware-left-out';
const BACKUP_TYPE = 'application/octet-stream';

const iso = (ms: number): string => new Date(ms).toISOString();

const aboutOf = ({ version, device, madeAt, isOwn, unopened }: Mark) => ({
  version,
  device,
  madeAt,
  sameBoard: isOwn,
  unopened,
});

/** A file name with only characters that every system accepts. */
const fileNameOf = (device: string, at: string): string =>
  `laneware-${device.replaceAll(/[^\w-]/g, '-')}-${at.slice(0, 16).replaceAll(':', '-')}.backup`;

function stateOf(backups: Backups): Static<typeof BackupsAnswer> {
  const { last, lastMade } = backups;
  return {
    lastMade,
    ready: backups.isReady,
    last: last && { ...aboutOf(last), at: iso(last.at), restored: last.lost === null, before: last.before },
  };
}

export interface BackupLimits {
  readonly upload?: LeastRate;
  readonly download?: LeastRate;
}

export async function addBackupRoutes(
  app: FastifyInstance,
  backups: Backups,
  { upload = UPLOAD_RATE, download = DOWNLOAD_RATE }: BackupLimits = {},
): Promise<void> {
  app.get(
    '/console/api/backups',
    { config: { role: 'technician' }, schema: { response: { 200: BackupsAnswer } } },
    async () => stateOf(backups),
  );
  addReady(app, backups);
  addMaking(app, backups, download);
  await addRestore(app, backups, upload);
}

/** Restarts the device after the answer, also where the caller has not waited for it: the request was made. */
function restartAfter({ raw }: FastifyReply, backups: Backups): Static<typeof RestartAnswer> {
  const restart = () => setImmediate(() => backups.restart());
  if (raw.destroyed) restart();
  else raw.once('close', restart);
  return { restarts: backups.restartsItself };
}

/** The calls of a prepared restore that still waits, for example because a start could not apply it. */
function addReady(app: FastifyInstance, backups: Backups): void {
  const url = '/console/api/backups/ready';
  const requireReady = (): void => {
    if (!backups.isReady) throw new HttpFailure('not-found', 'no backup is ready to be put back');
  };

  app.post(
    url,
    {
      config: { role: 'technician', audit: { event: 'backup-put-back' } },
      schema: { response: { 200: RestartAnswer } },
    },
    async (_request, reply) => {
      requireReady();
      return restartAfter(reply, backups);
    },
  );

  app.delete(
    url,
    {
      config: { role: 'technician', audit: { event: 'backup-discarded' } },
      schema: { response: { 200: BackupsAnswer } },
    },
    async () => {
      requireReady();
      await withFailureCodes(async () => backups.discard());
      return stateOf(backups);
    },
  );
}

function addMaking(app: FastifyInstance, backups: Backups, rate: LeastRate): void {
  app.post<{ Body: Static<typeof BackupBody> }>(
    '/console/api/backups',
    {
      config: { role: 'technician', audit: { event: 'backup-made' } }, // it holds all secrets; the handler adds the files
      schema: {
        body: BackupBody,
        response: {
          200: {
            description: 'the backup',
            content: { [BACKUP_TYPE]: { schema: { type: 'string', format: 'binary', description: 'the backup' } } },
          },
        },
      },
    },
    async (request, reply) => {
      requirePrivacy(request, 'a backup is made');
      const made = await withFailureCodes(() => backups.make(request.body.passphrase));
      reply.raw.once('finish', () => backups.recordDownload(made));
      reply.raw.once('close', () => made[Symbol.dispose]());
      if (reply.raw.destroyed) made[Symbol.dispose](); // the caller has gone
      addAuditFacts(request, { files: made.files, ...(made.damaged.length > 0 && { damaged: made.damaged }) });
      abortSlowDownload(request, reply, rate);
      return reply
        .headers({
          'cache-control': 'no-store',
          'content-length': made.bytes,
          [LEFT_OUT_HEADER]: made.damaged.join(', '),
          'content-disposition': `attachment; filename="${fileNameOf(made.about.device, made.about.madeAt)}"`,
        })
        .type(BACKUP_TYPE)
        .send(Readable.from(made.content, { objectMode: false }));
    },
  );
}

/** Adds the restore in a scope of its own, in which the body is a form with a file. */
async function addRestore(app: FastifyInstance, backups: Backups, upload: LeastRate): Promise<void> {
  await app.register(async (scope) => {
    await acceptBackups(scope);
    scope.post(
      '/console/api/backups/restore',
      {
        bodyLimit: MAX_BACKUP_BYTES + FORM_BYTES,
        config: { isUpload: true, role: 'technician', audit: { event: 'backup-put-back' } }, // the handler adds which
        // the body is streamed to files; the schema only describes it
        validatorCompiler: () => () => true,
        schema: {
          consumes: ['multipart/form-data'],
          body: RestoreBody,
          response: {
            200: RestoreAnswer,
          },
        },
      },
      async (request, reply): Promise<Static<typeof RestoreAnswer>> => {
        requirePrivacy(request, 'a backup is put back');
        const mark = await receiveBackup(request, reply, upload, backups);
        addAuditFacts(request, { madeAt: mark.madeAt, of: mark.device, overNewerPayments: mark.isForced });
        return { ...aboutOf(mark), ...restartAfter(reply, backups) };
      },
    );
  });
}
