/** The part of the features, and what they get of the device. */

import { VERSION } from '../../../drivers/lib/version.ts';
import { wordsIn } from '../../console/index.ts';
import type { Added, Lane } from '../../features/feature.ts';
import { FEATURES } from '../../features.ts';
import { partOf } from './base.ts';
import { CONFIGURATION } from './config.ts';
import type { Opened, Running } from './joining.ts';
import type { Has } from './whole.ts';

type Around = Has<'base' | 'sealer' | 'audit' | 'board' | 'lines' | 'terminal' | 'recognition' | 'panel' | 'sync'>;

const laneOf = ({ base, sealer, audit, board, lines, terminal, recognition, panel, sync }: Around): Lane => ({
  ...base,
  sealer,
  audit,
  board,
  lines,
  terminal,
  recognition,
  version: VERSION,
  configSchema: CONFIGURATION.schema,
  panel,
  trials: new Map(),
  words: wordsIn,
  logOf: (part) => partOf(base, part).log,
  role: () => sync.status().role,
});

/** Opens the features of `features.ts` in their order. */
export const features = {
  name: 'features',
  open: async (device: Around): Promise<Opened<Has<'features'>>> => {
    const lane = laneOf(device);
    const all = new Map<string, Added>();
    for (const { name, open } of FEATURES) {
      const added = (await open?.(lane)) ?? null;
      if (added !== null) all.set(name, added);
    }
    const running: Running = {
      addRoutes: async (app) => {
        for (const feature of all.values()) await feature.addRoutes?.(app);
      },
      start: () => {
        for (const feature of all.values()) feature.start?.();
      },
      // all at the same time: each may wait for the answer to a message
      close: async () => void (await Promise.all([...all.values()].map((feature) => feature.close?.()))),
    };
    return [{ features: all }, running];
  },
};
