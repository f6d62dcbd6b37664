/** A part of the configuration that stands with what it is for: a feature brings it, and the core knows none by name. */
import type { Static, TSchema } from 'typebox';

export interface ConfigPart<S extends TSchema = TSchema> {
  /** A section, which may be there already and then gets more keys, or a key of one: `chain`, `terminal.webhooks`. */
  readonly key: string;
  /** The section or key that it stands behind in documents; at the end when left out, or where there is none. */
  readonly after?: string;
  readonly schema: S;
  /** Whether a server listens on its `host` and `port` from the start; without it there is none. */
  listens?(own: Static<S>): boolean;
  /** What the schema cannot express: sentences that name the key; null for what is well. */
  check?(own: Static<S>): readonly (string | null)[];
}
