/** How tests ask for a deletion of everything, and wait until devices have carried it out. */
import { call, until } from '../support.ts';
import type { Lane } from './rig.ts';

export const storeOf = async (lane: Pick<Lane, 'url'>) => (await call(`${lane.url}/v1/store`)).body;

export const wipe = (lane: Pick<Lane, 'url'>, id = 'first-wipe', master = 'M') =>
  call(`${lane.url}/v1/store/wipes/${id}`, { method: 'PUT', json: { master } });

export const forgottenBy = (lane: Pick<Lane, 'url'>, serials: readonly string[]) =>
  until(`forgotten by ${serials.join()}`, async () => {
    const { done } = (await storeOf(lane)).wipe;
    return done.toSorted().join() === serials.toSorted().join();
  });
