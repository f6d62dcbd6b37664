/**
 * Makes the configuration of the master's `nats-server`, which is rewritten when a device is paired or revoked. Opens
 * the certificate by which slaves recognise the master, in the two files that the server reads.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isCode } from '../../../drivers/lib/errors.ts';
import {
  isStoreError,
  lastSetAside,
  pathExists,
  readPlainFile,
  replaceFile,
  setAside,
} from '../../core/files/index.ts';
import { CertificateError, MAX_CERTIFICATE_FILE_BYTES, makeCertificate, selfSignedPair } from '../../core/tls/index.ts';
import { MASTER_NAME } from './connect.ts';
import {
  BUCKETS,
  bucketInfo,
  bucketInfoAtServer,
  CENTRE_ACCOUNT,
  HINTS,
  NEWS,
  PAIR_PERMISSIONS,
  PAIR_USER,
  type Permissions,
  permissionsOf,
  SERVICES,
  STORE_ACCOUNT,
} from './subjects.ts';

const KEY_FILE = 'key.pem';
const CERTIFICATE_FILE = 'certificate.pem';

const MIB = 1024 * 1024;
/** More than the largest template; the server itself refuses larger messages. */
const MAX_PAYLOAD_BYTES = MIB;
/** Many times the dozen lanes of a store; the limit keeps a stranger from opening all sockets. */
const MAX_CONNECTIONS = 128;
const HANDSHAKE_SECONDS = 10;
const MEMORY_MIB = 16;
/**
 * Room for the other buckets in files: a centre full of templates must still accept the tombstones that free room.
 */
const SPARE_MIB = 160;

interface ServerSettings {
  readonly serial: string;
  readonly host: string;
  readonly port: number;
  readonly folder: string;
  /** Room of the templates, MiB. */
  readonly storageMb: number;
  /** Public key of the user with all rights at the centre. */
  readonly masterKey: string;
  /** Members, the master's own member included. `isStopped`: the device has filled its share of the room. */
  readonly devices: readonly { readonly serial: string; readonly key: string; readonly isStopped?: boolean }[];
  /** Password with which an unpaired device may ask to be paired; null: none may ask. */
  readonly pairingSecret: string | null;
}

const text = (value: string): string => JSON.stringify(value);
const list = (values: readonly string[]): string => `[${values.map(text).join(', ')}]`;

const permissions = ({ publish, subscribe }: Permissions): string =>
  `permissions: { publish: { allow: ${list(publish)} }, subscribe: { allow: ${list(subscribe)} } }`;

const service = (subject: string): string => `{ service: ${text(subject)} }`;
const stream = (subject: string): string => `{ stream: ${text(subject)} }`;
const of = (account: string, subject: string): string => `{ account: ${account}, subject: ${text(subject)} }`;

const block = (lines: readonly string[]): string => `[\n    ${lines.join('\n    ')}\n  ]`;

function centreUsers({ masterKey, pairingSecret }: ServerSettings): string[] {
  const master = `{ nkey: ${text(masterKey)} }`;
  if (pairingSecret === null) return [master];
  return [master, `{ user: ${text(PAIR_USER)}, password: ${text(pairingSecret)}, ${permissions(PAIR_PERMISSIONS)} }`];
}

/** The account of the buckets, and the requests that devices may make of them. */
function centreAccount(settings: ServerSettings): string {
  const services = [...SERVICES, ...BUCKETS.map(bucketInfoAtServer)];
  const mappings = BUCKETS.map((bucket) => `${text(bucketInfo(bucket))}: ${text(bucketInfoAtServer(bucket))}`);
  return [
    `${CENTRE_ACCOUNT}: {`,
    '  jetstream: enabled',
    `  users: ${block(centreUsers(settings))}`,
    `  exports: ${block([...services.map(service), stream(NEWS)])}`,
    `  imports: [ { stream: { account: ${STORE_ACCOUNT}, subject: ${text(HINTS)} } } ]`,
    // the master requests by the same subjects as the devices
    `  mappings: { ${mappings.join(', ')} }`,
    '}',
  ].join('\n');
}

