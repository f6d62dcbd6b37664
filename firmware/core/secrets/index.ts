/**
 * Secrets at rest, sealed by the key of this device. On another device they do not open. A secret that does not open is
 * reported as such: it never counts as one that was not given.
 */
export { ofAnotherKey, openCredential, openSealer, type SealedPart, type Sealer } from './sealer.ts';
