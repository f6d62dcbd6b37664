/**
 * The health report: what works and what does not, in words for a technician. Absent hardware is a state, never a
 * reason to stop.
 */
import Type, { type Static } from 'typebox';
import { type Reason, SALES, type Sales } from '../../../drivers/lib/records.ts';
import { OwnFailures } from './own-failures.ts';

/** A part's report: its state, and the reasons, by their records. */
export interface Verdict {
  readonly state: 'ok' | 'degraded' | 'failed';
  readonly reasons: readonly Reason[];
}

export const WELL: Verdict = { state: 'ok', reasons: [] };
export const failed = (...reasons: readonly Reason[]): Verdict => ({ state: 'failed', reasons });
export const okWith = (...reasons: readonly Reason[]): Verdict => ({ state: 'ok', reasons });
/** Well where there are no reasons. */
export const degradedBy = (...reasons: readonly Reason[]): Verdict =>
  reasons.length === 0 ? WELL : { state: 'degraded', reasons };

const PartStateSchema = Type.Enum(['ok', 'degraded', 'failed'], { title: 'PartState' });
const SalesSchema = Type.Enum([...SALES], {
  title: 'Sales',
  description: 'whether payments can be taken, and whether somebody should look at it later',
});
const MeasuredSchema = Type.Object(
  {
    from: Type.Number({ description: 'if answers were certain from this probability on' }),
    certain: Type.Number({ description: 'per cent of the answers on known items' }),
    wrong: Type.Number({ description: 'per cent of these' }),
    worst: Type.Number({ description: 'the same in the worst draw of templates' }),
    strangers: Type.Number({ description: 'per cent of the answers on items that were not learned' }),
  },
  { title: 'MeasuredConfidence' },
);
const ConfidenceSchema = Type.Object(
  {
    certain: Type.Number({ description: 'probability of being right from which an answer is certain' }),
    unknown: Type.Number({ description: 'probability of an item that was not learned from which it is unknown' }),
    floor: Type.Number({ description: 'similarity below which nothing is certain with fewer than ten items' }),
    measured: Type.Array(MeasuredSchema, { description: 'on items that the model had not seen' }),
  },
  { title: 'ConfidenceHealth' },
);
const GallerySchema = Type.Object(
  {
    items: Type.Integer({ description: 'that can be recognised' }),
    prototypes: Type.Integer({
      description: 'directions that they are known by, one for each view of an item',
    }),
    confirmations: Type.Integer({
      description: 'recognitions that draw the prototypes, eight of an item at most',
    }),
    confidence: Type.Union([ConfidenceSchema, Type.Null()], {
      description: 'null where the model has none: nothing is certain',
    }),
  },
  { title: 'GalleryHealth', description: 'of the model: what is enrolled, and how answers are judged' },
);
const PartHealthSchema = Type.Object(
  {
    part: Type.String(),
    state: PartStateSchema,
    sales: SalesSchema,
    reason: Type.String({
      description: 'what is wrong, or what is left out on purpose, in English; else empty',
    }),
    reasons: Type.Array(
      Type.Object(
        {
          code: Type.String({
            description: 'a later release may have more',
          }),
          sales: SalesSchema,
          about: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
            description:
              'names, counts, and times as ISO 8601; `detail` is the message of the system, a bank or a library',
          }),
        },
        { title: 'HealthReason' },
      ),
      { description: 'the same for a program with words of its own, one for each sentence' },
    ),
    driver: Type.Optional(
      Type.String({
        description:
          'of the camera: what the configuration calls it; of the pins: how they are reached, `onoff` or `libgpiod`',
      }),
    ),
    model: Type.Optional(Type.String({ description: 'of the model: its name and version' })),
    runtime: Type.Optional(
      Type.Enum(['native', 'webassembly'], {
        title: 'ModelRuntime',
        description: 'of the model: what it runs in; both make the same vectors',
      }),
    ),
    speed: Type.Optional(
      Type.String({ description: 'of the model: the speed that recognitions take, `normal` or `fast`' }),
    ),
    speedBy: Type.Optional(
      Type.Enum(['set', 'measured', 'default'], {
        title: 'SpeedBy',
        description: 'of the model: whether a person set the speed, a measurement chose it, or neither',
      }),
    ),
    lookMs: Type.Optional(
      Type.Number({
        description: 'of the model: milliseconds of one look on this board, where it was measured',
      }),
    ),
    gallery: Type.Optional(GallerySchema),
  },
  { title: 'PartHealth' },
);

