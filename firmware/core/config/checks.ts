/** Checks that the schema of the configuration cannot express: each returns its problems in sentences that name the key. */
import { isIP } from 'node:net';
import { isNamedTill } from './choices.ts';
import { isLoopbackHost } from './loopback.ts';
import type { ConfigPart } from './part.ts';
import { type Config, configOf } from './schema.ts';

type Check = (config: Config) => readonly (string | null)[];

const networks: Check = ({ api }) =>
  api.allow.map((network) => {
    const [address = '', bits, ...rest] = network.split('/');
    const family = isIP(address);
    const widest = family === 6 ? 128 : 32;
    const bitsFit = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= widest);
    return family > 0 && bitsFit && rest.length === 0
      ? null
      : `api.allow: "${network}" is no network; write it as 192.168.1.0/24`;
  });

const HOST_NAME = /^[^\s:/?#@[\]\\*]+$/;
export const isHost = (host: string): boolean => HOST_NAME.test(host) || isIP(host) === 6;

const hosts: Check = ({ api }) =>
  api.hosts.map((host) =>
    isHost(host)
      ? null
      : `api.hosts: "${host}" is no host name; write it as lane-7.shop.example, without scheme and port`,
  );

/** A server of the device: its key, its address, and whether it listens from the start. */
interface Server {
  readonly key: string;
  readonly at: { readonly host: string; readonly port: number };
  readonly listens: boolean;
}

function serversOf(config: Config, parts: readonly ConfigPart[]): Server[] {
  const own = (['terminal', 'recognition'] as const).map((key) => ({ key, at: config[key], listens: true }));
  const ofParts = parts.flatMap((part) => {
    const at = configOf(part, config);
    return part.listens === undefined ? [] : [{ key: part.key, at: at as Server['at'], listens: part.listens(at) }];
  });
  return [...own, ...ofParts];
}

const addresses = (servers: readonly Server[]) =>
  servers.map(({ key, at }) =>
    isHost(at.host)
      ? null
      : `${key}.host: must be an address of this machine, as 127.0.0.1, or 0.0.0.0 for all of them, without scheme and port`,
  );

/** Ports of the servers that listen from the start must differ. Port 0 lets the system choose a free one. */
function ports(servers: readonly Server[]) {
  const started = servers.filter(({ listens }) => listens);
  return started.map(({ key, at: { port } }, index) => {
    const other = started.slice(0, index).find(({ at }) => port !== 0 && at.port === port);
    return other === undefined ? null : `${key}.port: is the port of ${other.key} too (${port}); choose another`;
  });
}

const tokens: Check = ({ api: { token, tokens } }) => [
  tokens.till !== null && [token, tokens.technician].includes(tokens.till)
    ? "api.tokens.till: is the technician's too, so it would open everything; choose another"
    : null,
];

/** Names and tokens of tills must be unique: the name says whose the payments are, the token who calls. */
const tills: Check = ({ api: { token, tokens, tills } }) =>
  tills.flatMap(({ name, token: own }, index) => {
    const before = tills.slice(0, index);
    const hasOthers = [token, tokens.till, tokens.technician, ...before.map((till) => till.token)].includes(own);
    const isNamedBefore = before.some((till) => till.name.toLowerCase() === name.toLowerCase());
    const isFree = isNamedTill(name.toLowerCase());
    return [
      isFree ? null : `api.tills.${index}.name: is the name of the token in api.tokens; choose another`,
      isNamedBefore ? `api.tills.${index}.name: is the name of another till; choose another` : null,
      hasOthers ? `api.tills.${index}.token: is the token of somebody else, too; each till needs one of its own` : null,
    ];
  });

/** The spelling of the IANA list: the system's files are not found by another one, and an offset is no zone. */
const ZONE_NAME = /^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/;

/** This process's name of a time zone, possibly an older one: `Europe/Kiev` for `Europe/Kyiv`. Null for no zone. */
export function timeZoneOf(name: string): string | null {
  if (!ZONE_NAME.test(name)) return null;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    const isMisspelt = timeZone !== name && timeZone.toLowerCase() === name.toLowerCase();
    return isMisspelt ? null : timeZone;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Whether a time zone of that name is known: `Europe/Moscow`. */
export const isTimeZone = (name: string): boolean => timeZoneOf(name) !== null;

/** Whether callers of the network need a token. */
const needsToken = ({ token, tokens, tills, claim }: Config['api']): boolean =>
  claim || token !== null || tokens.till !== null || tokens.technician !== null || tills.length > 0;

/** Whether calls are guarded: without one of these, anybody on the network may call. */
const isGuarded = (api: Config['api']): boolean => needsToken(api) || api.allow.length > 0;

/** Bits of the widest network that a shop can have of its own: 10.0.0.0/8, and fc00::/7. A list with a wider one is none. */
const LEAST_BITS = { 4: 8, 6: 7 } as const;

/** The networks of `api.allow` by which anybody may call without a token, where the device listens to others. */
export function openNetworks({ api, terminal, recognition }: Config): string[] {
  if (needsToken(api) || [terminal, recognition].every(({ host }) => isLoopbackHost(host))) return [];
  return api.allow.filter((network) => {
    const [address = '', bits] = network.split('/');
    return bits !== undefined && Number(bits) < LEAST_BITS[isIP(address) === 6 ? 6 : 4];
  });
}

const strangers: Check = (config) =>
  (['terminal', 'recognition'] as const).map((router) =>
    isLoopbackHost(config[router].host) || isGuarded(config.api) || !isHost(config[router].host)
      ? null
      : `${router}.host: listening on ${config[router].host} needs api.tokens, api.tills, api.token, api.claim or api.allow, or anyone on the network could redirect payments`,
  );

const certificate: Check = ({ tls: { certFile, keyFile } }) => [
  certFile === null && keyFile !== null ? 'tls.certFile: is needed beside tls.keyFile' : null,
  certFile !== null && keyFile === null ? 'tls.keyFile: is needed beside tls.certFile' : null,
];

const CHECKS: readonly Check[] = [networks, hosts, tokens, tills, certificate, strangers];

/** All problems of a configuration that fits its schema. @param parts those that it was loaded with */
export function crossChecks(config: Config, parts: readonly ConfigPart[]): string[] {
  const servers = serversOf(config, parts);
  const found = [
    ...addresses(servers),
    ...ports(servers),
    ...CHECKS.flatMap((check) => check(config)),
    ...parts.flatMap((part) => part.check?.(configOf(part, config)) ?? []),
  ];
  return found.filter((problem) => problem !== null);
}
