/** The configuration of the master's `nats-server`, written anew whenever a device is paired or its credential is taken. */
import { PAIR_PERMISSIONS, PAIR_USER, type Permissions, permissionsOf } from './subjects.ts';

const MIB = 1024 * 1024;
/** The largest template with room to spare; larger messages are refused by the server itself. */
const MAX_PAYLOAD_BYTES = MIB;
/** A store has a dozen lanes; a stranger cannot take all sockets. */
const MAX_CONNECTIONS = 128;
const HANDSHAKE_SECONDS = 10;
const MEMORY_MIB = 16;
/** The first release that can sync each write to disk. */
const SYNCS_SINCE: readonly [number, number] = [2, 10];

export interface Leaf {
  readonly url: string;
  /** PEM file of the authority that the chain's certificate hangs on; null: the system's own. */
  readonly caFile: string | null;
}

export interface ServerSettings {
  readonly serial: string;
  readonly host: string;
  readonly port: number;
  readonly folder: string;
  readonly storageMb: number;
  /** Public key of the master's own client, which may do everything. */
  readonly masterKey: string;
  readonly devices: readonly { readonly serial: string; readonly key: string }[];
  /** What an unpaired device may show meanwhile; null: nothing. */
  readonly pairingSecret: string | null;
  readonly leaf: Leaf | null;
  /** Of the program, as "2.9.10". */
  readonly version: string;
}

const text = (value: string): string => JSON.stringify(value);
const list = (values: readonly string[]): string => `[${values.map(text).join(', ')}]`;

const permissions = ({ publish, subscribe }: Permissions): string =>
  `permissions: { publish: { allow: ${list(publish)} }, subscribe: { allow: ${list(subscribe)} } }`;

function users({ masterKey, devices, pairingSecret }: ServerSettings): string[] {
  const lines = [`{ nkey: ${text(masterKey)} }`];
  for (const { serial, key } of devices) lines.push(`{ nkey: ${text(key)}, ${permissions(permissionsOf(serial))} }`);
  if (pairingSecret !== null)
    lines.push(`{ user: ${text(PAIR_USER)}, password: ${text(pairingSecret)}, ${permissions(PAIR_PERMISSIONS)} }`);
  return lines;
}

function canSyncAlways(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > SYNCS_SINCE[0] || (major === SYNCS_SINCE[0] && minor >= SYNCS_SINCE[1]);
}

function leafLines({ leaf }: ServerSettings): string[] {
  if (leaf === null) return [];
  const tls = leaf.caFile === null ? '' : `, tls: { ca_file: ${text(leaf.caFile)} }`;
  return [`leafnodes: { remotes: [ { url: ${text(leaf.url)}${tls} } ] }`];
}

/** A name that the chain finds this store by: letters and digits only, as JetStream wants its domains. */
export const domainOf = (serial: string): string => `store-${serial.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`;

export function serverConfig(settings: ServerSettings): string {
  const { serial, host, port, folder, storageMb, version } = settings;
  const store = [
    `store_dir: ${text(`${folder}/store`)}`,
    `max_mem: ${MEMORY_MIB}M`,
    `max_file: ${storageMb}M`,
    ...(canSyncAlways(version) ? ['sync_interval: always'] : []),
    ...(settings.leaf === null ? [] : [`domain: ${text(domainOf(serial))}`]),
  ];
  return `${[
    '# Written by Laneware; changes are lost.',
    `server_name: ${text(`master-${domainOf(serial)}`)}`,
    `host: ${text(host)}`,
    `port: ${port}`,
    `pid_file: ${text(`${folder}/server.pid`)}`,
    `max_payload: ${MAX_PAYLOAD_BYTES}`,
    `max_connections: ${MAX_CONNECTIONS}`,
    `tls: { cert_file: ${text(`${folder}/certificate.pem`)}, key_file: ${text(`${folder}/key.pem`)}, timeout: ${HANDSHAKE_SECONDS} }`,
    `jetstream: { ${store.join(', ')} }`,
    `authorization: { timeout: ${HANDSHAKE_SECONDS}, users: [\n  ${users(settings).join('\n  ')}\n] }`,
    ...leafLines(settings),
  ].join('\n')}\n`;
}
