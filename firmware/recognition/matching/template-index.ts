/**
 * The classifier in memory, which follows each change of the templates that the present model made. A template of
 * another device or of a manipulated database may name this model and hold a vector of another dimension or length: it
 * is left out.
 */

import { nextTurn } from '../../../drivers/lib/turns.ts';
import type { Speed } from '../../core/config/index.ts';
import type { LogLine } from '../../core/host/index.ts';
import type { Manifest } from '../embedding/manifest.ts';
import type { Change, TemplateVector } from '../model/template.ts';
import { type Classification, Classifier } from './classifier.ts';
import type { Confidence } from './confidence.ts';
import type { Confirmation, IndexedTemplate } from './enrolled-items.ts';
import { findLookAlikes, type LookAlikes } from './look-alikes.ts';

/** Cosine of two prototypes from which items are look-alikes. */
const LOOK_ALIKE = 0.75;
/** Rows that are read at once at a start. */
const START_ROWS = 200;
/**
 * Rows that an import adds between two turns of the event loop: where each is of another item, a row takes 0.2 ms for
 * new prototypes.
 */
const BATCH_ROWS = 40;

/** The templates: the present ones and each change of them. */
export interface StoredTemplates {
  readonly reader: {
    /**
     * Templates that a model made, in the order of their rows.
     * @param after row of the last one read @param batch the only batch to read; null for all
     */
    vectors(model: string, after: number, limit: number, batch: number | null): readonly TemplateVector[];
  };
  onChange(listener: (change: Change) => void): void;
  /** Reports to all listeners a change that another connection made. */
  report(change: Change): void;
}

/** The confirmations: the present ones and each new one. */
export interface StoredConfirmations {
  all(): readonly Confirmation[];
  onAdded(listener: (added: Confirmation) => void): void;
}

export interface Model {
  readonly identity: string;
  readonly manifest: Manifest;
}

type Measured = Confidence['measured'][number];

/** The report on the enrolled items. */
export interface GalleryReport {
  readonly items: number;
  /** Prototypes of all items. */
  readonly prototypes: number;
  /** Confirmations that move the prototypes. */
  readonly confirmations: number;
  /** The rules of verdicts; null where the model has none. */
  readonly confidence: (Pick<Confidence, 'certain' | 'unknown' | 'floor'> & { measured: Measured[] }) | null;
}

const reported = ({ certain, unknown, floor, measured }: Confidence): GalleryReport['confidence'] =>
  Object.freeze({ certain, unknown, floor, measured: [...measured] });

export class TemplateIndex {
  readonly #templates: StoredTemplates;
  readonly model: Model;
  readonly #warn: LogLine;
  /** Whether it was logged that templates are left out. */
  #isWarned = false;
  #classifier: Classifier;

  /** Reads every template, which takes most of a start's time. */
  constructor(
    templates: StoredTemplates,
    model: Model,
    warn: LogLine,
    confirmations: StoredConfirmations | null = null,
  ) {
    this.#templates = templates;
    this.model = model;
    this.#warn = warn;
    this.#classifier = this.#empty();
    this.#classifier.addAll(this.#fitting(this.#stored()));
    this.#confirm(confirmations?.all() ?? []);
    confirmations?.onAdded((confirmation) => this.#confirm([confirmation]));
    templates.onChange((change) => this.#apply(change));
  }

  /** The `k` most similar items. @param vector of the present model */
  classify(vector: Float32Array, k: number, speed: Speed): Classification {
    return this.#classifier.classify(vector, k, speed);
  }

  /** Number of templates by which an item is recognised, without those of another model. */
  countOf(item: string): number {
    return this.#classifier.countOf(item);
  }

  /** Items that look alike and templates of the wrong item, some at a time: see `look-alikes.ts`. */
  lookAlikes(after: string | null, limit: number): Promise<LookAlikes> {
    return findLookAlikes(this.#classifier, LOOK_ALIKE, after, limit);
  }

  /** The report on the enrolled items, and how certain an answer must be at a speed. */
  report(speed: Speed): GalleryReport {
    const { fast, confidence } = this.model.manifest;
    const rule = (speed === 'fast' ? fast : undefined)?.confidence ?? confidence;
    return {
      items: this.#classifier.itemCount,
      prototypes: this.#classifier.prototypeCount,
      confirmations: this.#classifier.confirmationCount,
      confidence: rule === undefined ? null : reported(rule),
    };
  }

  /** Adds confirmations; damaged ones are skipped. */
  #confirm(confirmations: readonly Confirmation[]): void {
    this.#classifier.confirmAll(confirmations.filter(({ vector }) => this.#classifier.fits(vector)));
  }

  /** Adds a batch that a worker made visible, in pieces with turns for the event loop between. */
  async addBatch(batch: number): Promise<void> {
    for (const piece of this.#pieces(BATCH_ROWS, batch)) {
      this.#templates.report({ kind: 'added', templates: piece });
      await nextTurn();
    }
  }

  /** The templates in pieces, of one batch where it is named. */
  *#pieces(rows: number, batch: number | null = null): Generator<readonly TemplateVector[]> {
    const read = (after: number) => this.#templates.reader.vectors(this.model.identity, after, rows, batch);
    for (let piece = read(0); piece.length > 0; piece = read(piece.at(-1)?.id ?? 0)) yield piece;
  }

  *#stored(): Generator<TemplateVector> {
    for (const piece of this.#pieces(START_ROWS)) yield* piece;
  }

  /** The templates that fit; warns at the first other one, not at each of thousands. */
  *#fitting(templates: Iterable<TemplateVector>): Generator<IndexedTemplate> {
    for (const { id, item, vector, madeAt } of templates) {
      if (this.#classifier.fits(vector)) yield { item, key: String(id), vector, madeAt };
      else if (!this.#isWarned) {
        this.#isWarned = true;
        const model = this.model.identity;
        this.#warn('templates name the present model but hold no vector of it: they are left out', { item, model });
      }
    }
  }

  #empty(): Classifier {
    const { manifest } = this.model;
    return new Classifier({ ...manifest, dimension: manifest.output.dimension });
  }

  #apply(change: Change): void {
    switch (change.kind) {
      case 'added':
        this.#classifier.addAll(this.#fitting(change.templates.filter(({ model }) => model === this.model.identity)));
        break;
      case 'removed':
        for (const id of change.ids) this.#classifier.remove(String(id));
        break;
      case 'cleared':
        this.#classifier = this.#empty();
    }
  }
}