function storeAccount({ devices }: ServerSettings): string {
  const from = (subject: string): string => of(CENTRE_ACCOUNT, subject);
  const users = devices.map(
    ({ serial, key, isStopped }) => `{ nkey: ${text(key)}, ${permissions(permissionsOf(serial, isStopped))} }`,
  );
  const imports = [
    ...SERVICES.map((subject) => `{ service: ${from(subject)} }`),
    ...BUCKETS.map((bucket) => `{ service: ${from(bucketInfoAtServer(bucket))}, to: ${text(bucketInfo(bucket))} }`),
    `{ stream: ${from(NEWS)} }`,
  ];
  return [
    `${STORE_ACCOUNT}: {`,
    `  users: ${block(users)}`,
    `  exports: [ { stream: ${text(HINTS)} } ]`,
    `  imports: ${block(imports)}`,
    '}',
  ].join('\n');
}

/** Folder of everything that the server stores. */
export const storeFolder = (folder: string): string => `${folder}/store`;

/**
 * Removes the store, while no server runs; devices then publish their templates again.
 * @throws the file system's error
 */
export const removeStore = (folder: string): void => rmSync(storeFolder(folder), { recursive: true, force: true });

export function serverConfig(settings: ServerSettings): string {
  const { serial, host, port, folder, storageMb } = settings;
  const store = [
    `store_dir: ${text(storeFolder(folder))}`,
    // in bytes: the server reads M as a million
    `max_mem: ${MEMORY_MIB * MIB}`,
    `max_file: ${(storageMb + SPARE_MIB) * MIB}`,
  ];
  return `${[
    '# Written by Laneware; changes are lost.',
    `server_name: ${text(`master-store-${serial.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`)}`,
    `host: ${text(host)}`,
    `port: ${port}`,
    `pid_file: ${text(`${folder}/server.pid`)}`,
    `max_payload: ${MAX_PAYLOAD_BYTES}`,
    `max_connections: ${MAX_CONNECTIONS}`,
    `tls: { cert_file: ${text(`${folder}/${CERTIFICATE_FILE}`)}, key_file: ${text(`${folder}/${KEY_FILE}`)}, timeout: ${HANDSHAKE_SECONDS} }`,
    `jetstream: { ${store.join(', ')} }`,
    `authorization: { timeout: ${HANDSHAKE_SECONDS} }`,
    `accounts: {\n${[centreAccount, storeAccount].map((write) => write(settings)).join('\n')}\n}`,
  ].join('\n')}\n`;
}

export interface MasterCertificate {
  /** PEM. */
  readonly certificate: string;
  /** A sentence on what a person must do; null when all is well. */
  readonly problem: string | null;
}

const read = (path: string): string => readPlainFile(path, MAX_CERTIFICATE_FILE_BYTES).toString('latin1');

const IS_NO_FILE = ['ENOENT', 'EISDIR', 'ELOOP', 'ENXIO'];

/**
 * Whether an error means that the files are damaged or missing, and not, for example, that the card cannot be read now.
 */
const isDamage = (error: unknown): boolean =>
  error instanceof CertificateError || isStoreError(error, 'NOT_PLAIN', 'TOO_LARGE') || isCode(error, ...IS_NO_FILE);

/**
 * The certificate in the two files; null where one is missing or damaged, or the key does not belong to it.
 * @throws the file system's error
 */
function present(certificate: string, key: string): string | null {
  try {
    return selfSignedPair(read(certificate), read(key)).certificate;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return null;
  }
}

function problemOf(paths: readonly string[]): string | null {
  const aside = paths.map((path) => lastSetAside(path)).find((path) => path !== null) ?? null;
  return aside === null
    ? null
    : `the master's certificate was damaged and set aside as ${aside}: a new one was made, so pair the slaves anew, then move that file away`;
}

/** Reads the master's certificate, or makes a new one where it cannot be used. @throws the file system's error */
export function openMasterCertificate(folder: string): MasterCertificate {
  const paths = [join(folder, KEY_FILE), join(folder, CERTIFICATE_FILE)] as const;
  const [key, certificate] = paths;
  const usable = present(certificate, key);
  if (usable !== null) return { certificate: usable, problem: problemOf(paths) };
  // an interrupted first start leaves only a key, which no device knows yet: it is overwritten
  if (pathExists(certificate)) for (const path of paths) if (pathExists(path)) setAside(path, Date.now());
  const made = makeCertificate([MASTER_NAME]);
  replaceFile(key, made.key);
  replaceFile(certificate, made.certificate);
  return { certificate: made.certificate, problem: problemOf(paths) };
}
