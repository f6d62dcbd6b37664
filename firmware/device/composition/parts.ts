/** The one list of what a device consists of. */
import type { Reason } from '../../../drivers/lib/records.ts';
import type { PageFiles } from '../../console/index.ts';
import type { LogOutput, LogRing } from '../../core/host/index.ts';
import { access, claim, pairing } from './build-access.ts';
import { auditTrail, lastKnownTime, machine, secrets } from './build-machine.ts';
import { network, pages } from './build-pages.ts';
import { panel, recognition } from './build-recognition.ts';
import { sandboxBank } from './build-sandbox.ts';
import { backup, laneReports, rounds, store } from './build-store.ts';
import { payments } from './build-terminal.ts';
import { PartList } from './joining.ts';
import { features } from './lane.ts';
import type { StandIns } from './tuning.ts';
import type { Start } from './whole.ts';

export interface StartOptions extends StandIns {
  /** The files of the pages; those beside the program when left out. */
  readonly pages?: PageFiles;
  /** The latest lines of the given log; none when left out. */
  readonly lines?: LogRing;
  /** Where the given log is written, to be watched; not watched when left out. */
  readonly output?: LogOutput;
  /** Faults of the configuration, in words; none when left out. */
  readonly configWarnings?: readonly Reason[];
  /**
   * Restarts with the present configuration in place of the last good one. @throws {ConfigError} if it is still wrong
   */
  readonly retryConfig?: (() => void) | null;
  /** Restarts the device; left out where only a person can. */
  readonly restart?: (() => void) | null;
}

/** Opened and started in this order; closed in the reverse, after `halt` of each and after the ports. */
export const PARTS = new PartList<Start>()
  .join(lastKnownTime) // a clock that the board has lost is never behind what is stored
  .join(auditTrail) // notes what all others change, to their end
  .join(secrets) // a start that fails for its key has opened no port yet
  .join(sandboxBank) // payments ask its address
  .join(access)
  .join(payments) // money first: what the last process has left is followed before anything else runs
  .join(claim) // its code stands on the display
  .join(store) // recognition asks its marks of deletion
  .join(backup) // after a restore shifts are compared before they are used
  .join(machine)
  .join(recognition) // its model starts once the ports are open
  .join(panel)
  .join(rounds) // of items and templates, which are open by now
  .join(laneReports)
  .join(features) // they use all of the above
  .join(pairing)
  .join(network)
  .join(pages); // shows all of the above
