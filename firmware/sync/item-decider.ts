/**
 * Chooses the items that a round must look at, and decides each: items that changed or wait, or all. It keeps between rounds
 * what it knows of the centre and what is still to be done. It reads and writes no file, and asks nobody.
 */
import { encodePart } from '../../drivers/lib/text.ts';
import type { TemplateName, Tombstone } from '../recognition/index.ts';
import type { NumberedEntry } from './centre/bucket-view.ts';
import type { MarksDocument } from './centre/centre.ts';
import { decideItem, type ItemPlan, isIdle } from './centre/decide.ts';
import { StoreView } from './centre/store-view.ts';
import { identityOf } from './centre/subjects.ts';

/**
 * A device with this many tombstones keeps further ones only for templates that are here or at the centre. Those of
 * twelve devices fit into the centre's room.
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
  /** Times by identity. */
  readonly since: ReadonlyMap<string, number>;
}

export class ItemDecider {
  readonly #serial: string;
  /** Templates that an item may have. */
  readonly #max: number;
  /** How long the centre must lack a template before a device other than its maker gives it. */
  readonly #orphanMs: number;
  readonly #own: OwnSide;
  #view = new StoreView();
  #changed = new Set<string>();
  #isAllChanged = true;
  /** Items without room for templates that belong there, until more of their templates are on the centre's disk. */
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

  /** Forgets the view of the centre: it is another one, or may have lost something. */
  forgetView(): void {
    this.#view = new StoreView();
    this.noteAll();
  }

  /** Notes an item that has changed here or could not be finished. */
  note(item: string): void {
    this.#changed.add(item);
  }

  noteAll(): void {
    this.#isAllChanged = true;
  }

  /** Notes an entry that is no template: it is ignored until another comes under its subject. */
  refuse({ subject, number }: NumberedEntry): void {
    this.#refused.set(subject, number);
  }

  begin(circumstances: Circumstances): void {
    const before = this.#circumstances;
    const { now, upload, download, document } = circumstances;
    if (before !== null && before.document.boot !== document.boot) {
      this.#lacking.clear();
      this.forgetView();
    }
    if (before?.upload !== upload || before.download !== download) this.noteAll();
    const [keptBefore, kept] = [before?.document.kept, document.kept];
    if (keptBefore?.last !== kept?.last || keptBefore?.created !== kept?.created)
      for (const item of this.#blocked) this.note(item);
    for (const [item, { earliest }] of this.#lacking) if (now - earliest >= this.#orphanMs) this.note(item);
    this.#view.setMarks(document.marks);
    this.#circumstances = circumstances;
    this.#roomForTombstones = Math.max(0, ENOUGH_TOMBSTONES - this.#own.tombstoneCount());
  }

  /** Items to look at, once the view is up to date; null: all of them. */
  drainChanged(): ReadonlySet<string> | null {
    const there = this.#view.drainChanged();
    const here = this.#changed;
    const isAll = this.#isAllChanged;
    this.#changed = new Set();
    this.#isAllChanged = false;
    return isAll || there === null ? null : new Set([...here, ...there]);
  }

  /** Puts back items that could not be looked at. */
  putBack(items: ReadonlySet<string> | null): void {
    if (items === null) this.noteAll();
    else for (const item of items) this.note(item);
  }

  /** Decides an item; one with anything to do is looked at again next time, because the plan may fail. */
  decide(item: string): ItemPlan {
    const here = this.#own.namesOf(item);
    const since = this.#lackingOf(item, here);
    if (since.size === 0) this.#lacking.delete(item);
    else this.#lacking.set(item, { since, earliest: Math.min(...since.values()) });
    const plan = this.planOf(item, here);
    this.#roomForTombstones = Math.max(0, this.#roomForTombstones - plan.keepTombstones.length);
    if (!isIdle(plan)) this.note(item);
    if (plan.isBlocked) this.#blocked.add(item);
    else this.#blocked.delete(item);
    return plan;
  }

  /** The plan of an item; nothing is remembered. */
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

  /** What the centre has of an item, by identity. */
  offersOf(item: string): Map<string, NumberedEntry> {
    const usable = [...this.#view.templates.entriesOf(item)].filter((entry) => !this.#isRefused(entry));
    return new Map(usable.map((entry) => [identityOf(entry.ref), entry]));
  }

  /** Whether the entry was no template before; a listing has no numbers, so the subject alone decides then. */
  #isRefused({ subject, number }: NumberedEntry): boolean {
    return this.#refused.has(subject) && (number === null || this.#refused.get(subject) === number);
  }

  /** Since when the centre has lacked templates of other makers; empty where this device gives none. */
  #lackingOf(item: string, here: readonly TemplateName[]): Map<string, number> {
    if (this.#circumstances?.upload !== true) return new Map();
    const { now } = this.#circumstances;
    const there = this.offersOf(item);
    const before = this.#lacking.get(item)?.since;
    const lacking = here.filter((ref) => ref.origin !== this.#serial && !there.has(identityOf(ref)));
    return new Map(lacking.map((ref) => [identityOf(ref), before?.get(identityOf(ref)) ?? now]));
  }

  /** Templates that the centre has lacked for a while: their maker will not give them. */
  #orphaned(item: string): Set<string> {
    const now = this.#circumstances?.now ?? 0;
    const since = this.#lacking.get(item)?.since ?? [];
    return new Set([...since].filter(([, from]) => now - from >= this.#orphanMs).map(([identity]) => identity));
  }

  /** Templates that are on the master's disk, as it said. */
  #storedAtCentre(item: string): Set<string> {
    const kept = this.#circumstances?.document.kept;
    const { templates } = this.#view;
    if (kept?.created !== templates.created) return new Set();
    const stored = [...templates.entriesOf(item)].filter((entry) => templates.isUpTo(kept.last, entry));
    return new Set(stored.map(({ ref }) => identityOf(ref)));
  }
}
