/** The configuration of one server of the hub: TLS on every port, accounts that are pushed while it runs. */
import type { HubServer } from './keys.ts';

const MIB = 1024 * 1024;
/** As that of a store's master. */
const MAX_PAYLOAD_BYTES = MIB;
const HANDSHAKE_SECONDS = 10;
/**
 * How often the servers ask each other for accounts that one of them has missed: so long a server that was away lets in who was cut
 * off meanwhile. Where no server lacks anything it is one message with a checksum.
 */
const COMPARE = '5s';

interface HubServerSettings {
  readonly chain: string;
  readonly server: HubServer;
  readonly all: readonly HubServer[];
  /** Folder of certificate and key, on the server. */
  readonly etc: string;
  /** Folder of what the server keeps. */
  readonly data: string;
  readonly operator: string;
  readonly system: { readonly key: string; readonly claim: string };
  readonly account: { readonly key: string; readonly claim: string };
}

const text = (value: string): string => JSON.stringify(value);

const withBrackets = (host: string): string => (host.includes(':') ? `[${host}]` : host);
export const addressAt = ({ hosts }: HubServer, port: number): string => `${withBrackets(hosts[0] ?? '')}:${port}`;

export function hubServerConfig(settings: HubServerSettings): string {
  const { chain, server, all, etc, data, operator, system, account } = settings;
  const { ports, listen } = server;
  const pair = `cert_file: ${text(`${etc}/server.pem`)}, key_file: ${text(`${etc}/server.key`)}`;
  const tls = `{ ${pair}, timeout: ${HANDSHAKE_SECONDS} }`;
  const mutual = `{ ${pair}, ca_file: ${text(`${etc}/authority.pem`)}, verify: true, timeout: ${HANDSHAKE_SECONDS} }`;
  const routes = all
    .filter(({ name }) => name !== server.name)
    .map((each) => text(`tls://${addressAt(each, each.ports.cluster)}`));
  const at = (port: number): string => text(`${withBrackets(listen)}:${port}`);
  const cluster = `cluster: { name: ${text(chain)}, listen: ${at(ports.cluster)}, tls: ${mutual}, routes: [${routes.join(', ')}] }`;
  return `${[
    '# Written by scripts/chain.sh; changes are lost when it is written anew.',
    `server_name: ${text(server.name)}`,
    `listen: ${at(ports.client)}`,
    `https: ${at(ports.monitor)}`,
    `max_payload: ${MAX_PAYLOAD_BYTES}`,
    `tls: ${tls}`,
    `jetstream: { store_dir: ${text(`${data}/store`)}, domain: chain }`,
    ...(all.length === 1 ? [] : [cluster]),
    `leafnodes: { listen: ${at(ports.leaf)}, tls: ${tls} }`,
    `operator: ${operator}`,
    `system_account: ${system.key}`,
    `resolver: { type: full, dir: ${text(`${data}/accounts`)}, allow_delete: false, interval: ${text(COMPARE)} }`,
    `resolver_preload: {\n  ${system.key}: ${system.claim}\n  ${account.key}: ${account.claim}\n}`,
  ].join('\n')}\n`;
}
