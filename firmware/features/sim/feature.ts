import type { Feature } from '../feature.ts';

/** Its lane is a process of its own, in a clone and in its image: a device has none of it. */
export const sim: Feature = {
  name: 'sim',
  command: { words: ['sim'], load: async () => (await import('./command.ts')).addSim },
};
