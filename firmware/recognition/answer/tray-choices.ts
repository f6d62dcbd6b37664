/** What people have chosen and taken back of the things on the present tray: which of their answers is news. */
import type { Chosen, TakenBack } from './tray-state.ts';

/** An answer, and the number of the recognition that it answers. */
interface Answered {
  readonly number: number;
}

const nameOf = ({ recognition, thing }: Pick<TakenBack, 'recognition' | 'thing'>): string => `${recognition} ${thing}`;

export class TrayChoices {
  /** The newest answer of each thing; null: the one thing that the recognition found. */
  readonly #answers = new Map<number | null, 'chosen' | 'taken-back'>();
  /** Recognitions that were taken back, and not chosen again by the same one. */
  readonly #takenBack = new Set<string>();
  /** Recognitions up to this number belong to an earlier tray. */
  #earlier = 0;

  /** Whether a thing counts as chosen. */
  get isChosen(): boolean {
    return [...this.#answers.values()].includes('chosen');
  }

  /** Begins another tray: answers to recognitions up to this number no longer count. */
  beginTray(earlier: number): void {
    this.#answers.clear();
    this.#takenBack.clear();
    this.#earlier = earlier;
  }

  /**
   * Records a choice. One that repeats the recognition's answer is news only where the thing was taken back.
   * @returns whether it is news
   */
  choose(chosen: Chosen, { number, isRepeated }: Answered & { readonly isRepeated: boolean }): boolean {
    const { thing } = chosen;
    if (number <= this.#earlier || (isRepeated && this.#answers.get(thing) !== 'taken-back')) return false;
    this.#answers.set(thing, 'chosen');
    this.#takenBack.delete(nameOf(chosen));
    return true;
  }

  /** Records that an answer or a choice was taken back. @returns whether it is news: the first time of each recognition */
  takeBack(takenBack: TakenBack, { number }: Answered): boolean {
    const name = nameOf(takenBack);
    if (number <= this.#earlier || this.#takenBack.has(name)) return false;
    this.#takenBack.add(name);
    this.#answers.set(takenBack.thing, 'taken-back');
    return true;
  }
}
