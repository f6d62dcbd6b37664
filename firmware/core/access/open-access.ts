/** Builds the parts of access as configured: tokens, people's sessions, and a technician's first token. */
import { join } from 'node:path';
import type { Reason } from '../../../drivers/lib/records.ts';
import { type Config, isLoopbackHost } from '../config/index.ts';
import type { DataDir } from '../files/index.ts';
import { degradedBy, type HealthBoard, type Log, type LogLine, type Timekeeper, WELL } from '../host/index.ts';
import { type ApiConfig, Credentials, type Role } from '../http/index.ts';
import type { Sealer } from '../secrets/index.ts';
import { claimAddress } from './claim-address.ts';
import { onConsole, type Sign } from './claim-sign.ts';
import { Claims } from './claims.ts';
import { MadeTokens } from './made-tokens.ts';
import { GuessFile } from './pin-guesses.ts';
import { Pins } from './pins.ts';
import { reasonOf } from './records.ts';
import { SessionFile } from './sessions.ts';
import { SignIn } from './sign-in.ts';

type AccessConfig = Config & { readonly api: ApiConfig; readonly tls: { readonly mode: 'auto' | 'off' } };

/** What the parts of access need of the device. */
interface Base {
  readonly config: AccessConfig;
  readonly dataDir: DataDir;
  readonly clock: Timekeeper;
  readonly serial: string;
  /** The port of the pages, once it listens. */
  readonly ports: { readonly recognition: number };
  readonly health: HealthBoard;
  readonly log: Log;
}

/** Last hexadecimal digits of the serial number in the cookie's name, which distinguish devices of one host. */
const NAME_DIGITS = 12;

/** Whether the configuration holds a token of a role; `api.token` is the technician's. */
export const isConfigured =
  ({ token, tokens }: ApiConfig) =>
  (role: Role): boolean =>
    role === 'technician' ? token !== null || tokens.technician !== null : tokens.till !== null;

const configuredTokens = ({ token, tokens, tills }: ApiConfig): string[] =>
  [token, tokens.technician, tokens.till, ...tills.map((till) => till.token)].filter((each) => each !== null);

export const openTokens = ({ config, dataDir }: Pick<Base, 'config' | 'dataDir'>, sealer: Sealer): MadeTokens =>
  new MadeTokens(dataDir.file('tokens.json'), sealer, configuredTokens(config.api));

export function openSignIn(base: Base, sealer: Sealer, tokens: MadeTokens): SignIn {
  const { config, dataDir, clock, serial, health, log } = base;
  const credentials = new Credentials(config.api, tokens);
  const pins = new Pins(dataDir.file('pins.json'), sealer, () => credentials.hasTechnician);
  const warn = (problem: string): void =>
    log.warn({ reason: problem }, 'sessions of the pages do not outlive this process');
  const file = new SessionFile(dataDir.file('sessions.json'), warn);
  const cookie = `laneware-${Buffer.from(serial).toString('hex').slice(-NAME_DIGITS)}`;
  const guesses = new GuessFile(dataDir.file('pin-guesses.json'), (problem) =>
    log.warn({ reason: problem }, 'wrong PINs do not count beyond this process'),
  );
  const signIn = new SignIn(pins, credentials, clock, file, guesses, cookie);
  tokens.onChange(() => signIn.review());
  health.add('console-pins', () =>
    pins.problem === null || pins.areAny ? WELL : degradedBy(reasonOf('console-pins-lost', {})),
  );
  return signIn;
}

/** Why a technician's code would be useless; null where it works. */
function hindrance({ recognition, tls }: AccessConfig): Reason | null {
  if (isLoopbackHost(recognition.host)) return reasonOf('access-loopback', {}, 'recognition.host');
  return tls.mode === 'off' ? reasonOf('access-unencrypted', {}, 'tls.mode') : null;
}

/** Ways to a token that the pages do not offer. */
const CLAIMED_BY = 'photograph the code, or type it at /claim of this port';
const MADE_AGAIN_BY = 'hold the learn button for ten seconds, or put a TOKEN into laneware.txt of the boot partition';

/** Where systemd gives the device a folder in memory, the board's consoles show the display's code, too. */
function onAllScreens(display: Sign, address: () => string, log: Log): Sign {
  const [folder = ''] = process.env.RUNTIME_DIRECTORY?.split(':') ?? [];
  const warn: LogLine = (message, details = {}) => log.warn(details, message);
  return folder === '' ? display : onConsole(display, join(folder, 'claim'), address, warn);
}

/**
 * @param signOf makes the sign of the customer's display; `address` gives the page where a person types the code
 * @returns null where the device never shows a code
 */
export function openClaims(base: Base, tokens: MadeTokens, signOf: (address: () => string) => Sign): Claims | null {
  const { config, clock, ports, health, log } = base;
  const { api } = config;
  if (!api.claim) return null;
  const reason = hindrance(config);
  if (reason !== null) {
    health.add('access', () => degradedBy(reason));
    return null;
  }
  const info: LogLine = (message, details = {}) => log.info(details, message);
  const address = () => claimAddress(config.recognition.host, ports.recognition);
  const sign = onAllScreens(signOf(address), address, log);
  const claims = new Claims(sign, tokens, isConfigured(api)('technician'), clock, info);
  health.add('access', () => {
    if (tokens.problem !== null && !tokens.has('technician'))
      return degradedBy(reasonOf('access-lost', {}, MADE_AGAIN_BY));
    return claims.isUnclaimed ? degradedBy(reasonOf('access-unclaimed', {}, CLAIMED_BY)) : WELL;
  });
  return claims;
}
