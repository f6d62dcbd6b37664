/**
 * Plays a sound by `aplay` of alsa-utils, a guarded child process, one at a time. It never fails: what is wrong is kept
 * for `/health` until something was played.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pause } from '../../../drivers/lib/async.ts';
import { messageOf } from '../../../drivers/lib/errors.ts';
import { completePath, findProgram } from '../../../drivers/lib/find-program.ts';
import { GuardedProcess } from '../../../drivers/lib/guarded-process.ts';
import { SerialQueue } from '../../../drivers/lib/serial-queue.ts';
import type { SoundCards } from './cards.ts';

const PROGRAM = 'aplay';
/** A player that takes longer hangs in its driver: no sum takes as long. */
export const PLAY_LIMIT_MS = 8000;
/** The most of what a player says that is kept: its end, where the cause stands after the warnings of alsa-lib. */
const SAID_CHARACTERS = 300;

/**
 * - `no-player`: alsa-utils is not installed
 * - `absent`: there is no such card, or it has gone while it played
 * - `busy`: another program holds the card
 * - `denied`: this process may not use it
 * - `stuck`: the player was ended after its time
 * - `failed`: anything else
 */
export type PlayFault = 'no-player' | 'absent' | 'busy' | 'denied' | 'stuck' | 'failed';

export interface PlayProblem {
  readonly fault: PlayFault;
  /** What the player says; empty where it says nothing. */
  readonly detail: string;
}

/** What `aplay` prints for each, as strerror(3) has it: it is run with LC_ALL=C. */
const SAID: readonly (readonly [RegExp, PlayFault])[] = [
  [/Device or resource busy/, 'busy'],
  [/Permission denied|Operation not permitted/, 'denied'],
  [/No such (?:file or directory|device)|Unknown PCM|cannot find card|Cannot get card/, 'absent'],
];

export class Player {
  readonly #cards: Pick<SoundCards, 'isDenied'>;
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #limitMs: number;
  readonly #turns = new SerialQueue();
  readonly #closing = new AbortController();
  #problem: PlayProblem | null = null;

  /** @param folder where a sound lies while it is played: in memory, to spare the card */
  constructor(cards: Pick<SoundCards, 'isDenied'>, folder: string, env = process.env, limitMs = PLAY_LIMIT_MS) {
    this.#cards = cards;
    this.#folder = folder;
    this.#env = env;
    this.#limitMs = limitMs;
  }

  /** Why the last sound was not played, or not to its end; null where it was. */
  get problem(): PlayProblem | null {
    return this.#problem;
  }

  get isInstalled(): boolean {
    return this.#program !== null;
  }

  /** Forgets what was wrong with the device of the settings before. */
  forget(): void {
    this.#problem = null;
  }

  /**
   * Plays after those before, if it is still due then.
   * @returns why it was not played to its end; null where it was, or was not due. Never rejects.
   */
  async play(wav: Uint8Array, device: string, isDue = () => true): Promise<PlayProblem | null> {
    return await this.#turns.run(async () => {
      if (this.#closing.signal.aborted || !isDue()) return null;
      this.#problem = await this.#play(wav, device);
      return this.#problem;
    });
  }

  /** Breaks off what plays. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turns.run(async () => undefined);
  }

  get #program(): string | null {
    return findProgram([PROGRAM], { PATH: completePath(this.#env.PATH) });
  }

  async #play(wav: Uint8Array, device: string): Promise<PlayProblem | null> {
    const program = this.#program;
    if (program === null) return { fault: 'no-player', detail: '' };
    const file = join(this.#folder, `voice-${process.pid}.wav`);
    try {
      writeFileSync(file, wav, { mode: 0o600 });
      return await this.#run([program, '-q', '-D', device, file], device);
    } catch (error) {
      return { fault: 'failed', detail: messageOf(error) };
    } finally {
      rmSync(file, { force: true });
    }
  }

  async #run(command: readonly string[], device: string): Promise<PlayProblem | null> {
    const { signal } = this.#closing;
    const player = new GuardedProcess(command, { ...this.#env, LC_ALL: 'C' });
    let said = '';
    player.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-SAID_CHARACTERS);
    });
    player.stdout?.resume();
    const over = new AbortController();
    const limit = pause(this.#limitMs, AbortSignal.any([signal, over.signal])).then(() => 'late' as const);
    const first = await Promise.race([player.ended, limit]);
    over.abort();
    if (first === 'late') {
      await player.end();
      return signal.aborted ? null : { fault: 'stuck', detail: said.toWellFormed().trim() };
    }
    if (first.code === 0) return null;
    const detail = said.toWellFormed().trim() || (first.error?.message ?? `aplay ended with ${first.code}`);
    const fault = SAID.find(([words]) => words.test(said))?.[1] ?? 'failed';
    // alsa-lib finds no card where it may not open one
    return { fault: fault === 'absent' && this.#cards.isDenied(device) ? 'denied' : fault, detail };
  }
}
