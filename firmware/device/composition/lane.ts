/** The device as its features see it, and those features. */

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

/** Each of `features.ts`, in its order. */
export const features = {
  name: 'features',
  open: async (around: Around): Promise<Opened<Has<'features'>>> => {
    const lane = laneOf(around);
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
      // at once: each may wait for a message on its way
      close: async () => void (await Promise.all([...all.values()].map((feature) => feature.close?.()))),
    };
    return [{ features: all }, running];
  },
};
