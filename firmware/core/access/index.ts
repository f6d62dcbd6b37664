/**
 * Access: people sign in at the pages by PINs and sessions; a code on the display gives a technician at the device a
 * token. It also holds the tokens made on the device, and those put on its boot partition. PINs are kept as slow
 * digests, sessions and tokens as digests. Wrong guesses slow down their address and the network, never a person at the
 * device.
 */

export { BootSettings, type Pairing } from './boot-settings.ts';
export { claimAddress, claimLink, networkUrl } from './claim-address.ts';
export { onConsole, type Sign } from './claim-sign.ts';
export { Claims } from './claims.ts';
export { ClaimError, SignInError } from './errors.ts';
export { MadeTokens } from './made-tokens.ts';
export { isNetworkAs, NetworkChoice } from './network-choice.ts';
export { PEOPLE, type Person, personOf } from './people.ts';
export type { Place } from './pin-guesses.ts';
export { GuessFile } from './pin-guesses.ts';
export { LONGEST_PIN, Pins, SHORTEST_PIN } from './pins.ts';
export { PersonField, SESSION, SessionAnswer, SignedInBy } from './session-answer.ts';
export { IDLE_MS, SessionFile } from './sessions.ts';
export { SignIn } from './sign-in.ts';
