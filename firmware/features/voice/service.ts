/** The voice of a lane: its settings, its recordings, what is said, and where it is heard. */
import { messageOf } from '../../../drivers/lib/errors.ts';
import { type Reason, recorded } from '../../../drivers/lib/records.ts';
import { type BootNote, JsonStore } from '../../core/files/index.ts';
import {
  degradedBy,
  type LogLine,
  okWith,
  pauseBy,
  type Timekeeper,
  type Verdict,
  zoneNow,
} from '../../core/host/index.ts';
import { announcement, chimeAlone } from './announcement.ts';
import { type Accepted, type AcceptedEvents, Announcer } from './announcer.ts';
import type { SoundCards, Speaker } from './cards.ts';
import { VOICE_ERRORS } from './error-records.ts';
import type { PageSounds } from './page-sounds.ts';
import type { Player, PlayProblem } from './player.ts';
import { reasonOf } from './reason-records.ts';
import { DEFAULT_VOICE, isWithin, StoredVoice, timeOfDay, type VoiceSettings } from './settings.ts';
import { readVoice, shippedVoice, type Voice } from './voice.ts';

/** The sum of a trial: it has both genders, in kopecks. */
const TRIAL_KOPECKS = 123_202;
const SECOND_MS = 1000;

class VoiceRefusal extends recorded('Voice', VOICE_ERRORS) {}

/** Where announcements are played. */
export interface VoiceOutputs {
  readonly cards: SoundCards;
  readonly player: Player;
  readonly pages: PageSounds;
}

/** How a trial went. */
export interface Trial {
  /** `speaker`: played to its end; `pages`: sent to the pages; `nowhere`: see `problem`. */
  readonly heard: 'speaker' | 'pages' | 'nowhere';
  /** What is wrong, as in `/health`; null for nothing. */
  readonly problem: Reason | null;
}

export class VoiceService {
  readonly announcer: Announcer;
  readonly pages: PageSounds;
  readonly #clock: Timekeeper;
  readonly #cards: SoundCards;
  readonly #player: Player;
  readonly #store: JsonStore<Partial<VoiceSettings>>;
  readonly #log: LogLine;
  #voice: Promise<Voice> | null = null;
  /** Why the shop's own recordings are not used. */
  #unusable: string | null = null;
  #isSet = false;
  readonly #closing = new AbortController();

  /** @param path of the settings @param note of what is still to be said */
  constructor(
    path: string,
    note: BootNote,
    outbox: AcceptedEvents,
    { cards, player, pages }: VoiceOutputs,
    clock: Timekeeper,
    log: LogLine,
  ) {
    this.#clock = clock;
    this.#cards = cards;
    this.#player = player;
    this.#log = log;
    this.pages = pages;
    this.#store = JsonStore.open(path, StoredVoice, {});
    const output = {
      isOn: () => this.settings.mode !== 'off',
      isQuiet: () => isWithin(this.settings.quiet, timeOfDay(clock.wall(), zoneNow())),
      say: (payment: Accepted, isDue: () => boolean) => this.#say(payment, isDue),
    };
    this.announcer = new Announcer(outbox, note, clock, output, log);
    this.#prepare();
  }

