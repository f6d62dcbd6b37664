/**
 * Access: people sign in at the pages by PINs and sessions; a code on the display gives a technician at the device a
 * token. It also holds the tokens made on the device, and those put on its boot partition. PINs are stored as slow
 * digests, sessions and tokens as digests. Wrong guesses slow down their address and the network, never a person at the
 * device.
 */

export { BootSettings } from './boot-settings.ts';
export { claimLink, networkUrl } from './claim-address.ts';
export type { Sign } from './claim-sign.ts';
export type { Claims } from './claims.ts';
export { ClaimError, SignInError } from './errors.ts';
export type { MadeTokens } from './made-tokens.ts';
export { isNetworkAs, NetworkChoice } from './network-choice.ts';
export { isConfigured, openClaims, openSignIn, openTokens } from './open-access.ts';
export { PEOPLE, type Person, personOf } from './people.ts';
export type { Place } from './pin-guesses.ts';
export { LONGEST_PIN, type Pins, SHORTEST_PIN } from './pins.ts';
export { PersonField, SESSION, SessionAnswer, SignedInBy } from './session-answer.ts';
export { IDLE_MS } from './sessions.ts';
export type { SignIn } from './sign-in.ts';
