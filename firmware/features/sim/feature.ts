import type { Feature } from '../feature.ts';

/** The simulated lane is a separate process, in a clone and in its image: a device has nothing of it. */
export const sim: Feature = {
  name: 'sim',
  command: { words: ['sim'], load: async () => (await import('../../lanectl/commands/sim.ts')).addSim },
};
