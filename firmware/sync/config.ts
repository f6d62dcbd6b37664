/** Configuration of synchronisation: where a master listens. */
import Type, { type Static } from 'typebox';
import { type ConfigPart, closed, MASTER_PORT, port } from '../core/config/index.ts';

const SyncConfig = Type.Object(
  {
    host: Type.String({
      default: '0.0.0.0',
      description: "address that a master's server listens on",
    }),
    port: port(MASTER_PORT),
  },
  closed,
);
export type SyncConfig = Static<typeof SyncConfig>;

export const SYNC_CONFIG: ConfigPart<typeof SyncConfig> = {
  key: 'sync',
  after: 'banks',
  schema: SyncConfig,
  listens: () => false, // it listens only once it is a master
};
