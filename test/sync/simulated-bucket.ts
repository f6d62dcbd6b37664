/** A bucket of the simulated centre: one message under each subject, numbered in the order in which they came. */
import type { Place } from '../../firmware/sync/centre/bucket-view.ts';
import type { ViewedBucket } from '../../firmware/sync/centre/store-view.ts';
import { type Entry, entryOf } from '../../firmware/sync/centre/subjects.ts';

interface Message<Content> {
  readonly subject: string;
  readonly content: Content;
  readonly at: number;
}

export class SimulatedBucket<Content> {
  readonly created: string;
  #last = 0;
  readonly #messages = new Map<number, Message<Content>>();
  readonly #numbers = new Map<string, number>();

  constructor(created: string) {
    this.created = created;
  }

  get last(): number {
    return this.#last;
  }

  get place(): Place {
    return { created: this.created, last: this.#last, messages: this.#messages.size };
  }

  get subjects(): string[] {
    return [...this.#numbers.keys()];
  }

  put(subject: string, content: Content, at: number): number {
    this.purge(subject);
    this.#last += 1;
    this.#messages.set(this.#last, { subject, content, at });
    this.#numbers.set(subject, this.#last);
    return this.#last;
  }

  purge(subject: string): void {
    this.#messages.delete(this.#numbers.get(subject) ?? 0);
    this.#numbers.delete(subject);
  }

  at(number: number): string | null {
    return this.#messages.get(number)?.subject ?? null;
  }

  contentOf(subject: string): Content | null {
    return this.latest(subject)?.data ?? null;
  }

  latest(subject: string): { number: number; subject: string; data: Content } | null {
    const number = this.#numbers.get(subject) ?? 0;
    const message = this.#messages.get(number);
    return message === undefined ? null : { number, subject, data: message.content };
  }

  entries(bucket: ViewedBucket): Entry[] {
    return this.subjects.map((subject) => entryOf(bucket, subject)).filter((entry) => entry !== null);
  }

  /** What came after a moment is not there, and never was. */
  lose(after: number): void {
    for (const [number, { subject, at }] of this.#messages) {
      if (at <= after) continue;
      this.purge(subject);
      this.#last = Math.min(this.#last, number - 1);
    }
  }

  copy(): SimulatedBucket<Content> {
    const copy = new SimulatedBucket<Content>(this.created);
    copy.#last = this.#last;
    for (const [number, message] of this.#messages) {
      copy.#messages.set(number, message);
      copy.#numbers.set(message.subject, number);
    }
    return copy;
  }
}
