/** Signs people in at a page: a PIN or a token begins a session. */
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import type { Credentials, Owner, PageSessions } from '../http/index.ts';
import { SignInError, tooManyTries } from './errors.ts';
import { answersForRefunds, type Person, rankOf } from './people.ts';
import { type GuessFile, PinGuesses, type Place } from './pin-guesses.ts';
import type { PinFound, Pins } from './pins.ts';
import type { SessionFile } from './sessions.ts';
import { type ListedSession, type Session, type SessionClock, Sessions } from './sessions.ts';

/** Prefixes of the names of PINs and tokens that begin sessions. */
const OF_PIN = 'pin:';
const OF_TOKEN = 'token:';

/** The address of a browser, as its session stores it. */
const fromOf = ({ isHere, address }: Place): string => (isHere ? '' : address);

const seconds = (ms: number): number => Math.ceil(ms / 1000);

export class SignIn implements PageSessions {
  readonly pins: Pins;
  /** Name of the cookie: a browser shares cookies between all ports of a host. */
  readonly cookie: string;
  readonly #credentials: Pick<Credentials, 'nameOf' | 'ownerNamed' | 'ownerOf'>;
  readonly #sessions: Sessions;
  /** Guesses of PINs only: they lock out nobody who has a token. */
  readonly #guesses: PinGuesses;
  /** Checks one PIN at a time: parallel guesses bring no more than one after the other. */
  readonly #queue = new SerialQueue();
  /** How often PINs were set: a PIN that was wrong before may be right now. */
  #changes = 0;
  readonly #followers = new Set<() => void>();

  constructor(
    pins: Pins,
    credentials: Pick<Credentials, 'nameOf' | 'ownerNamed' | 'ownerOf'>,
    clock: SessionClock,
    file: Pick<SessionFile, 'read' | 'write'>,
    guesses: Pick<GuessFile, 'read' | 'write'>,
    cookie: string,
  ) {
    this.pins = pins;
    this.cookie = cookie;
    this.#credentials = credentials;
    this.#guesses = new PinGuesses(clock, guesses);
    this.#sessions = new Sessions(file, clock, (of) => this.#ownerOf(of));
    this.#sessions.onEnd(() => this.#notify());
    this.#sessions.review();
    pins.onChange(() => {
      this.#changes += 1;
      this.review();
    });
  }

  get isLocked(): boolean {
    return this.pins.areAny;
  }

  find(secret: string): Session | null {
    return this.#sessions.find(secret);
  }

  use(secret: string): void {
    this.#sessions.use(secret);
  }

  end(secret: string): void {
    this.#sessions.end(secret);
  }

  /** The sessions of all browsers. @param own secret of the browser that asks */
  sessions(own: string | null): readonly ListedSession[] {
    return this.#sessions.list(own);
  }

  /** Ends a session. @param id as listed */
  endNamed(id: string): void {
    this.#sessions.endNamed(id);
  }

  onChange(changed: () => void): () => void {
    this.#followers.add(changed);
    return () => this.#followers.delete(changed);
  }

  /** Ends the sessions of PINs and tokens that were changed or removed. */
  review(): void {
    this.#sessions.review();
    this.#notify();
  }

  /** @returns the secret of a new session @throws {SignInError} `WrongPin`, `TooManyTries` */
  byPin(place: Place, pin: string): Promise<string> {
    return this.#queue.run(async () => {
      const { id } = await this.#found(place, pin, 'signs in');
      return this.#sessions.begin(`${OF_PIN}${id}`, 'pin', fromOf(place));
    });
  }

  /**
   * Who approves an act beyond the caller's rights.
   * @returns the owner of the PIN @throws {SignInError} `WrongPin`, `TooManyTries`
   */
  answering(place: Place, pin: string): Promise<Person> {
    return this.#queue.run(async () => (await this.#found(place, pin, 'answers')).person);
  }

  /** @param meant what the PIN is for: a cashier's PIN signs in, but counts as wrong where it must approve */
  async #found(place: Place, pin: string, meant: 'signs in' | 'answers'): Promise<PinFound> {
    const pause = this.#guesses.pause(place);
    if (pause > 0) throw tooManyTries(seconds(pause));
    const guess = `${this.#changes}\n${meant}\n${pin}`;
    // a repeated wrong PIN costs no pause, and so no digest, for which all others would wait
    const found = this.#guesses.wasTried(place, guess) ? null : await this.pins.find(pin);
    if (found === null || (meant === 'answers' && !answersForRefunds(found.person))) {
      this.#guesses.wrong(place, guess);
      throw new SignInError('WrongPin', 'no one has this PIN on this device', { field: 'pin' });
    }
    this.#guesses.right(place);
    return found;
  }

  /** @returns the secret of a new session @throws {SignInError} `WrongToken` */
  byToken(place: Place, token: string): string {
    if (this.#credentials.ownerOf(token) === null)
      throw new SignInError('WrongToken', 'this token opens nothing on this device', { field: 'token' });
    this.#guesses.right(place);
    return this.#sessions.begin(OF_TOKEN + this.#credentials.nameOf(token), 'token', fromOf(place));
  }

  /**
   * Gives the technician, who has proved to be one without a PIN, a new PIN.
   * @returns the secret of a new session @throws {SignInError} `EasyPin`, `PinInUse` @throws the file system's error:
   * nothing has changed then
   */
  async byNewPin(place: Place, pin: string): Promise<string> {
    const id = await this.pins.set('technician', pin);
    return this.#sessions.begin(`${OF_PIN}${id}`, 'pin', fromOf(place));
  }

  close(): void {
    this.#guesses.close();
    this.#sessions.close();
  }

  #ownerOf(of: string): Owner | null {
    if (of.startsWith(OF_TOKEN)) return this.#credentials.ownerNamed(of.slice(OF_TOKEN.length));
    const person = this.pins.personOf(of.slice(OF_PIN.length));
    return person && { role: rankOf(person), till: null };
  }

  #notify(): void {
    for (const follower of [...this.#followers]) follower();
  }
}
