/**
 * Makes vectors of the present model for templates of another one, in the background: after an update of the model, the
 * import of a foreign package or a synchronisation. Each vector is made from the stored crop; finished ones survive a
 * restart.
 */
import { pause } from '../../../drivers/lib/async.ts';
import type { LogLine } from '../../core/host/index.ts';
import type { Recogniser } from '../answer/recogniser.ts';
import type { TemplateIndex } from '../matching/template-index.ts';
import { RecognitionError } from '../model/recognition-error.ts';
import type { Templates } from '../templates/templates.ts';

/** Templates of one commit. */
const COMMIT_TEMPLATES = 16;
/** Templates whose names are looked up at once. */
const LOOKED_UP = 512;
/** Wait after a picture that could not be embedded because the model was busy or being replaced. */
const RETRY_MS = 1000;

export interface ReembeddingProgress {
  /** Templates that still have another model's vector. */
  readonly left: number;
  /** How many of these have a crop that cannot be decoded: such templates should be deleted. */
  readonly damaged: number;
}

export class Reembedding {
  readonly #templates: Templates;
  readonly #recogniser: Pick<Recogniser, 'vectorOf'>;
  readonly #model: string;
  readonly #log: LogLine;
  readonly #damaged = new Set<number>();
  readonly #closing = new AbortController();
  #running: Promise<void> | null = null;
  #isRequested = false;

  constructor(
    templates: Templates,
    recogniser: Pick<Recogniser, 'vectorOf'>,
    { model }: Pick<TemplateIndex, 'model'>,
    log: LogLine,
  ) {
    this.#templates = templates;
    this.#recogniser = recogniser;
    this.#model = model.identity;
    this.#log = log;
  }

  get progress(): ReembeddingProgress {
    return { left: this.#templates.reader.counts(this.#model).foreign, damaged: this.#damaged.size };
  }

  /**
   * Re-embeds templates of other models, now or after the present round. Settles when each was tried, or the round has
   * failed; never rejects.
   */
  start(): Promise<void> {
    this.#isRequested = true;
    this.#running ??= this.#rounds().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #rounds(): Promise<void> {
    while (this.#isRequested && !this.#closing.signal.aborted) {
      this.#isRequested = false;
      try {
        await this.#round();
      } catch (error) {
        this.#log('re-embedding stopped; the next start goes on', { err: error });
      }
    }
  }

  async #round(): Promise<void> {
    const model = this.#model;
    this.#damaged.clear();
    let after = 0;
    let done = 0;
    for (;;) {
      const ids = this.#templates.reader.foreign(model, after, LOOKED_UP);
      const last = ids.at(-1);
      if (last === undefined || this.#closing.signal.aborted) break;
      for (let start = 0; start < ids.length; start += COMMIT_TEMPLATES)
        done += await this.#reembed(ids.slice(start, start + COMMIT_TEMPLATES));
      after = last;
    }
    if (done > 0) this.#log('templates re-embedded', { templates: done, model });
  }

  /** Re-embeds some templates; returns how many have a vector of the present model now. */
  async #reembed(ids: readonly number[]): Promise<number> {
    const vectors = new Map<number, Float32Array>();
    for (const id of ids) {
      const vector = await this.#embed(id);
      if (vector !== null) vectors.set(id, vector);
    }
    if (vectors.size > 0) await this.#templates.reembed(this.#model, vectors);
    return vectors.size;
  }

  /** The template's new vector; null where the template is gone or damaged, or the device is closing. */
  async #embed(id: number): Promise<Float32Array | null> {
    while (!this.#closing.signal.aborted) {
      try {
        const crop = this.#templates.reader.crop(id);
        if (crop === null) return null;
        return await this.#recogniser.vectorOf(crop);
      } catch (error) {
        if (!(error instanceof RecognitionError) || error.codeName !== 'Model.NotReady') {
          this.#damaged.add(id);
          return null;
        }
        await pause(RETRY_MS, this.#closing.signal);
      }
    }
    return null;
  }
}
