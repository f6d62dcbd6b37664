/** The last reports, in one small document: a new one is there whole, or not at all. */
import Type, { type Static } from 'typebox';
import { JsonStore } from '../../core/store/index.ts';
import { type ReportLine, VERDICTS } from './run.ts';

/** Some 15 kB each. */
const KEPT = 5;

const Report = Type.Object({
  number: Type.Integer(),
  at: Type.String(),
  version: Type.String(),
  verdict: Type.Enum([...VERDICTS]),
  page: Type.String({ description: 'as it is printed; of an earlier release with a signature at its end' }),
});
type Kept = Static<typeof Report>;

export class KeptReports {
  readonly #store: JsonStore<{ reports: Kept[] }>;

  constructor(path: string) {
    this.#store = JsonStore.open(path, Type.Object({ reports: Type.Array(Report) }), { reports: [] });
  }

  /** The newest first. */
  get lines(): ReportLine[] {
    return this.#store.value.reports.map(({ number, at, version, verdict }) => ({ number, at, version, verdict }));
  }

  page(number: number): string | null {
    return this.#store.value.reports.find((report) => report.number === number)?.page ?? null;
  }

  /** @throws the file system's error: nothing has changed then */
  keep(report: Kept): void {
    this.#store.write({ reports: [report, ...this.#store.value.reports].slice(0, KEPT) });
  }
}
