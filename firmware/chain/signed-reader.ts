/**
 * Documents of the chain as a device takes them: signed, and never older than one that it has seen. The highest number of each
 * place is kept over a restart, so that one who has the hub cannot bring back what the chain has replaced.
 */
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { JsonStore } from '../store/index.ts';
import { ChainError } from './errors.ts';
import type { ChainLink } from './link.ts';
import { openDocument } from './signed-document.ts';
import type { Scope } from './subjects.ts';
import type { Trust } from './trust.ts';

const Seen = Type.Object({ numbers: Type.Record(Type.String(), Type.Integer({ minimum: 1 })) });

interface SignedReaderOptions {
  /** Of the highest numbers. */
  readonly path: string;
  readonly link: Pick<ChainLink, 'read'>;
}

export class SignedReader {
  readonly #link: Pick<ChainLink, 'read'>;
  readonly #seen: JsonStore<Static<typeof Seen>>;

  constructor({ path, link }: SignedReaderOptions) {
    this.#link = link;
    this.#seen = JsonStore.open(path, Seen, { numbers: {} });
  }

  /**
   * Null where there is nothing.
   * @throws {ChainError} `forged`, `no-line`, `timeout`, `refused`, `name`
   * @throws the file system's error: what could be brought back after a restart is not taken
   */
  async read(scope: Scope, key: string, trust: Trust): Promise<string | null> {
    const found = await this.#link.read(scope, key);
    if (found === null) return null;
    const place = { store: scope === 'own' ? trust.account : null, key };
    const { number, body } = openDocument(trust.signingKey, place, found.data);
    this.#requireNewest(placeName(trust, scope, key), number);
    return body;
  }

  #requireNewest(place: string, number: number): void {
    const { numbers } = this.#seen.value;
    const highest = numbers[place] ?? 0;
    if (number < highest)
      throw new ChainError(
        'forged',
        `what lies at the chain is older (${number}) than what was there before (${highest})`,
      );
    if (number > highest) this.#seen.write({ numbers: { ...numbers, [place]: number } });
  }
}

/** Another chain counts for itself, and so does another store. */
function placeName({ account, signingKey }: Trust, scope: Scope, key: string): string {
  const of = scope === 'own' ? `${signingKey}\n${account}` : signingKey;
  return `${createHash('sha256').update(of).digest('base64url')} ${scope} ${key}`;
}
