/**
 * People at the pages: PINs, sessions, and what each role may do. PINs are kept as slow digests, sessions as digests. Wrong
 * guesses slow down their address and the network, never a person at the device.
 */
export { PEOPLE, type Person, personOf } from './people.ts';
export type { Place } from './pin-guesses.ts';
export { LONGEST_PIN, SHORTEST_PIN } from './pin-rules.ts';
export { Pins } from './pins.ts';
export { SessionFile } from './session-file.ts';
export { IDLE_MS } from './sessions.ts';
export { SignIn } from './sign-in.ts';
export { SignInError } from './sign-in-error.ts';
