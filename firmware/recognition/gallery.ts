/** The classifier in memory, kept in line with the templates that the present model made. */
import { type Classification, Classifier } from './classifier.ts';
import type { Manifest } from './manifest.ts';
import type { Change, Templates } from './templates.ts';

/** Rows that are read at once: a piece is done in a few milliseconds. */
const PIECE_ROWS = 200;

export interface Model {
  readonly identity: string;
  readonly manifest: Manifest;
}

export class Gallery {
  readonly #templates: Templates;
  readonly #model: Model;
  #classifier: Classifier;

  /** Reads every template: the time of a start. */
  constructor(templates: Templates, model: Model) {
    this.#templates = templates;
    this.#model = model;
    this.#classifier = this.#empty();
    this.#classifier.addAll(this.#stored());
    templates.onChange((change) => this.#follow(change));
  }

  get itemCount(): number {
    return this.#classifier.itemCount;
  }

  get templateCount(): number {
    return this.#classifier.templateCount;
  }

  /** The `k` most similar items. @param vector of the present model */
  classify(vector: Float32Array, k: number): Classification {
    return this.#classifier.classify(vector, k);
  }

  /** Takes in a batch that a worker made visible, in pieces between which others get their turn. */
  async takeBatch(batch: number): Promise<void> {
    const { identity } = this.#model;
    let after = 0;
    for (;;) {
      const piece = this.#templates.vectors(identity, after, PIECE_ROWS, batch);
      const last = piece.at(-1);
      if (last === undefined) return;
      this.#templates.tellAdded(piece);
      after = last.id;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  *#stored() {
    let after = 0;
    for (;;) {
      const piece = this.#templates.vectors(this.#model.identity, after, PIECE_ROWS);
      for (const { id, item, vector } of piece) yield { item, key: String(id), vector };
      const last = piece.at(-1);
      if (last === undefined) return;
      after = last.id;
    }
  }

  #empty(): Classifier {
    const { temperature, thresholds, output } = this.#model.manifest;
    return new Classifier({ temperature, thresholds, dimension: output.dimension });
  }

  #follow(change: Change): void {
    switch (change.kind) {
      case 'added': {
        const own = change.templates.filter(({ model }) => model === this.#model.identity);
        this.#classifier.addAll(own.map(({ id, item, vector }) => ({ item, key: String(id), vector })));
        break;
      }
      case 'removed':
        for (const id of change.ids) this.#classifier.remove(String(id));
        break;
      case 'cleared':
        this.#classifier = this.#empty();
    }
  }
}