export const HealthReportSchema = Type.Object(
  {
    state: PartStateSchema,
    sales: SalesSchema,
    version: Type.String(),
    serial: Type.String(),
    instance: Type.String({
      description: 'of the process: the same on both of its ports, another after each start',
    }),
    ports: Type.Object(
      { terminal: Type.Integer(), recognition: Type.Integer() },
      { description: 'that the process listens on; a container may be reached by others', title: 'Ports' },
    ),
    uptimeSeconds: Type.Number(),
    parts: Type.Array(PartHealthSchema),
  },
  { title: 'HealthReport' },
);
export const HEALTH_EXAMPLE: Static<typeof HealthReportSchema> = {
  state: 'degraded',
  sales: 'does-not-sell',
  version: '0.1.0',
  serial: 'LW000042',
  instance: '6f1c1f0e-3f0b-4f7e-9a55-8d3c5a1f2b40',
  ports: { terminal: 1234, recognition: 8080 },
  uptimeSeconds: 86_400,
  parts: [
    { part: 'display', state: 'ok', sales: 'sells', reason: '', reasons: [] },
    {
      part: 'bank',
      state: 'degraded',
      sales: 'does-not-sell',
      reason: 'Payments cannot be registered: the bank profile does not work. (the file of the key cannot be read)',
      reasons: [
        { code: 'bank-closed', sales: 'does-not-sell', about: { detail: 'the file of the key cannot be read' } },
      ],
    },
  ],
};

export type PartState = Static<typeof PartStateSchema>;
export type PartHealth = Static<typeof PartHealthSchema>;
export type HealthReport = Static<typeof HealthReportSchema>;

/** From well to ill. */
export const WORSE: readonly PartState[] = ['ok', 'degraded', 'failed'];

const worstOf = (levels: readonly Sales[]): Sales =>
  SALES[Math.max(0, ...levels.map((level) => SALES.indexOf(level)))] ?? 'does-not-sell';

/** A part's report, before it becomes sentences. */
type PartVerdict = Verdict & Partial<Omit<PartHealth, 'part' | 'state' | 'sales' | 'reason' | 'reasons'>>;

export class HealthBoard {
  /** Work that fails by an error of the program. */
  readonly own = new OwnFailures();
  readonly #parts = new Map<string, () => PartVerdict | null>();
  readonly #about: () => Omit<HealthReport, 'state' | 'sales' | 'parts'>;

  constructor(about: () => Omit<HealthReport, 'state' | 'sales' | 'parts'>) {
    this.#about = about;
  }

  /** Adds a part, which is asked for each report; null: it does not exist at the moment. */
  add(part: string, verdict: () => PartVerdict | null): void {
    this.#parts.set(part, verdict);
  }

  report(): HealthReport {
    const parts = [...this.#parts].flatMap(([part, ask]) => {
      const verdict = withOwn(ask(), this.own.reasonsOf(part));
      return verdict === null ? [] : [healthOf(part, verdict)];
    });
    const worst = Math.max(0, ...parts.map(({ state }) => WORSE.indexOf(state)));
    const sales = worstOf(parts.map((part) => part.sales));
    return { state: WORSE[worst] ?? 'failed', sales, ...this.#about(), parts };
  }
}

function withOwn(verdict: PartVerdict | null, own: readonly Reason[]): PartVerdict | null {
  if (own.length === 0) return verdict;
  const { state, reasons, ...more } = verdict ?? WELL;
  return { ...more, state: state === 'failed' ? state : 'degraded', reasons: [...own, ...reasons] };
}

function healthOf(part: string, { state, reasons, ...more }: PartVerdict): PartHealth {
  return {
    part,
    state,
    sales: worstOf(reasons.map((reason) => reason.sales)),
    reason: reasons.join(' '),
    reasons: reasons.map((reason) => ({ code: reason.code, sales: reason.sales, about: reason.about })),
    ...more,
  };
}
