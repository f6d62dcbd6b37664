/**
 * One synchronisation (a round): reads the changes on both sides, decides each changed item, and carries out the plans
 * in batches. After an interruption anywhere the next round continues.
 */

import { encodePart } from '../../drivers/lib/text.ts';
import { nextTurn } from '../../drivers/lib/turns.ts';
import type { Change, Recognition, TemplateExchange } from '../recognition/index.ts';
import type { NumberedEntry } from './centre/bucket-view.ts';
import { type Centre, type Mark, type MarksDocument, type Numbered, ProgressDocument } from './centre/centre.ts';
import { type ItemPlan, isIdle, joinPlans } from './centre/decide.ts';
import { follow } from './centre/follow.ts';
import { identityOf } from './centre/subjects.ts';
import type { SyncError } from './errors.ts';
import { ItemDecider } from './item-decider.ts';
import type { OwnDevice } from './own-device.ts';
import { syncFailure } from './sync-failure.ts';
import { type Meeting, requireOpen, TemplateTransfer } from './template-transfer.ts';
import type { StoreWipes } from './wipes.ts';

/** Items that are decided before the event loop gets a turn: a few milliseconds of work. */
const SLICE_ITEMS = 20;
/**
 * Most bytes of templates that are kept for this round when they come while the view is updated; more are requested
 * again.
 */
const MOST_ARRIVED_BYTES = 8 * 1024 * 1024;

export interface RoundSettings {
  readonly upload: boolean;
  readonly download: boolean;
  readonly limit: number;
}

type Wipes = Pick<StoreWipes, 'carryOut' | 'isCentreEmptied' | 'recordCentreEmptied' | 'newcomers'>;

type Own = Pick<OwnDevice, 'serial' | 'clock' | 'log'>;

export interface RoundResult {
  readonly put: number;
  readonly fetched: number;
  readonly deleted: number;
  /** Templates that the limit leaves for the next synchronisation. */
  readonly left: number;
  readonly templates: number;
  /** Why this device could not share everything, or null. */
  readonly failure: SyncError | null;
}

export class Rounds {
  readonly #own: Own;
  readonly #exchange: TemplateExchange;
  readonly #templates: Pick<Recognition['templates']['reader'], 'templateCount'>;
  readonly #wipes: Wipes;
  readonly #ownMarks: () => readonly Mark[] | null;
  readonly #decider: ItemDecider;
  readonly #transfer: TemplateTransfer;
  #server: string | null = null;

  /**
   * @param ownMarks on a master: its current marks, which may not be published yet; null on another device
   * @param orphanMs how long the centre must lack a template before a device other than its maker publishes it
   */
  constructor(
    own: Own,
    { exchange, templates }: Pick<Recognition, 'exchange' | 'templates'>,
    wipes: Wipes,
    ownMarks: () => readonly Mark[] | null,
    orphanMs: number,
  ) {
    this.#own = own;
    this.#exchange = exchange;
    this.#templates = templates.reader;
    this.#wipes = wipes;
    this.#ownMarks = ownMarks;
    this.#decider = new ItemDecider(own.serial, templates.max, exchange, orphanMs);
    this.#transfer = new TemplateTransfer(own.serial, exchange, this.#decider, own.log);
  }

  /** Items that were marked when the latest round began. */
  marked(): ReadonlySet<string> {
    return this.#decider.view.marked;
  }

  /** Has the next round decide the items of which templates have changed here. */
  recordChange(change: Change): void {
    if (change.kind === 'cleared') this.#decider.markAllChanged();
    else if (change.kind === 'removed') for (const item of change.items) this.#decider.markChanged(item);
    else for (const { item } of change.templates) this.#decider.markChanged(item);
  }

