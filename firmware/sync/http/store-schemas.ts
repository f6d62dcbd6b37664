/** Shapes of the calls of the store under `/v1`. */
import Type, { type Static } from 'typebox';
import { MASTER_PORT } from '../../core/config/index.ts';
import { orNull, patternWithMessage } from '../../core/store/index.ts';
import { ItemId } from '../../recognition/index.ts';
import { CodeField, directions, HostField, pairing, SyncStatus } from './schemas.ts';

const SERIAL = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'serial number, as `GET /console/api/store` returns it',
});
const serials = (description: string) => Type.Array(Type.String(), { description });
const shared = { upload: Type.Optional(directions.upload), download: Type.Optional(directions.download) };

export const WipeView = Type.Object({
  id: Type.String(),
  devices: serials('serial numbers of those that were of the store then: they forget'),
  done: serials('those of them that have forgotten everything'),
});

export const StoreView = Type.Object({
  ...SyncStatus,
  address: orNull(Type.String(), 'of a slave: where its master is'),
  ...directions,
  wipe: orNull(WipeView, 'of a master: the latest deletion of everything; null where there was none'),
});
export type StoreState = Static<typeof StoreView>;

export const SharingBody = Type.Object(shared, {
  description: 'both where they are left out',
  additionalProperties: false,
  examples: [{ upload: true, download: true }],
});
export const MasterOfBody = Type.Object(
  {
    host: HostField,
    port: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 65_535, description: `of the master; ${MASTER_PORT} where it is left out` }),
    ),
    code: Type.String({ minLength: 1, maxLength: 64, description: 'pairing code, as the master shows it' }),
    ...shared,
  },
  {
    additionalProperties: false,
    examples: [{ host: '127.0.0.1', code: '0123-4567-89AB-CDEF-GHJK' }],
  },
);

export const PairingCodeView = Type.Object({ code: CodeField, ...pairing });
export type PairingCode = Static<typeof PairingCodeView>;

export const DevicePath = Type.Object({ serial: SERIAL });
export const MarkPath = Type.Object({ item: ItemId });
export const WipePath = Type.Object({
  id: Type.String({
    pattern: patternWithMessage('^[A-Za-z0-9-]{8,64}$', 'must have 8 to 64 Latin letters, digits and hyphens'),
    description: 'of this deletion, made up by the caller: sent again, as after a lost answer, it deletes nothing more',
  }),
});
export const WipeBody = Type.Object(
  {
    master: Type.String({
      maxLength: 64,
      description: '`masterSN` of `GET /console/api/store`, as a person has typed it',
    }),
  },
  { additionalProperties: false, examples: [{ master: 'LW000042' }] },
);

const MarkView = Type.Object({ item: ItemId, done: serials('of the devices that have deleted it') });
export const MarkList = Type.Object({
  marks: Type.Array(MarkView, { description: 'the latest first' }),
  ended: Type.Array(MarkView, {
    description: 'those that a restart of the machine has ended, until they are set again or taken away',
  }),
});
export type Marks = Static<typeof MarkList>;
