/** What leaves the folder of keys: the files of each server, and the file with which a store joins. */
import { mkdirSync } from 'node:fs';
import type { JoinFile } from '../../firmware/chain/join-file.ts';
import { replaceFile } from '../../firmware/store/durable-file.ts';
import { makeServerCertificate } from './certificates.ts';
import { chainClaim, leafCredentials, operatorClaim, systemClaim } from './claims.ts';
import { type HubServer, type KeyFolder, pairOf, type StoreKeys } from './keys.ts';
import { addressAt, hubServerConfig } from './server-config.ts';

const OWNER_ONLY_FOLDER = 0o700;
/** Where the files lie on a server, and where it keeps what it holds: as `systemd/laneware-nats.service` has it. */
const ETC = '/etc/laneware';
const DATA = '/var/lib/laneware-nats';

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
  return path;
}

/**
 * Writes the folder of each server, with a new certificate.
 * @param here whether the servers run where the files are, as to try a chain out
 * @returns the folders
 */
export async function writeServers(folder: KeyFolder, here: boolean): Promise<string[]> {
  const { keys } = folder;
  const [operator, system, account] = [pairOf(keys.operator), pairOf(keys.system), pairOf(keys.account)];
  const claims = {
    operator: await operatorClaim(keys.chain, operator, system),
    system: { key: system.getPublicKey(), claim: await systemClaim(system, operator) },
    account: { key: account.getPublicKey(), claim: await chainClaim(account, operator) },
  };
  const write = async (server: HubServer): Promise<string> => {
    const path = makeFolder(folder.at('servers', server.name));
    const places = here ? { etc: path, data: makeFolder(folder.at('data', server.name)) } : { etc: ETC, data: DATA };
    const pair = await makeServerCertificate(keys.authority, server.name, server.hosts);
    replaceFile(`${path}/authority.pem`, keys.authority.certificate);
    replaceFile(`${path}/server.pem`, pair.certificate);
    replaceFile(`${path}/server.key`, pair.key);
    replaceFile(
      `${path}/nats.conf`,
      hubServerConfig({ chain: keys.chain, server, all: keys.servers, ...places, ...claims }),
    );
    return path;
  };
  const paths: string[] = [];
  for (const server of keys.servers) paths.push(await write(server));
  return paths;
}

/** Writes a new credential of a store. @returns the file */
export async function writeJoinFile(folder: KeyFolder, { name, seed }: StoreKeys): Promise<string> {
  const { chain, servers, authority, signing } = folder.keys;
  const store = pairOf(seed);
  const { credentials, user } = await leafCredentials(name, store);
  const file: JoinFile = {
    kind: 'laneware-chain-1',
    chain,
    store: name,
    account: store.getPublicKey(),
    servers: servers.map((server) => addressAt(server, server.ports.leaf)),
    authority: authority.certificate,
    signingKey: signing.publicKey,
    credentials,
  };
  const path = folder.at('joins', `${name}.json`);
  makeFolder(folder.at('joins'));
  replaceFile(path, `${JSON.stringify(file, null, 2)}\n`);
  folder.keepLeaf(name, user);
  return path;
}