  /** Runs one round. @throws {SyncError} or the storage's errors; what was done until then stays done */
  async run(centre: Centre, settings: RoundSettings, signal: AbortSignal): Promise<RoundResult> {
    const { serial, clock } = this.#own;
    const exchange = this.#exchange;
    // a server that was killed may have lost its last messages, and gives their numbers to others
    if (centre.server !== this.#server) this.#decider.forgetView();
    this.#server = centre.server;
    const read = await centre.marks();
    const document = { ...read, marks: [...(this.#ownMarks() ?? read.marks)] };
    const progress = await centre.document('progress', encodePart(serial), ProgressDocument);
    this.#decider.begin({ ...settings, document, now: clock.monotonic() });
    const meeting: Meeting = { centre, signal, arrived: new Map() };
    await this.#readCentre(meeting);
    const { wiped, emptied } = await this.#wipe(document);
    const plans = await this.#decideAll(signal);
    const marks = [...document.marks, ...wiped];
    const plan = joinPlans(plans, settings.limit, { marks, reported: progress?.done ?? [] });
    if (plan.report !== null) await centre.putOwn('progress', serial, { done: plan.report });
    const failures = await this.#transfer.share(meeting, plan);
    if (emptied !== null && failures.length === 0) await this.#wipes.recordCentreEmptied(emptied);
    // templates are fetched even where the centre, which may be full, refuses this device's
    await exchange.drop(plan.evict);
    const fetched = await this.#transfer.fetch(meeting, plan.fetch, this.#ownMarks);
    if (plan.put.length + plan.publishTombstones.length + (plan.report?.length ?? 0) > 0) centre.hint(serial);
    return {
      put: plan.put.length,
      fetched,
      left: plan.left,
      failure: failures.map(syncFailure)[0] ?? null,
      deleted: plan.keepTombstones.length + plan.drop.length + plan.evict.length,
      templates: this.#templates.templateCount(),
    };
  }

  async #readCentre({ centre, arrived }: Meeting): Promise<void> {
    let bytes = 0;
    const onMessage = ({ subject, data }: Numbered): void => {
      bytes += data.length;
      if (bytes <= MOST_ARRIVED_BYTES) arrived.set(subject, data);
    };
    const { templates, tombstones } = this.#decider.view;
    await follow({ centre, bucket: 'tombstones', view: tombstones });
    await follow({ centre, bucket: 'templates', view: templates, onMessage });
  }

  /**
   * Carries out a wipe, once, where this device must. The master also makes tombstones for the centre's templates:
   * otherwise other devices would fetch them again. The other devices learn of the wipe only after that, so that
   * templates that they learn later stay.
   * @returns `wiped`: the wipe that is carried out; `emptied`: on the master, the wipe that is carried out once this
   * round's tombstones are at the centre
   */
  async #wipe({ wipe, serial: master }: MarksDocument): Promise<{ wiped: { id: string }[]; emptied: string | null }> {
    const { serial } = this.#own;
    const wipes = this.#wipes;
    if (wipe === undefined || !wipe.devices.includes(serial)) return { wiped: [], emptied: null };
    const { id } = wipe;
    const present = master === serial ? new Set<string>() : await this.#publishedByOthers();
    if (await wipes.carryOut(id, (name) => present.has(identityOf(name)))) this.#decider.markAllChanged();
    if (master !== serial || wipes.isCentreEmptied()) return { wiped: [{ id }], emptied: null };
    await this.#removeForeign();
    return { wiped: [], emptied: id };
  }

  /**
   * Identities of templates at the centre that others have published: they were learned after the master emptied it. A
   * device that learns of the wipe late, as after an update or a restored backup, may have them already.
   */
  async #publishedByOthers(): Promise<Set<string>> {
    const { templates } = this.#decider.view;
    const self = encodePart(this.#own.serial);
    const present = new Set<string>();
    for (const item of templates.items) {
      for (const { ref, publisher } of templates.entriesOf(item)) if (publisher !== self) present.add(identityOf(ref));
      await nextTurn();
    }
    return present;
  }

  /**
   * Makes tombstones for the templates at the centre, except those that this device has learned and published since the
   * wipe, and those of devices that have joined since. Others may have been on their way to the centre at the wipe.
   */
  async #removeForeign(): Promise<void> {
    const exchange = this.#exchange;
    const { templates } = this.#decider.view;
    const self = encodePart(this.#own.serial);
    const newcomers = new Set(this.#wipes.newcomers().map(encodePart));
    for (const item of templates.items) {
      const here = new Set(exchange.namesOf(item).map(identityOf));
      const isNew = ({ publisher, ref }: NumberedEntry): boolean =>
        publisher === self ? here.has(identityOf(ref)) : newcomers.has(publisher);
      const old = [...templates.entriesOf(item)].filter((entry) => !isNew(entry));
      await exchange.addTombstones(old.map(({ ref }) => ref));
      await nextTurn();
    }
    this.#decider.markAllChanged();
  }

  /**
   * Decides each item that has something to do, and makes the deletions of its plan here.
   * @returns the plans that are not idle
   */
  async #decideAll(signal: AbortSignal): Promise<ItemPlan[]> {
    const items = this.#decider.drainChanged();
    try {
      return await this.#decide([...(items ?? (await this.#allItems()))], signal);
    } catch (error) {
      this.#decider.requeue(items);
      throw error;
    }
  }

  async #decide(items: readonly string[], signal: AbortSignal): Promise<ItemPlan[]> {
    const exchange = this.#exchange;
    const plans: ItemPlan[] = [];
    for (let at = 0; at < items.length; at += SLICE_ITEMS) {
      const some = items.slice(at, at + SLICE_ITEMS);
      const slice = some.map((item) => this.#decider.decide(item)).filter((plan) => !isIdle(plan));
      await exchange.addTombstones(slice.flatMap(({ keepTombstones }) => keepTombstones));
      await exchange.drop(slice.flatMap(({ drop }) => drop));
      plans.push(...slice);
      requireOpen(signal);
      await nextTurn();
    }
    return plans;
  }

  /** Items that have templates or tombstones here or at the centre. */
  async #allItems(): Promise<Set<string>> {
    const exchange = this.#exchange;
    const { templates, tombstones } = this.#decider.view;
    const all = new Set<string>();
    for (let page = exchange.itemsAfter(''); page.length > 0; page = exchange.itemsAfter(page.at(-1) ?? '')) {
      for (const item of page) all.add(item);
      await nextTurn();
    }
    for (const { items } of [templates, tombstones]) for (const item of items) all.add(item);
    return all;
  }
}
