/**
 * A device's view of its centre: templates, tombstones and marks, which items have changed, and which templates the
 * master deletes.
 */

import { BucketView, type NumberedEntry } from './bucket-view.ts';
import type { Mark } from './centre.ts';
import { identityOf } from './subjects.ts';

export type ViewedBucket = 'templates' | 'tombstones';

export class StoreView {
  readonly templates = this.#viewOf('templates');
  readonly tombstones = this.#viewOf('tombstones');
  #marks: ReadonlyMap<string, string> = new Map();
  #changed = new Set<string>();
  #isListed = false;

  /** Items that have changed since the last call; null where any item may have changed. */
  drainChanged(): ReadonlySet<string> | null {
    const changed = this.#isListed ? null : this.#changed;
    this.#changed = new Set();
    this.#isListed = false;
    return changed;
  }

  get marked(): ReadonlySet<string> {
    return new Set(this.#marks.keys());
  }

  isMarked(item: string): boolean {
    return this.#marks.has(item);
  }

  setMarks(marks: readonly Mark[]): void {
    const before = this.#marks;
    const now = new Map(marks.map(({ item, id }) => [item, id]));
    this.#marks = now;
    for (const [item, id] of before) if (now.get(item) !== id) this.#unmark(item);
    for (const [item, id] of now) if (before.get(item) !== id) this.#mark(item);
  }

  #viewOf(bucket: ViewedBucket): BucketView {
    return new BucketView(bucket, {
      onListing: () => {
        this.#isListed = true;
      },
      onEntry: (_subject, entry) => {
        if (entry !== null) this.#follow(bucket, entry);
      },
    });
  }

  #follow(bucket: ViewedBucket, entry: NumberedEntry): void {
    const { ref } = entry;
    this.#changed.add(ref.item);
    if (bucket === 'tombstones') {
      const identity = identityOf(ref);
      for (const each of this.templates.entriesOf(ref.item))
        if (identityOf(each.ref) === identity) this.templates.expectDeletion(each);
    } else if (this.isMarked(ref.item) || this.tombstones.has(ref)) this.templates.expectDeletion(entry);
  }

  #mark(item: string): void {
    this.#changed.add(item);
    for (const entry of this.templates.entriesOf(item)) this.templates.expectDeletion(entry);
  }

  /** Removes an item's mark. Its templates are then listed again: the master may have deleted them before, or not. */
  #unmark(item: string): void {
    this.#changed.add(item);
    for (const entry of this.templates.entriesOf(item))
      if (this.templates.isDeletionExpected(entry)) this.templates.invalidate();
  }
}
