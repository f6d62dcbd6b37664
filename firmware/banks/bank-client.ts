/**
 * Calls a bank over HTTP(S) with JSON answers: each call gets one answer or one {@link BankError}. The client quotes
 * nothing, and reads no more than a limit; the deadline is the caller's signal.
 */
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { AnswerFailures } from './answer-failures.ts';
import { type BankCall, BankConnection, type ConnectionSettings } from './bank-connection.ts';
import { BankError } from './bank-error.ts';
import { type FailureReader, reportsError, secretsPattern } from './bank-words.ts';
import { type Answer, bankTime, fieldsOf } from './http-answer.ts';

/** Statuses of a path that the bank does not have. */
const NO_SUCH_CALL: readonly (number | null)[] = [404, 405];

/** The shape of a good answer. */
export interface Expected<Shape extends TSchema> {
  readonly shape: Shape;
  /** The error for an answer of another shape: a sentence about the bank. */
  readonly otherwise: string;
  /** True where a good answer may be empty, which reads as an object without members. */
  readonly mayBeEmpty?: boolean;
}

export interface BankClientOptions extends ConnectionSettings {
  /** Values that must not appear in errors about the bank's answers. */
  readonly secrets?: readonly string[];
  /** Reads how this bank reports failures; the usual names count where it is left out, or returns null. */
  readonly failureOf?: FailureReader;
  /** Logs where the bank behaves differently than expected. */
  readonly log?: ((message: string) => void) | undefined;
}

/** The address of a bank. */
export type BankAddress = Pick<BankClientOptions, 'baseUrl' | 'tls'>;

const isSuccess = (status: number): boolean => status === 200 || status === 201 || status === 204;

export class BankClient {
  readonly #connection: BankConnection;
  readonly #failures: AnswerFailures;
  readonly #log: BankClientOptions['log'];
  protected readonly secrets: RegExp;
  /** How far the bank's clock was ahead of our monotonic one at its last answer, ms; null before. */
  #ahead: number | null = null;
  /** Calls that the bank turned out not to have. */
  readonly #absent = new Set<string>();

  constructor(options: BankClientOptions) {
    const { secrets = [], failureOf, log } = options;
    this.#connection = new BankConnection(options);
    this.secrets = secretsPattern(secrets);
    this.#failures = new AnswerFailures(failureOf, this.secrets);
    this.#log = log;
  }

  /**
   * @returns the bank's answer, an object of the expected shape
   * @throws {BankError} `unreachable`, `refused` (some banks refuse with HTTP 200, too) or `contradiction`
   */
  async call<Shape extends TSchema>(
    call: BankCall,
    { shape, otherwise, mayBeEmpty = false }: Expected<Shape>,
    signal: AbortSignal,
  ): Promise<Static<Shape>> {
    const answer = await this.#exchange(call, signal);
    const { status, body } = answer;
    if (!isSuccess(status)) throw this.#failures.ofStatus(answer);
    const value = mayBeEmpty && body.length === 0 ? {} : fieldsOf(body);
    const failure = this.#failures.reportedIn(value, status);
    const saysSuccess = failure === 'success';
    if (failure !== null && !saysSuccess) throw this.#failures.errorOf(failure, answer);
    if (Check(shape, value) && (saysSuccess || !reportsError(value))) return value;
    if (saysSuccess) throw new BankError('contradiction', otherwise);
    const { text, code } = this.#failures.messageIn(value);
    // a bank with its own form of refusals has not refused by words alone: the call may have taken effect
    if (reportsError(value) || (!this.#failures.hasOwnForm && (text ?? code) !== null)) {
      throw this.#failures.errorOf({ code: 'refused', bankCode: code, text }, answer);
    }
    throw new BankError('contradiction', text === null ? otherwise : `${otherwise} (${text})`);
  }

  /**
   * Makes a newer call, and an older one where the bank lacks the newer; after its first answer to the older one, only
   * that. @throws {BankError}
   */
  async callEither<Shape extends TSchema>(
    newer: BankCall,
    older: BankCall,
    expected: Expected<Shape>,
    signal: AbortSignal,
  ): Promise<Static<Shape>> {
    const [name, instead] = [newer, older].map(({ method, path }) => `${method} ${path}`) as [string, string];
    if (!this.#absent.has(name)) {
      try {
        return await this.call(newer, expected, signal);
      } catch (error) {
        if (!(error instanceof BankError && NO_SUCH_CALL.includes(error.status))) throw error;
      }
    }
    const answer = await this.call(older, expected, signal);
    if (!this.#absent.has(name)) this.#log?.(`the bank has nothing at ${name}: ${instead} is called in its place`);
    this.#absent.add(name);
    return answer;
  }

  /**
   * The time by the bank's clock, from its last answer (header `Date`). Before the first answer the bank is asked; if
   * it never answers, the device's clock counts.
   * @param ask the call to ask with; its answer does not matter
   * @throws {BankError} `unreachable`
   */
  async now(ask: BankCall, signal: AbortSignal): Promise<number> {
    if (this.#ahead === null) await this.#exchange(ask, signal);
    return this.#ahead === null ? Date.now() : performance.now() + this.#ahead;
  }

  /** Closes the connections, after the calls under way. */
  close(): void {
    this.#connection.close();
  }

  async #exchange(call: BankCall, signal: AbortSignal): Promise<Answer> {
    const answer = await this.#connection.exchange(call, signal);
    const at = bankTime(answer);
    if (at !== null) this.#ahead = at - performance.now();
    return answer;
  }
}
