/**
 * A bank for trials, with the interface of the RBS gateway: payments, refunds, and faults on demand. It keeps its own
 * books, so that a till can be developed without a contract. No money moves.
 */
export { checked, readBody } from './desk.ts';
export { SandboxError } from './payment.ts';
export { sameOrigin } from './server.ts';
