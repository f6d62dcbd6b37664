/** The marks by which a store deletes an item from all its devices: only its master has them, and another device refuses. */

import { RecognitionError } from './recognition-error.ts';
import type { TemplateName } from './template.ts';

/** The warning where a deletion on this device alone will be undone. */
export const COMES_BACK =
  'deleted on this device; the next synchronisation brings back what the store has of it: set_deletion_all_flag at the master deletes an item from all devices, delete_item_template one template';

export interface DeletionProgress {
  readonly id: string;
  /** Serial numbers of the devices that have deleted the item. */
  readonly SNs: readonly string[];
}

export interface DeletionMarks {
  /** @throws {RecognitionError} `Store.NotMaster` */
  set(item: string): Promise<void>;
  /** @throws {RecognitionError} `Store.NotMaster` */
  clear(item: string): Promise<void>;
  /** Every mark, the latest first. @throws {RecognitionError} `Store.NotMaster` */
  progress(): Promise<readonly DeletionProgress[]>;
  /** Marked items that this device knows of: what it learns of them would be deleted again. */
  items(): ReadonlySet<string>;
  /** Whether synchronisation will bring back any of these templates if they are deleted only here. */
  bringsBack(templates: readonly TemplateName[]): boolean;
}

export const notMaster = (): RecognitionError =>
  new RecognitionError('Store.NotMaster', 'this device is not a master: call the master of the store');

function refuse(): never {
  throw notMaster();
}

/** The marks of a device without a store. */
export const NO_MARKS: DeletionMarks = Object.freeze({
  set: async () => refuse(),
  clear: async () => refuse(),
  progress: async () => refuse(),
  items: () => new Set<string>(),
  bringsBack: () => false,
});
