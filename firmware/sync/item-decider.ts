/**
 * Chooses the items that a round must decide (those that changed or have something left to do, or all), and decides each.
 * Between rounds it remembers its view of the centre and those items. It does no input or output.
 */
import { encodePart } from '../../drivers/lib/text.ts';
import type { TemplateName, Tombstone } from '../recognition/index.ts';
import type { NumberedEntry } from './centre/bucket-view.ts';
import type { MarksDocument } from './centre/centre.ts';
import { decideItem, type ItemPlan, isIdle } from './centre/decide.ts';
import { StoreView } from './centre/store-view.ts';
import { identityOf } from './centre/subjects.ts';

/**
 * A device with this many tombstones stores further ones only for templates that are here or at the centre. The centre has room
 * for the tombstones of twelve such devices.
 */
export const ENOUGH_TOMBSTONES = 10_000;

interface OwnSide {
  readonly namesOf: (item: string) => readonly TemplateName[];
  readonly tombstonesOf: (item: string) => readonly Tombstone[];
  /** Number of tombstones of all items. */
  readonly tombstoneCount: () => number;
}

interface Circumstances {
  readonly now: number;
  readonly upload: boolean;
  readonly download: boolean;
  /** The marks as the master published them. */
  readonly document: Pick<MarksDocument, 'boot' | 'marks' | 'kept'>;
}

interface Lacking {
  readonly earliest: number;
  /** Since when the centre has lacked each template, monotonic ms, by its identity. */
  readonly since: ReadonlyMap<string, number>;
}

export class ItemDecider {
  readonly #serial: string;
  /** How many templates an item may have. */
  readonly #max: number;
  /** How long the centre must lack a template before a device other than its maker publishes it, ms. */
  readonly #orphanMs: number;
  readonly #own: OwnSide;
  #view = new StoreView();
  #changed = new Set<string>();
  #isAllChanged = true;
  /** Items that lack room for a template until more of their templates are on the centre's disk and may be evicted. */
  readonly #blocked = new Set<string>();
  readonly #lacking = new Map<string, Lacking>();
  /** Subjects of entries that were no templates, with the number that each had. */
  readonly #refused = new Map<string, number | null>();
  #circumstances: Circumstances | null = null;
  #roomForTombstones = 0;

  constructor(serial: string, max: number, own: OwnSide, orphanMs: number) {
    this.#serial = serial;
    this.#max = max;
    this.#orphanMs = orphanMs;
    this.#own = own;
  }

  get view(): StoreView {
    return this.#view;
  }

  /** Forgets the view of the centre: it is another centre, or may have lost messages. */
  forgetView(): void {
    this.#view = new StoreView();
    this.markAllChanged();
  }

  /** Has the next round decide an item, which has changed here or could not be finished. */
  markChanged(item: string): void {
    this.#changed.add(item);
  }

  markAllChanged(): void {
    this.#isAllChanged = true;
  }

  /** Records an entry that is no template: it is ignored until another comes under its subject. */
  ignoreEntry({ subject, number }: NumberedEntry): void {
    this.#refused.set(subject, number);
  }

