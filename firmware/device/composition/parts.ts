/** The list of the parts of which a device consists, and the options of its start. */
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
  /** The latest lines of the log; none when left out. */
  readonly lines?: LogRing;
  /** The output of the log, which `/health` watches; not watched when left out. */
  readonly output?: LogOutput;
  /** Faults of the configuration, as reasons in `/health`; none when left out. */
  readonly configWarnings?: readonly Reason[];
  /**
   * Restarts with the current configuration instead of the last good one. Null where the current one is in force.
   * @throws {ConfigError} where the current one is still wrong
   */
  readonly retryConfig?: (() => void) | null;
  /** Restarts the device; left out where only a person can. */
  readonly restart?: (() => void) | null;
}

/**
 * Parts are opened and started in this order. They are closed in the reverse order, once all are halted and the ports
 * closed.
 */
export const PARTS = new PartList<Start>()
  .join(lastKnownTime) // a clock that was lost must not run behind the times that are stored
  .join(auditTrail) // records the changes of all later parts, and is closed after them
  .join(secrets) // a start that fails because of the key must not have opened a port
  .join(sandboxBank) // payments need its address
  .join(access)
  .join(payments) // early, so that open payments of the last process are followed as soon as possible
  .join(claim) // shows its code on the terminal's display
  .join(store) // recognition needs its deletion marks
  .join(backup) // after a restore it compares shifts before later parts use them
  .join(machine)
  .join(recognition) // the model starts only once the ports are open
  .join(panel)
  .join(rounds) // synchronise items and templates, which recognition has opened
  .join(laneReports)
  .join(features) // features may use all parts above
  .join(pairing)
  .join(network)
  .join(pages); // show all parts above
