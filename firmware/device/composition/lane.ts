/** The device as its features see it. */

import { VERSION } from '../../../drivers/lib/version.ts';
import type { AuditTrail } from '../../core/audit/index.ts';
import type { Board } from '../../core/board/index.ts';
import type { LogRing } from '../../core/host/index.ts';
import type { Sealer } from '../../core/secrets/index.ts';
import type { Added, Lane } from '../../features/feature.ts';
import { FEATURES } from '../../features.ts';
import type { Terminal } from '../../payments/index.ts';
import type { Recognition, TrayPins } from '../../recognition/index.ts';
import type { Sync } from '../../sync/index.ts';
import { type Base, partOf } from '../base.ts';
import { CONFIGURATION } from '../config.ts';
import { wordsIn } from './words.ts';

interface Around {
  readonly sealer: Sealer;
  readonly audit: AuditTrail;
  readonly board: Board;
  readonly lines: LogRing;
  readonly terminal: Terminal;
  readonly recognition: Recognition;
  readonly sync: Sync;
}

/** @param panel returns the pins of a device that has started */
export const laneOf = (base: Base, { sync, ...around }: Around, panel: () => TrayPins): Lane => ({
  ...base,
  ...around,
  version: VERSION,
  configSchema: CONFIGURATION.schema,
  panel,
  words: wordsIn,
  logOf: (part) => partOf(base, part).log,
  role: () => sync.status().role,
});

/** The added parts of each feature, by its name. */
export type Features = ReadonlyMap<string, Added>;

export async function openFeatures(lane: Lane): Promise<Features> {
  const all = new Map<string, Added>();
  for (const { name, open } of FEATURES) {
    const added = (await open?.(lane)) ?? null;
    if (added !== null) all.set(name, added);
  }
  return all;
}