  begin(circumstances: Circumstances): void {
    const before = this.#circumstances;
    const { now, upload, download, document } = circumstances;
    if (before !== null && before.document.boot !== document.boot) {
      this.#lacking.clear();
      this.forgetView();
    }
    if (before?.upload !== upload || before.download !== download) this.markAllChanged();
    const [keptBefore, kept] = [before?.document.kept, document.kept];
    if (keptBefore?.last !== kept?.last || keptBefore?.created !== kept?.created)
      for (const item of this.#blocked) this.markChanged(item);
    for (const [item, { earliest }] of this.#lacking) if (now - earliest >= this.#orphanMs) this.markChanged(item);
    this.#view.setMarks(document.marks);
    this.#circumstances = circumstances;
    this.#roomForTombstones = Math.max(0, ENOUGH_TOMBSTONES - this.#own.tombstoneCount());
  }

  /** Items to decide, called once the view is up to date; null: all items. */
  drainChanged(): ReadonlySet<string> | null {
    const atCentre = this.#view.drainChanged();
    const here = this.#changed;
    const isAll = this.#isAllChanged;
    this.#changed = new Set();
    this.#isAllChanged = false;
    return isAll || atCentre === null ? null : new Set([...here, ...atCentre]);
  }

  /** Returns items of `drainChanged` that could not be decided. */
  requeue(items: ReadonlySet<string> | null): void {
    if (items === null) this.markAllChanged();
    else for (const item of items) this.markChanged(item);
  }

  /** Decides an item. Where its plan has anything to do, the next round decides it again: the plan may fail. */
  decide(item: string): ItemPlan {
    const here = this.#own.namesOf(item);
    const since = this.#lackingOf(item, here);
    if (since.size === 0) this.#lacking.delete(item);
    else this.#lacking.set(item, { since, earliest: Math.min(...since.values()) });
    const plan = this.planOf(item, here);
    this.#roomForTombstones = Math.max(0, this.#roomForTombstones - plan.keepTombstones.length);
    if (!isIdle(plan)) this.markChanged(item);
    if (plan.isBlocked) this.#blocked.add(item);
    else this.#blocked.delete(item);
    return plan;
  }

  /** The plan of an item, without remembering anything. @throws {Error} before the first `begin` */
  planOf(item: string, here = this.#own.namesOf(item)): ItemPlan {
    if (this.#circumstances === null) throw new Error('no round has begun');
    const { upload, download } = this.#circumstances;
    const tombstones = [...this.#view.tombstones.entriesOf(item)];
    const offered = this.offersOf(item);
    const self = encodePart(this.#serial);
    return decideItem(
      {
        serial: this.#serial,
        max: this.#max,
        upload,
        download,
        templates: here,
        tombstones: this.#own.tombstonesOf(item),
        orphaned: this.#orphaned(item),
        storedAtCentre: this.#storedAtCentre(item),
        roomForTombstones: this.#roomForTombstones,
      },
      {
        templates: [...offered.values()].map(({ ref }) => ref),
        tombstones: [...new Map(tombstones.map(({ ref }) => [identityOf(ref), ref])).values()],
        published: new Set(tombstones.filter(({ publisher }) => publisher === self).map(({ ref }) => identityOf(ref))),
        isMarked: this.#view.isMarked(item),
      },
    );
  }

  /** The templates that the centre has of an item, by identity. */
  offersOf(item: string): Map<string, NumberedEntry> {
    const usable = [...this.#view.templates.entriesOf(item)].filter((entry) => !this.#isRefused(entry));
    return new Map(usable.map((entry) => [identityOf(entry.ref), entry]));
  }

  /** Whether the entry was refused before. An entry of a listing has no number: then the subject alone decides. */
  #isRefused({ subject, number }: NumberedEntry): boolean {
    return this.#refused.has(subject) && (number === null || this.#refused.get(subject) === number);
  }

  /** Since when the centre has lacked templates of other makers; empty where this device does not upload. */
  #lackingOf(item: string, here: readonly TemplateName[]): Map<string, number> {
    if (this.#circumstances?.upload !== true) return new Map();
    const { now } = this.#circumstances;
    const there = this.offersOf(item);
    const before = this.#lacking.get(item)?.since;
    const lacking = here.filter((ref) => ref.origin !== this.#serial && !there.has(identityOf(ref)));
    return new Map(lacking.map((ref) => [identityOf(ref), before?.get(identityOf(ref)) ?? now]));
  }

  /** Identities of templates that the centre has lacked for a while: their maker will not publish them. */
  #orphaned(item: string): Set<string> {
    const now = this.#circumstances?.now ?? 0;
    const since = this.#lacking.get(item)?.since ?? [];
    return new Set([...since].filter(([, from]) => now - from >= this.#orphanMs).map(([identity]) => identity));
  }

  /** Identities of templates that are on the master's disk, as it has published. */
  #storedAtCentre(item: string): Set<string> {
    const kept = this.#circumstances?.document.kept;
    const { templates } = this.#view;
    if (kept?.created !== templates.created) return new Set();
    const stored = [...templates.entriesOf(item)].filter((entry) => templates.isUpTo(kept.last, entry));
    return new Set(stored.map(({ ref }) => identityOf(ref)));
  }
}
