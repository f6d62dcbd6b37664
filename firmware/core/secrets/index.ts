/**
 * Secrets at rest, sealed by the key of this device. On another device they do not open. A secret that does not open is
 * named as such: it is never taken for one that was not given.
 */
export { ofAnotherKey, openCredential, openSealer, type SealedPart, type Sealer } from './sealer.ts';
