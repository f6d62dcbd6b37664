/**
 * Applies the settings that somebody put on the boot partition (`scripts/install/options.sh`): tokens, of which only the
 * digests stay, and a master to pair with once it can be reached. Problems of the settings are reported until new ones come.
 */
import { rmSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { messageOf } from '../../../drivers/lib/errors.ts';
import type { Reason } from '../../../drivers/lib/records.ts';
import { readPlainFileIfAny, replaceFile } from '../files/index.ts';
import { degradedBy, type HealthBoard, type Log, type Timekeeper } from '../host/index.ts';
import { ROLES } from '../http/index.ts';
import { problemsWith } from '../schema/index.ts';
import type { MadeTokens } from './made-tokens.ts';
import { reasonOf } from './records.ts';

const MAX_BYTES = 64 * 1024;
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

const Token = Type.Union([Type.String({ minLength: 16, maxLength: 128 }), Type.Null()]);
const Master = Type.Object({
  host: Type.String({ minLength: 1, maxLength: 255 }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  code: Type.String({ minLength: 1, maxLength: 64 }),
});
const Schema = Type.Object({
  tokens: Type.Object({ technician: Token, till: Token }),
  master: Type.Union([Master, Type.Null()]),
  problems: Type.Array(Type.String({ maxLength: 512 }), { maxItems: 2000 }),
});
type Content = Static<typeof Schema>;
export type HandedMaster = Static<typeof Master>;

const NO_TOKENS = { technician: null, till: null } as const;
const NOTHING: Content = { tokens: NO_TOKENS, master: null, problems: [] };

export interface Pairing {
  /** Whether this device belongs to a store already, and so needs no pairing. */
  readonly isPaired: () => boolean;
  /** Pairs with a master. @throws where that fails now */
  readonly pair: (master: HandedMaster) => Promise<void>;
  /** Whether another try would fail, too: the code is wrong or expired, or another master answers. */
  readonly isFinal: (error: unknown) => boolean;
}

export class BootSettings {
  readonly #path: string;
  readonly #tokens: Pick<MadeTokens, 'make'>;
  readonly #clock: Pick<Timekeeper, 'after'>;
  readonly #log: Log;
  #content: Content;
  /** Why the last try to pair failed. */
  #failure: string | null = null;
  #callOff: (() => void) | null = null;
  #isClosed = false;

  constructor(
    path: string,
    tokens: Pick<MadeTokens, 'make'>,
    clock: Pick<Timekeeper, 'after'>,
    health: HealthBoard,
    log: Log,
  ) {
    this.#path = path;
    this.#tokens = tokens;
    this.#clock = clock;
    this.#log = log;
    this.#content = this.#read();
    if (this.#content === NOTHING) return;
    health.add('options', () => {
      const refused = this.#content.problems.map((detail) => reasonOf('card-refused', { detail }));
      return degradedBy(...refused, ...this.#waiting());
    });
  }

  /** Makes the tokens chosen on the card. Never fails: a token that could not be stored is tried at the next start. */
  async storeChosenTokens(): Promise<void> {
    for (const role of ROLES) {
      const token = this.#content.tokens[role];
      if (token === null) continue;
      try {
        await this.#tokens.make(role, token);
        this.#store({ ...this.#content, tokens: { ...this.#content.tokens, [role]: null } });
      } catch (err) {
        this.#log.warn({ err }, 'a token of the boot partition could not be taken');
      }
    }
  }

  /** Pairs with the master of the settings, and retries until that succeeds or never can. */
  pairWith(pairing: Pairing): void {
    void this.#try(pairing, FIRST_PAUSE_MS);
  }

  close(): void {
    this.#isClosed = true;
    this.#callOff?.();
  }

  #waiting(): Reason[] {
    const { master, tokens } = this.#content;
    const unmade = ROLES.filter((role) => tokens[role] !== null).map((role) =>
      reasonOf('card-token', { role }, 'see the log'),
    );
    if (master === null) return unmade;
    const about = { master: master.host, detail: this.#failure ?? '' };
    return [reasonOf('card-unpaired', about), ...unmade];
  }

  async #try(pairing: Pairing, pauseMs: number): Promise<void> {
    const { master } = this.#content;
    if (master === null || this.#isClosed) return;
    try {
      if (!pairing.isPaired()) await pairing.pair(master);
      this.#forgetMaster();
    } catch (error) {
      this.#failure = messageOf(error);
      this.#log.warn({ err: error }, 'the master of the boot partition cannot be paired with');
      if (pairing.isFinal(error)) this.#giveUp(master);
      else if (!this.#isClosed) {
        const next = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
        this.#callOff = this.#clock.after(pauseMs, () => void this.#try(pairing, next));
      }
    }
  }

  #giveUp({ host }: HandedMaster): void {
    const problem = `the master ${host} was not paired with: ${this.#failure}. Pair in the console, with a new code`;
    this.#forgetMaster([problem.slice(0, 512)]);
  }

  #forgetMaster(problems: readonly string[] = []): void {
    this.#store({ ...this.#content, master: null, problems: [...this.#content.problems, ...problems] });
  }

  /** Stores the content. Never fails: settings left on the disk are applied again at the next start, which does no harm. */
  #store(content: Content): void {
    this.#content = content;
    const { tokens, master, problems } = content;
    const isDone = master === null && problems.length === 0 && ROLES.every((role) => tokens[role] === null);
    try {
      if (isDone) rmSync(this.#path, { force: true });
      else replaceFile(this.#path, `${JSON.stringify(content)}\n`);
    } catch (err) {
      this.#log.warn({ err }, 'what was taken from the boot partition could not be noted');
    }
  }

  #read(): Content {
    try {
      const bytes = readPlainFileIfAny(this.#path, MAX_BYTES);
      if (bytes === null) return NOTHING;
      const content: unknown = JSON.parse(bytes.toString());
      const [misfit] = problemsWith(Schema, content);
      if (misfit === undefined) return content as Content;
      throw new Error(`${misfit.field} ${misfit.must}`);
    } catch (err) {
      this.#log.warn({ err }, 'the settings of the boot partition are damaged');
      return {
        ...NOTHING,
        problems: ['the settings of the boot partition were damaged on their way: put laneware.txt there again'],
      };
    }
  }
}
