/** Sessions of people at the pages, put together. */

import { GuessFile, type MadeTokens, Pins, SessionFile, SignIn } from '../../core/access/index.ts';
import { reasonOf } from '../../core/access/reason-records.ts';
import { degraded, WELL } from '../../core/host/index.ts';
import { Credentials } from '../../core/http/index.ts';
import type { Sealer } from '../../core/store/index.ts';
import type { Base } from '../base.ts';

/** Letters of the cookie's name that distinguish devices of one host. */
const NAME_DIGITS = 12;

const LOST =
  'the PINs are lost, because their file or the key of this device was damaged: pages on this machine ask for no PIN until they are set again, on the page Device';

export function buildSignIn(
  { config, dataDir, clock, serial, health, log }: Base,
  sealer: Sealer,
  tokens: MadeTokens,
): SignIn {
  const credentials = new Credentials(config.api, tokens);
  const pins = new Pins(dataDir.file('pins.json'), sealer, () => credentials.hasTechnician);
  const warn = (problem: string): void => log.warn({ problem }, 'sessions of the pages do not outlive this process');
  const file = new SessionFile(dataDir.file('sessions.json'), warn);
  const cookie = `laneware-${Buffer.from(serial).toString('hex').slice(-NAME_DIGITS)}`;
  const guesses = new GuessFile(dataDir.file('pin-guesses.json'), (problem) =>
    log.warn({ problem }, 'wrong PINs do not count beyond this process'),
  );
  const signIn = new SignIn(pins, credentials, clock, file, guesses, cookie);
  tokens.onChange(() => signIn.review());
  health.add('console-pins', () =>
    pins.problem === null || pins.areAny ? WELL : degraded(reasonOf('console-pins-lost', {}, LOST)),
  );
  return signIn;
}
