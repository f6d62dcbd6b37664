/**
 * What pages play in their browser, where the device has no speaker: the number of the newest sound goes out with the
 * state of the pages, and each fetches it. Which pages could play it, they say themselves every minute.
 */
import type { Clock } from '../../core/host/index.ts';
import type { PageSound } from '../feature.ts';

/** A page that has not said so for this long is closed. */
export const PAGE_GONE_MS = 150_000;
/** More pages than a lane has; each is a small entry. */
const MOST_PAGES = 50;

export const SOUNDING_PAGES = ['display', 'checkout'] as const;

export interface SoundingPage {
  readonly id: string;
  readonly page: (typeof SOUNDING_PAGES)[number];
  /** Whether its browser lets it play; it does once the page was touched. */
  readonly plays: boolean;
}

export class PageSounds {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #path: string;
  readonly #pages = new Map<string, SoundingPage & { readonly at: number }>();
  readonly #listeners = new Set<() => void>();
  #isOn = false;
  #number = 0;
  #wav: Buffer | null = null;

  /** @param path at which pages fetch the newest sound */
  constructor(clock: Pick<Clock, 'monotonic'>, path: string) {
    this.#clock = clock;
    this.#path = path;
  }

  /** For the state of the pages; null: they play nothing. */
  get now(): PageSound | null {
    if (!this.#isOn) return null;
    return { number: this.#number, path: this.#path, isOnDisplay: this.#open.some(isPlayingDisplay) };
  }

  /** The file of the newest sound; null before the first, and where its number is another: it would be played twice. */
  wavOf(number: number | null): Buffer | null {
    return number === null || number === this.#number ? this.#wav : null;
  }

  /** `playing`: a page can play; `suspended`: each open one waits for a touch; `none`: no page is open. */
  get state(): 'playing' | 'suspended' | 'none' {
    const open = this.#open;
    if (open.some(({ plays }) => plays)) return 'playing';
    return open.length > 0 ? 'suspended' : 'none';
  }

  onChange(changed: () => void): void {
    this.#listeners.add(changed);
  }

  turn(isOn: boolean): void {
    this.#isOn = isOn;
    this.#changed();
  }

  play(wav: Buffer): void {
    this.#wav = wav;
    this.#number = Math.max(this.#number + 1, Math.round(this.#clock.monotonic()));
    this.#changed();
  }

  /** A page says what it is, and whether it can play. */
  report(page: SoundingPage): void {
    this.#pages.delete(page.id);
    this.#pages.set(page.id, { ...page, at: this.#clock.monotonic() });
    for (const id of this.#pages.keys()) if (this.#pages.size > MOST_PAGES) this.#pages.delete(id);
    this.#changed();
  }

  get #open(): SoundingPage[] {
    const since = this.#clock.monotonic() - PAGE_GONE_MS;
    return [...this.#pages.values()].filter(({ at }) => at > since);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

const isPlayingDisplay = ({ page, plays }: SoundingPage): boolean => page === 'display' && plays;
