/** What the tests of a simulated lane ask it, as its till and its customer. */
import type { Sim } from '../../firmware/tools/sim/sim.ts';
import { type Answer, call, until } from '../support.ts';
import { statusOf } from '../terminal/device-calls.ts';

export type Urls = Sim['urls'];

export const NO_MODEL = {
  LANEWARE_MODEL_MANIFEST: '/nonexistent/no-model.json',
  LANEWARE_LOG_LEVEL: 'silent',
};

export const put = (url: string, json: unknown): Promise<Answer> => call(url, { json, method: 'PUT' });
export const ask = ({ terminal }: Urls, amount: number, more: object = {}): Promise<Answer> =>
  call(`${terminal}/showQR`, { json: { amount, purpose: `sale ${amount}`, ...more } });
export const ends = (urls: Urls, state: string): Promise<boolean> =>
  until(`the payment is ${state}`, async () => (await statusOf(urls)) === state);
