/**
 * Builds the access to the device: people's sessions at the pages, tokens, and codes on the display that give a
 * technician's token.
 */
import { join } from 'node:path';
import type { Reason } from '../../../drivers/lib/records.ts';
import {
  BootSettings,
  Claims,
  claimAddress,
  GuessFile,
  MadeTokens,
  onConsole,
  type Pairing,
  Pins,
  SessionFile,
  type Sign,
  SignIn,
} from '../../core/access/index.ts';
import { reasonOf } from '../../core/access/records.ts';
import { type Config, isLoopbackHost } from '../../core/config/index.ts';
import { degradedBy, WELL } from '../../core/host/index.ts';
import { Credentials, type Role } from '../../core/http/index.ts';
import type { Sealer } from '../../core/secrets/index.ts';
import { displaySign, type Terminal } from '../../payments/index.ts';
import { RecognitionError } from '../../recognition/index.ts';
import { type Sync, SyncError, type SyncErrorCode } from '../../sync/index.ts';
import type { Base } from './base.ts';
import type { Opened } from './joining.ts';
import type { Has } from './whole.ts';

/** Last letters of the serial number in the cookie's name, to tell devices of one host apart. */
const NAME_DIGITS = 12;

function buildSignIn(
  { config, dataDir, clock, serial, health, log }: Base,
  sealer: Sealer,
  tokens: MadeTokens,
): SignIn {
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

const configuredTokens = ({ token, tokens, tills }: Config['api']): string[] =>
  [token, tokens.technician, tokens.till, ...tills.map((till) => till.token)].filter((each) => each !== null);

/** Whether the configuration holds a token of a role; `api.token` is the technician's. */
export const isConfigured =
  ({ token, tokens }: Config['api']) =>
  (role: Role): boolean =>
    role === 'technician' ? token !== null || tokens.technician !== null : tokens.till !== null;

const openTokens = ({ config, dataDir }: Base, sealer: Sealer): MadeTokens =>
  new MadeTokens(dataDir.file('tokens.json'), sealer, configuredTokens(config.api));

/** Why a wanted code would be useless; null where it works. */
function hindrance({ recognition, tls }: Config): Reason | null {
  if (isLoopbackHost(recognition.host)) return reasonOf('access-loopback', {}, 'recognition.host');
  return tls.mode === 'off' ? reasonOf('access-unencrypted', {}, 'tls.mode') : null;
}

/** Ways to a token that the pages do not offer. */
const CLAIMED_BY = 'photograph the code, or type it at /claim of this port';
const MADE_AGAIN_BY = 'hold the learn button for ten seconds, or put a TOKEN into laneware.txt of the boot partition';

/**
 * How codes are shown: where systemd gives the device a folder in memory, the board's consoles show the display's code,
 * too.
 */
function signOf({ config, log, ports }: Base, terminal: Terminal): Sign {
  const address = () => claimAddress(config.recognition.host, ports.recognition);
  const display = displaySign(terminal, address);
  const [folder = ''] = process.env.RUNTIME_DIRECTORY?.split(':') ?? [];
  if (folder === '') return display;
  const warn = (message: string, details = {}) => log.warn(details, message);
  return onConsole(display, join(folder, 'claim'), address, warn);
}

/** @returns null where the device never shows a code */
function buildClaims(base: Base, terminal: Terminal, tokens: MadeTokens): Claims | null {
  const { config, clock, health, log } = base;
  const { api } = config;
  if (!api.claim) return null;
  const reason = hindrance(config);
  if (reason !== null) {
    health.add('access', () => degradedBy(reason));
    return null;
  }
  const info = (message: string, details = {}) => log.info(details, message);
  const claims = new Claims(signOf(base, terminal), tokens, isConfigured(api)('technician'), clock, info);
  terminal.screen.onChange(() => claims.displayChanged());
  health.add('access', () => {
    if (tokens.problem !== null && !tokens.has('technician'))
      return degradedBy(reasonOf('access-lost', {}, MADE_AGAIN_BY));
    return claims.isUnclaimed ? degradedBy(reasonOf('access-unclaimed', {}, CLAIMED_BY)) : WELL;
  });
  return claims;
}

/** Errors after which another try with the same code is useless. */
const FINAL: ReadonlySet<SyncErrorCode> = new Set(['unauthorised', 'wrong-certificate', 'refused']);

const isFinal = (error: unknown): boolean =>
  error instanceof SyncError
    ? FINAL.has(error.code)
    : error instanceof RecognitionError && error.codeName === 'parameter';

/** Pairs with the master that the boot partition names. */
const pairingOf = (sync: Sync): Pairing => ({
  isPaired: () => sync.status().role !== 'standalone',
  pair: ({ host, port, code }) => sync.becomeSlave({ host, port, code, upload: true, download: true }),
  isFinal,
});

/** Who may call, and what the boot partition has handed over. */
export const access = {
  name: 'access',
  open: async ({
    base,
    sealer,
  }: Has<'base' | 'sealer'>): Promise<Opened<Has<'tokens' | 'signIn' | 'bootSettings'>>> => {
    const { dataDir, clock, health, log } = base;
    const tokens = openTokens(base, sealer);
    const signIn = buildSignIn(base, sealer, tokens);
    const bootSettings = new BootSettings(dataDir.file('handed-over.json'), tokens, clock, health, log);
    await bootSettings.takeTokens();
    return [{ tokens, signIn, bootSettings }, { close: () => signIn.close() }];
  },
};

/** A technician's first token, by a code on the display. */
export const claim = {
  name: 'claim',
  open: ({ base, terminal, tokens }: Has<'base' | 'terminal' | 'tokens'>): Opened<Has<'claims'>> => {
    const claims = buildClaims(base, terminal, tokens);
    return [{ claims }, { serve: () => claims?.begin(), close: () => claims?.close() }];
  },
};

/** The master that the boot partition names. */
export const pairing = {
  name: 'pairing',
  open: ({ bootSettings, sync }: Has<'bootSettings' | 'sync'>): Opened<object> => [
    {},
    { start: () => bootSettings.pairWith(pairingOf(sync)), close: () => bootSettings.close() },
  ],
};
