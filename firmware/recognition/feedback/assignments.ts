/**
 * A person assigns several uncertain answers to an item at once: all their pictures become its templates, or none. Or a
 * person marks them as nothing to learn from. Either can be undone for a while.
 */
import { randomUUID } from 'node:crypto';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import type { Clock } from '../../core/host/index.ts';
import { type Sureness, UNSEEN } from '../matching/sureness.ts';
import { MAX_QUEUED, ReviewError, type ReviewQueue, type UncertainAnswer } from './review-queue.ts';

/** How long an assignment can be undone. */
const UNDO_MS = 5 * 60_000;

/** How sure recognition was of a picture before the assignment, and after it. */
export interface Comparison {
  /** Id of the answer. */
  readonly answer: string;
  readonly before: Sureness;
  readonly after: Sureness;
}

export interface Assignment {
  readonly id: string;
  /** The assigned item; null: nothing to learn from. */
  readonly item: string | null;
  /** Ids of the answers, in the order of the request. */
  readonly answers: readonly string[];
  /** Ids of the new templates, in the same order; empty where `item` is null. */
  readonly templates: readonly string[];
  /** Comparisons of each picture; empty where `item` is null. */
  readonly judged: readonly Comparison[];
  /** How long the assignment can still be undone, ms. */
  readonly leftMs: number;
}

interface StoredAssignment extends Omit<Assignment, 'leftMs'> {
  readonly removed: readonly UncertainAnswer[];
  readonly endsAt: number;
}

const sameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id));

/** Makes templates of pictures, and deletes them again. */
export interface Teacher {
  /**
   * Makes templates of an item from earlier pictures: of all of them, or of none.
   * @returns their identifiers, and how sure recognition was of each picture before and is after, in their order
   * @throws {RecognitionError} nothing has happened then
   */
  addAll(item: string, pictures: readonly UncertainAnswer[]): Promise<Taught>;
  /** Deletes those of the templates that still exist. @throws {RecognitionError} */
  deleteThese(item: string, sids: readonly string[]): Promise<void>;
}
interface Taught {
  readonly sids: readonly string[];
  readonly before: readonly Sureness[];
  readonly after: readonly Sureness[];
}

export class Assignments {
  readonly #review: ReviewQueue;
  readonly #teacher: Teacher;
  readonly #clock: Clock;
  /** Assignments that can be undone, the latest last. */
  #stored: StoredAssignment[] = [];
  readonly #queue = new SerialQueue();

  constructor(review: ReviewQueue, teacher: Teacher, clock: Clock) {
    this.#review = review;
    this.#teacher = teacher;
    this.#clock = clock;
  }

  /** Assignments that can be undone, the latest first. */
  all(): Assignment[] {
    this.#removeExpired();
    return this.#stored.toReversed().map((stored) => this.#asAssignment(stored));
  }

  /**
   * Assigns answers; the same request again returns the earlier assignment.
   * @param item null: the answers are nothing to learn from
   * @throws {ReviewError}
   * @throws {RecognitionError} `Templates.Full`, `Templates.Locked`, `Model.NotReady`, `Internal.StorageFull`, `Internal.StorageRefused`: nothing has happened then
   */
  async assign(item: string | null, answers: readonly string[]): Promise<{ assignment: Assignment; isNew: boolean }> {
    return await this.#queue.run(async () => {
      this.#removeExpired();
      const ids = [...new Set(answers)];
      const known = this.#stored.find((stored) => stored.item === item && sameSet(stored.answers, ids));
      if (known !== undefined) return { assignment: this.#asAssignment(known), isNew: false };
      const stored = await this.#carryOut(item, ids);
      this.#stored.push(stored);
      // the pictures are of shoppers who never agreed: no more of them are stored than in the queue
      while (this.#stored.flatMap(({ answers: all }) => all).length > MAX_QUEUED) this.#stored.shift();
      return { assignment: this.#asAssignment(stored), isNew: true };
    });
  }

  /**
   * Undoes an assignment: its templates are deleted, and the answers wait again.
   * @throws {ReviewError} @throws {RecognitionError} `Templates.Locked`, `Internal.StorageFull`, `Internal.StorageRefused`
   */
  async undo(id: string): Promise<Assignment> {
    return await this.#queue.run(async () => {
      this.#removeExpired();
      const stored = this.#stored.find((one) => one.id === id);
      if (stored === undefined) throw new ReviewError('NotFound', 'it was undone before, or too long ago');
      if (stored.item !== null) await this.#teacher.deleteThese(stored.item, stored.templates);
      this.#stored = this.#stored.filter((one) => one !== stored);
      this.#review.restore(stored.removed);
      return this.#asAssignment(stored);
    });
  }

  async #carryOut(item: string | null, ids: readonly string[]): Promise<StoredAssignment> {
    const chosen = ids.map((id) => this.#require(id));
    const fresh = {
      id: randomUUID(),
      item,
      answers: ids,
      removed: chosen,
      endsAt: this.#clock.monotonic() + UNDO_MS,
    };
    if (item === null) {
      this.#review.remove(ids);
      return { ...fresh, templates: [], judged: [] };
    }
    const { sids, before, after } = await this.#teacher.addAll(item, chosen);
    this.#review.remove(ids);
    const judged = chosen.map(({ id }, at) => ({
      answer: id,
      before: before[at] ?? UNSEEN,
      after: after[at] ?? UNSEEN,
    }));
    return { ...fresh, templates: sids, judged };
  }

  #require(id: string): UncertainAnswer {
    const answer = this.#review.find(id);
    if (answer !== null) return answer;
    if (this.#stored.some(({ answers }) => answers.includes(id)))
      throw new ReviewError('AnsweredOtherwise', `something else was said of ${id} before: take that back first`);
    throw new ReviewError('NotFound', `the answer ${id} is not kept any more: look at the list again`);
  }

  #asAssignment({ id, item, answers, templates, judged, endsAt }: StoredAssignment): Assignment {
    const leftMs = Math.max(0, Math.round(endsAt - this.#clock.monotonic()));
    return { id, item, answers, templates, judged, leftMs };
  }

  #removeExpired(): void {
    const now = this.#clock.monotonic();
    this.#stored = this.#stored.filter(({ endsAt }) => endsAt > now);
  }
}
