/**
 * What a lane is judged by: the self-test of a new one, and the support bundle for somebody afar. The self-test never disturbs a
 * sale, and one that begins breaks it off; it ends with a page for the protocol of the installation. The bundle is one zip, made
 * as it is sent: what may go in is listed, and what is set is masked in it, so that no secret does. A full disk or a damaged
 * ledger keeps nothing from it. Nothing of either is loaded before somebody asks for it.
 */
export { type Sources, supportBundle } from './bundle.ts';
export { SelfTest, type SelfTestOptions } from '../self-test/self-test.ts';
export type { SelfTestState } from '../self-test/run.ts';
