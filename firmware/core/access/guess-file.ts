/** What wrong PINs have cost, on the disk: else a restart would give all guesses anew. No PIN is in it, nor what would show one. */
import Type, { type Static } from 'typebox';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { JsonStore } from '../store/index.ts';

/** The latest: of more the common allowance stands for all. */
export const MOST_PLACES = 256;

const Places = Type.Array(
  Type.Object({
    place: Type.String({ maxLength: 64 }),
    wrong: Type.Integer({ minimum: 0 }),
    /** Of the last wrong one, on the clock that no setting changes. */
    last: Type.Number(),
  }),
  { maxItems: MOST_PLACES },
);
const Schema = Type.Object({
  /** The boot that the times belong to. */
  boot: Type.String({ maxLength: 64 }),
  at: Type.Number(),
  screen: Places,
  addresses: Places,
  /** Guesses that each allowance had left at that time. */
  strangers: Type.Number(),
  familiar: Type.Number(),
  /** Networks where somebody has signed in; an earlier release did not write them. */
  signedIn: Type.Optional(
    Type.Array(Type.Object({ place: Type.String({ maxLength: 64 }), last: Type.Number() }), { maxItems: MOST_PLACES }),
  ),
});
export type KeptGuesses = Readonly<Static<typeof Schema>>;

export class GuessFile {
  readonly #store: JsonStore<KeptGuesses | null>;
  readonly #onProblem: (problem: string) => void;

  /** @param onProblem called with the reason why guesses could not be read or kept */
  constructor(path: string, onProblem: (problem: string) => void) {
    this.#store = JsonStore.open(path, Type.Union([Schema, Type.Null()]), null);
    this.#onProblem = onProblem;
  }

  /** Null before the first. */
  read(): KeptGuesses | null {
    const { problem, value } = this.#store;
    if (problem !== null) this.#onProblem(problem);
    return value;
  }

  write(guesses: KeptGuesses): void {
    try {
      this.#store.write(guesses);
    } catch (error) {
      this.#onProblem(messageOf(error)); // they count until the end of the process
    }
  }
}
