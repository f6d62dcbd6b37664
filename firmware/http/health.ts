/** What works and what does not, in words for a technician. Absent hardware is a state, never a reason to stop. */

export type PartState = 'ok' | 'degraded' | 'failed';

export interface PartHealth {
  readonly part: string;
  readonly state: PartState;
  /** What is wrong and what to do; empty when all is well. */
  readonly reason: string;
}

export interface HealthReport {
  readonly state: PartState;
  readonly version: string;
  readonly serial: string;
  readonly uptimeSeconds: number;
  readonly parts: readonly PartHealth[];
}

const WORSE: readonly PartState[] = ['ok', 'degraded', 'failed'];

export class HealthBoard {
  readonly #parts = new Map<string, () => Omit<PartHealth, 'part'>>();
  readonly #about: () => Omit<HealthReport, 'state' | 'parts'>;

  constructor(about: () => Omit<HealthReport, 'state' | 'parts'>) {
    this.#about = about;
  }

  /** Adds a part, asked anew for each report. */
  add(part: string, state: () => { readonly state: PartState; readonly reason?: string }): void {
    this.#parts.set(part, () => ({ reason: '', ...state() }));
  }

  report(): HealthReport {
    const parts = [...this.#parts].map(([part, ask]) => ({ part, ...ask() }));
    const worst = Math.max(0, ...parts.map(({ state }) => WORSE.indexOf(state)));
    return { state: WORSE[worst] ?? 'failed', ...this.#about(), parts };
  }
}
