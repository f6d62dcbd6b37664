/**
 * The self-test of a new lane: one list of steps, which a technician walks through at a page or with `lanectl`. It never
 * disturbs a sale, and one that begins breaks it off. Its end is a signed page for the protocol of the installation.
 * Nothing of it is loaded before somebody asks for it.
 */
export type { SelfTestState } from './run.ts';
export { SelfTest, type SelfTestOptions } from './self-test.ts';
export { checkedPage } from './signature.ts';
