/**
 * How a technician gets access to a device in his hands: a code on its display becomes a token. It also holds the tokens that
 * were made on the device, and those that were put on its boot partition. Only digests of tokens are kept.
 */
export { claimAddress } from './claim-address.ts';
export { ClaimError } from './claim-error.ts';
export { Claims, type Sign } from './claims.ts';
export { displaySign } from './display-sign.ts';
export { HandedOver, type Pairing } from './handed-over.ts';
export { MadeTokens } from './made-tokens.ts';
export { onConsole } from './on-console.ts';