  get settings(): VoiceSettings {
    return { ...DEFAULT_VOICE, ...this.#store.value };
  }

  get speakers(): Speaker[] {
    return this.#cards.speakers;
  }

  start(): void {
    this.announcer.start();
  }

  /** What is wrong with the recordings that the changes lead to; null where they can be used, or stay as they are. */
  async recordingsProblem(changes: Partial<VoiceSettings>): Promise<string | null> {
    const { recordings, language } = { ...this.settings, ...changes };
    const isOther = changes.recordings !== undefined || changes.language !== undefined;
    if (recordings === null || !isOther) return null;
    try {
      await readVoice(recordings, language);
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** @throws the file system's error: nothing has changed then */
  set(changes: Partial<VoiceSettings>): void {
    this.#store.write({ ...this.#store.value, ...changes });
    this.#isSet = true;
    this.#player.forget();
    this.#prepare();
  }

  /** Says the last accepted payment again. @throws {VoiceRefusal} `Off`, `NothingToSay` */
  again(): Accepted {
    if (this.settings.mode === 'off') throw new VoiceRefusal('Off', 'the voice is off');
    const said = this.announcer.again();
    if (said === null) throw new VoiceRefusal('NothingToSay', 'no payment was accepted in the last three minutes');
    return said;
  }

  /** The press of the lane's button. @returns whether it was for the voice */
  pressed(): boolean {
    const { mode, button } = this.settings;
    return mode !== 'off' && button && this.announcer.again() !== null;
  }

  /** Says "test" and a sum, also where the voice is off: a person tries it. */
  async try(): Promise<Trial> {
    const { mode, language, volume, device } = this.settings;
    if (this.#unusable !== null) this.#prepare(); // a person may have mended them
    const voice = await this.#read();
    const pieces =
      mode === 'chime' ? chimeAlone({ isTest: true }) : announcement(language, TRIAL_KOPECKS, { isTest: true });
    const wav = voice.say(pieces, volume);
    if (device === null) {
      this.pages.play(wav);
      const problem = this.#pageReason();
      return { heard: problem === null ? 'pages' : 'nowhere', problem };
    }
    const problem = await this.#player.play(wav, device);
    return { heard: problem === null ? 'speaker' : 'nowhere', problem: problem && playReason(problem, device) };
  }

  /** The file of the newest sound, which must be the one of the number where one is named. @throws {VoiceRefusal} `NoSound` */
  wavOf(number: number | null): Buffer {
    const wav = this.pages.wavOf(number);
    if (wav === null)
      throw new VoiceRefusal('NoSound', 'nothing was announced since the start, or another sound since');
    return wav;
  }

  judge(): Verdict {
    const problem = this.#isSet ? null : this.#store.problem;
    const unkept = problem === null ? [] : [reasonOf('voice-unkept', { detail: problem })];
    const { mode, device } = this.settings;
    if (mode === 'off') return degradedBy(...unkept);
    const unusable = this.#unusable === null ? [] : [reasonOf('voice-recordings', { detail: this.#unusable })];
    const unheard = device === null ? this.#pageReason() : this.#speakerReason(device);
    const reasons = [...unkept, ...unusable, ...(unheard === null ? [] : [unheard])];
    return reasons.every(({ sales }) => sales === 'sells') ? okWith(...reasons) : degradedBy(...reasons);
  }

  async close(): Promise<void> {
    const closing = this.announcer.close();
    this.#closing.abort();
    await this.#player.close();
    await closing;
  }

  #prepare(): void {
    const { mode, device } = this.settings;
    this.#voice = null;
    this.#unusable = null;
    this.pages.turn(mode !== 'off' && device === null);
    if (mode !== 'off') void this.#read().catch((error: unknown) => this.#failed(error));
  }

  /** Reads the recordings once for these settings. */
  #read(): Promise<Voice> {
    this.#voice ??= this.#readAnew();
    return this.#voice;
  }

  async #readAnew(): Promise<Voice> {
    const { language, recordings } = this.settings;
    if (recordings !== null) {
      try {
        return await readVoice(recordings, language);
      } catch (error) {
        const reason = messageOf(error);
        const { settings } = this;
        if (settings.recordings === recordings && settings.language === language) this.#unusable = reason;
        this.#log('the recordings of the shop cannot be used', { reason });
      }
    }
    return await readVoice(shippedVoice(language), language);
  }

  async #say({ kopecks, isTest }: Accepted, isDue: () => boolean): Promise<void> {
    try {
      // of one moment with the voice that is read, whose pieces another language has not
      const { mode, language, volume, device } = this.settings;
      const voice = await this.#read();
      if (!isDue()) return;
      const pieces = mode === 'chime' ? chimeAlone({ isTest }) : announcement(language, kopecks, { isTest });
      const wav = voice.say(pieces, volume);
      if (device === null) {
        this.pages.play(wav);
        // the next sound would break this one off
        await pauseBy(this.#clock, voice.secondsOf(pieces) * SECOND_MS, this.#closing.signal);
        return;
      }
      const problem = await this.#player.play(wav, device, isDue);
      if (problem !== null) this.#log('a payment was not announced', { ...problem, device });
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#log('a payment was not announced', { reason: messageOf(error) });
  }

  #pageReason(): Reason | null {
    const { state } = this.pages;
    if (state === 'playing') return null;
    return state === 'suspended' ? reasonOf('voice-touch', {}) : reasonOf('voice-no-page', {});
  }

  #speakerReason(device: string): Reason | null {
    const [player, cards] = [this.#player, this.#cards];
    if (!player.isInstalled) return reasonOf('voice-no-player', {});
    if (cards.has(device) === false) return reasonOf('voice-absent', { device, detail: '' });
    if (cards.isDenied(device)) return reasonOf('voice-denied', { device, detail: '' });
    return player.problem === null ? null : playReason(player.problem, device);
  }
}

type Of = Readonly<Record<'device' | 'detail', string>>;
const REASONS: Readonly<Record<PlayProblem['fault'], (about: Of) => Reason>> = {
  'no-player': () => reasonOf('voice-no-player', {}),
  absent: (about) => reasonOf('voice-absent', about),
  busy: (about) => reasonOf('voice-busy', about),
  denied: (about) => reasonOf('voice-denied', about),
  stuck: (about) => reasonOf('voice-stuck', about),
  failed: (about) => reasonOf('voice-failed', about),
};

const playReason = ({ fault, detail }: PlayProblem, device: string): Reason => REASONS[fault]({ device, detail });
