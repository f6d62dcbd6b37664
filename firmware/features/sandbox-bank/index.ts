/**
 * A bank for trials, in the dialect of the RBS gateway: payments, refunds, and faults on demand. It keeps its own book, so
 * that a till can be developed without a contract. No money moves.
 */
export { checked, readBody } from './desk.ts';
export { SandboxError } from './errors.ts';
export { sameOrigin } from './network.ts';
