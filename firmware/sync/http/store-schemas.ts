/** Schemas of the calls for the store's page. */
import Type, { type Static } from 'typebox';
import { MASTER_PORT, ROLES } from '../../core/config/index.ts';
import { orNull, patternWithMessage } from '../../core/schema/index.ts';
import { ItemId } from '../../recognition/index.ts';

export const directions = {
  upload: Type.Boolean({ description: 'whether this device shares its own templates' }),
  download: Type.Boolean({ description: 'whether it takes those of others' }),
};

export const HostField = Type.String({
  title: 'MasterHost',
  minLength: 1,
  maxLength: 253,
  pattern: patternWithMessage('^[A-Za-z0-9.:_-]+$', 'must be a name or an address, as 192.168.0.7'),
  description: 'address or host name of the master in the network',
});

const PairingPicture = Type.Object(
  {
    size: Type.Integer({ description: 'side of the view box' }),
    path: Type.String({ description: '`d` of a path that fills the dark modules' }),
  },
  {
    title: 'PairingPicture',
    description: 'the code and the address of this master, to be held before the camera of the device that joins',
  },
);
export const CodeField = Type.String({ description: 'to be given to slaves; any number of them may use it' });
export const pairing = { seconds: Type.Integer({ description: 'how long it is valid' }), qr: PairingPicture };

const msOrNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });
/** A device's state in its store. */
export const SyncStatus = {
  role: Type.Enum(ROLES, { title: 'SyncRole' }),
  paired: Type.Boolean({ description: 'false: a slave that waits to be paired' }),
  masterSN: Type.String({ description: 'empty where it is not known' }),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'why it does not work; null when it does' }),
  lastSuccess: msOrNull('of the last synchronisation, milliseconds since 1970'),
  lag: msOrNull('milliseconds since then'),
  pending: Type.Integer({ description: 'templates that the limit left for the next synchronisation' }),
  devices: Type.Array(
    Type.Object({
      sn: Type.String(),
      version: Type.String(),
      upload: Type.Boolean(),
      download: Type.Boolean(),
      templates: Type.Integer(),
      pending: Type.Integer(),
      silent: msOrNull('milliseconds since it synchronised; null: not since the start'),
      conflict: Type.Boolean({ description: 'whether two devices have shown this serial number lately' }),
    }),
    { description: 'of a master: every device of its store, itself first' },
  ),
};

/** Reasons of `/health` that the page of the store also shows. */
const ON_PAGE = [
  'sync-settings-damaged',
  'sync-devices-damaged',
  'sync-marks-lost',
  'sync-other-master',
  'sync-not-known',
  'sync-unpaired',
  'sync-no-answer',
] as const;
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
  reason: orNull(Type.Enum(ON_PAGE), 'what `/health` says of it, where the page of the store says it, too'),
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
