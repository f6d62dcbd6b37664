/** Marks "delete from all devices". They are a master's; what stands here is what any other device answers. */
import { RecognitionError } from './codes.ts';
import type { TemplateName } from './templates/template-rows.ts';

/** Said where a deletion on one device alone is not for good. */
export const COMES_BACK =
  'deleted on this device; the next synchronisation brings back what the store has of it: set_deletion_all_flag at the master deletes an item from all devices, delete_item_template one template';

export interface DeletionProgress {
  readonly id: string;
  /** Serial numbers of the devices that have deleted the item. */
  readonly SNs: readonly string[];
}

export interface DeletionMarks {
  /** @throws {RecognitionError} `notMaster` */
  set(item: string): Promise<void>;
  /** @throws {RecognitionError} `notMaster` */
  clear(item: string): Promise<void>;
  /** Every mark, the latest first. @throws {RecognitionError} `notMaster` */
  progress(): Promise<readonly DeletionProgress[]>;
  /** Items that are marked, as far as this device has heard: what is learned of them would be deleted again. */
  items(): ReadonlySet<string>;
  /** Whether synchronisation brings any of these templates back where they are deleted here alone. */
  bringsBack(templates: readonly TemplateName[]): boolean;
}

export const notMaster = (): RecognitionError =>
  new RecognitionError('notMaster', 'this device is not a master: call the master of the store');

function refuse(): never {
  throw notMaster();
}

/** A device without a store to delete in. */
export const NO_MARKS: DeletionMarks = Object.freeze({
  set: async () => refuse(),
  clear: async () => refuse(),
  progress: async () => refuse(),
  items: () => new Set<string>(),
  bringsBack: () => false,
});
