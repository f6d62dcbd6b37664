/** Marks "delete from all devices". They are a master's; what stands here is what any other device answers. */
import { RecognitionError } from './codes.ts';

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
});
