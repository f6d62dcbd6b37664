/**
 * The machine below the process: storage, supply voltage, heat, watchdog, read-only root. It reads files of the kernel and of
 * the updater, and reports them in `/health` and `/metrics`. A file that a machine does not have is no fault.
 */
export { HOT_C, type SupplyFacts } from './supply.ts';
export { SystemFiles, settingIn } from './system-files.ts';
export type { UpdateFacts } from './update-history.ts';
export { Board } from './watch-board.ts';
