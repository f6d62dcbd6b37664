/** Checks that the schema of the configuration cannot express: each returns its problems in sentences that name the key. */
import { isIP } from 'node:net';
import { isNamedTill } from './choices.ts';
import { bankAddressProblem, isLoopbackHost } from './loopback.ts';
import type { Config } from './schema.ts';
import { areEnough } from './terminal.ts';

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

/** Keys of the servers of the device. */
const SERVERS = ['terminal', 'recognition', 'sandboxBank', 'sync'] as const;

const addresses: Check = (config) =>
  SERVERS.map((server) =>
    isHost(config[server].host)
      ? null
      : `${server}.host: must be an address of this machine, as 127.0.0.1, or 0.0.0.0 for all of them, without scheme and port`,
  );

/** Ports of the servers that listen from the start must differ. Port 0 lets the system choose a free one. */
const ports: Check = (config) => {
  const started = SERVERS.filter((server) => server !== 'sync' && (server !== 'sandboxBank' || config[server].enabled));
  return started.map((server, index) => {
    const { port } = config[server];
    const other = started.slice(0, index).find((before) => port !== 0 && config[before].port === port);
    return other === undefined ? null : `${server}.port: is the port of ${other} too (${port}); choose another`;
  });
};

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

const bank: Check = ({ banks }) => {
  const problem = banks.cft.baseUrl === null ? null : bankAddressProblem(banks.cft.baseUrl);
  return [problem === null ? null : `banks.cft.baseUrl ${problem}`];
};

const registries: Check = ({ terminal }) =>
  Object.entries(terminal.registries).map(([name, columns]) =>
    areEnough(columns)
      ? null
      : `terminal.registries.${name}: must name the column of the amount, and one of order, bank and transaction`,
  );

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

const zones: Check = ({ terminal: { bankTimeZone } }) => [
  bankTimeZone === null || isTimeZone(bankTimeZone)
    ? null
    : `terminal.bankTimeZone: "${bankTimeZone}" is no time zone; write it as Europe/Moscow`,
];

/** What is wrong with an address for events; null for nothing. */
function webhookProblem(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:\/\//i.test(address)) return 'must be an address as https://till.shop.example/lane-7';
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname.replaceAll(/[[\]]/g, '')))
    return 'must begin with https:// (http:// leads to this machine only)';
  const isPlain = url.username === '' && url.password === '' && url.hash === '' && !/[\s\\#]/.test(address);
  return isPlain ? null : 'must have no user, fragment, space or backslash';
}

const webhooks: Check = ({ terminal }) =>
  terminal.webhooks.map(({ url }, index) => {
    const isNamedBefore = terminal.webhooks.slice(0, index).some((other) => other.url === url);
    const problem = webhookProblem(url) ?? (isNamedBefore ? 'must be named once' : null);
    return problem === null ? null : `terminal.webhooks.${index}.url ${problem}`;
  });

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

/** What is wrong with the address of a chain's server; null for nothing. It is never repeated: it may hold a password. */
function chainProblem(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || url.hostname === '') return 'must be a server as tls://hub-1.example:4222';
  if (url.protocol === 'nats:' && !isLoopbackHost(url.hostname.replaceAll(/[[\]]/g, '')))
    return 'must begin with tls:// (nats:// leads to this machine only)';
  const isPlain = [url.username, url.password, url.pathname, url.search, url.hash].every((part) => part === '');
  return isPlain ? null : 'must have host and port alone: who this device is stands in chain.credentials';
}

const chain: Check = ({ chain: { urls, credentials, caFile } }) => [
  ...urls.map((url, index) => {
    const problem = chainProblem(url);
    return problem === null ? null : `chain.urls.${index}: ${problem}`;
  }),
  urls.length > 0 && credentials === null ? 'chain.credentials: is needed beside chain.urls' : null,
  urls.length === 0 && (credentials ?? caFile) !== null ? 'chain.urls: is needed beside chain.credentials' : null,
];

const CHECKS: readonly Check[] = [
  networks,
  hosts,
  addresses,
  ports,
  tokens,
  tills,
  bank,
  chain,
  registries,
  zones,
  webhooks,
  certificate,
  strangers,
];

/** All problems of a configuration that fits its schema. */
export const crossChecks = (config: Config): string[] =>
  CHECKS.flatMap((check) => check(config)).filter((problem) => problem !== null);
