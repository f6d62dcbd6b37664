/**
 * Recovery of a ledger's files while payments are taken: rows that were damaged or lost are put back from copies, a ledger that
 * could not be opened is tried again, and the result of both is in sentences for `/health`.
 */
import { type Clock, type LogLine, type Reason, reasonOf } from '../../host/index.ts';
import { type CheckedTable, type Finding, lastSetAside, Replicator } from '../../store/index.ts';

const MOST_LISTED = 20;
/** A ledger that cannot be opened is tried again this often: rebuilding a damaged one takes seconds. */
const TRY_OPENING_EVERY_MS = 5000;

/** What sentences call a ledger and its rows. */
export interface LedgerWords {
  readonly ledger: string;
  readonly row: string;
  readonly rows: string;
}

export interface LedgerRecoveryOptions {
  readonly ledger: { readonly table: CheckedTable; tryOpening(): boolean };
  readonly words: LedgerWords;
  /** The ledger's file. */
  readonly path: string;
  readonly clock: Clock;
  /** Rows of these ids were put back. */
  readonly onRepaired: (ids: readonly number[]) => void;
  /** The ledger could not be opened before, and is open now. */
  readonly onOpened: () => void;
  readonly log: LogLine;
}

/** As the export counts them. */
function listed(ids: readonly number[], { row, rows }: LedgerWords): string {
  const more = ids.length - MOST_LISTED;
  const what = ids.length === 1 ? row : rows;
  const list = ids.toSorted((one, other) => one - other).slice(0, MOST_LISTED);
  return `${what} ${list.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const WORDS: Readonly<Record<Finding, (rows: string, ledger: string) => string>> = {
  damaged: (rows, ledger) =>
    `${rows} of ${ledger}: damaged, and no whole copy is left. Do not trust what ${ledger} says of them, ask the bank`,
  lost: (rows, ledger) => `${rows} of ${ledger}: lost, and no copy is left. Ask the bank for its list of that time`,
  altered: (rows, ledger) =>
    `${rows} of ${ledger} were changed by hand, without their checksums, and are kept so: compare them with the bank`,
  conflicting: (rows, ledger) =>
    `${rows} of ${ledger}: a copy or the journal knows others under these numbers, such as those of this device before an older state of it was put back. It was left as it is, and a copy is set aside where it lay: give that to the accountant`,
  repaired: (rows, ledger) =>
    `${rows} of ${ledger} had been changed or lost by the storage, and were put back as they were: replace the card if it happens again`,
};

export class LedgerRecovery {
  readonly #options: LedgerRecoveryOptions;
  readonly #replicator: Replicator;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: LedgerRecoveryOptions) {
    this.#options = options;
    const { ledger, clock, log } = options;
    this.#replicator = new Replicator({
      table: ledger.table,
      now: () => clock.wall(),
      onRepaired: options.onRepaired,
      log,
    });
  }

  /** What became of the files and the rows, and what to do, in sentences. */
  get problems(): Reason[] {
    return [...this.#setAside(), ...this.#found(), ...this.#behind()];
  }

  start(): void {
    this.#replicator.start();
    this.#timer = setInterval(() => this.#tryOpening(), TRY_OPENING_EVERY_MS).unref();
  }

  /** Looks at every payment, and puts back what can be; for an export. Never fails. */
  compare(): Promise<void> {
    return this.#replicator.compare();
  }

  close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    return this.#replicator.close();
  }

  #tryOpening(): void {
    const { ledger, words, onOpened, log } = this.#options;
    if (!ledger.tryOpening()) return;
    log(`${words.ledger}, which could not be opened, is open`);
    onOpened();
  }

  #setAside(): Reason[] {
    const { path, ledger, words } = this.#options;
    const aside = lastSetAside(path);
    const beside = ledger.table.companions.flatMap((file) => lastSetAside(file) ?? []);
    const isWhole = aside === null && !this.#has('damaged') && !this.#has('lost');
    const what = isWhole
      ? 'as far as is known nothing is lost by it; move it away, and replace the card if it happens again'
      : `it may hold what ${words.ledger} lacks: give it to the accountant too`;
    const made = 'it was made anew from its journal, its copies and what could be read of it';
    return [
      ...(aside === null
        ? []
        : [
            reasonOf(
              'ledger-aside',
              { file: aside },
              `${words.ledger} was damaged and set aside as ${aside}; ${made}: give that file to the accountant; this notice ends when it is moved away`,
            ),
          ]),
      ...beside.map((file) => {
        const sentence = `a file beside ${words.ledger} was damaged and set aside as ${file}: ${what}`;
        return reasonOf('ledger-beside', { file }, sentence);
      }),
    ];
  }

  #has(wanted: Finding): boolean {
    return [...this.#options.ledger.table.findings.values()].includes(wanted);
  }

  #found(): Reason[] {
    const { ledger, words } = this.#options;
    const findings = [...ledger.table.findings];
    const idsOf = (wanted: Finding): number[] => findings.flatMap(([id, finding]) => (finding === wanted ? [id] : []));
    return (['damaged', 'lost', 'conflicting', 'altered', 'repaired'] as const).flatMap((finding) => {
      const ids = idsOf(finding);
      if (ids.length === 0) return [];
      const detail = listed(ids, words);
      return [reasonOf(`ledger-${finding}`, { detail }, WORDS[finding](detail, words.ledger))];
    });
  }

  #behind(): Reason[] {
    const { ledger, words } = this.#options;
    const { journalProblem } = ledger.table;
    const copies = [...this.#replicator.problems].map(([path, detail]) =>
      reasonOf('ledger-copy', { path, detail }, `the copy of ${words.ledger} in ${path} is not up to date: ${detail}`),
    );
    if (journalProblem === null) return copies;
    const sentence = `the journal of ${words.ledger} cannot be written: ${journalProblem}`;
    return [reasonOf('ledger-journal', { detail: journalProblem }, sentence), ...copies];
  }
}
