/** Schemas of the calls of backups. */
import Type from 'typebox';
import { maybe, orNull } from '../../core/store/index.ts';
import { MAX_PASSPHRASE, MIN_PASSPHRASE } from './sealed-stream.ts';

export const BackupBody = Type.Object(
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

export const RestoreBody = Type.Object({
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

export const RestartAnswer = Type.Object(restarts);

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
