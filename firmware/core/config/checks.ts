/** Checks that the schema of the configuration cannot express: each returns its problems in sentences that name the key. */
import { isIP } from 'node:net';
import { type Config, type ConfigPart, configOf } from './schema.ts';

const HOST_NAME = /^[^\s:/?#@[\]\\*]+$/;
export const isHost = (host: string): boolean => HOST_NAME.test(host) || isIP(host) === 6;

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

/** All problems of a configuration that fits its schema. @param parts those that it was loaded with */
export function crossChecks(config: Config, parts: readonly ConfigPart[]): string[] {
  const servers = serversOf(config, parts);
  const found = [
    ...addresses(servers),
    ...ports(servers),
    ...parts.flatMap((part) => part.check?.(configOf(part, config), config) ?? []),
  ];
  return found.filter((problem) => problem !== null);
}
