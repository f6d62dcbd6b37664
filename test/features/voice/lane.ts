/** A lane of the harness with a voice: its settings, its player and its pages are the real ones. */
import { join } from 'node:path';
import { BootNote } from '../../../firmware/core/files/index.ts';
import { NOTE_BYTES } from '../../../firmware/features/voice/announcer.ts';
import { SoundCards } from '../../../firmware/features/voice/cards.ts';
import { PageSounds } from '../../../firmware/features/voice/page-sounds.ts';
import { Player } from '../../../firmware/features/voice/player.ts';
import { VoiceService } from '../../../firmware/features/voice/service.ts';
import type { VoiceSettings } from '../../../firmware/features/voice/settings.ts';
import type { Lane } from '../../terminal/harness.ts';

/** No player of a test hangs: one that does is ended by its test. */
const NEVER_MS = 600_000;

export interface VoicedLane {
  readonly voice: VoiceService;
  /** What could not be said, and why. */
  readonly problems: string[];
}

/** @param folder of the settings and the note @param env of the player */
export function voiceOn(lane: Lane, folder: string, env: NodeJS.ProcessEnv, set: Partial<VoiceSettings>): VoicedLane {
  const problems: string[] = [];
  const cards = new SoundCards(folder); // none, so that no card of this machine is looked at
  const player = new Player(cards, folder, env, NEVER_MS);
  const voice = new VoiceService(
    join(folder, 'voice.json'),
    new BootNote(join(folder, 'said'), lane.clock, NOTE_BYTES),
    lane.terminal.outbox,
    { cards, player, pages: new PageSounds(lane.clock, '/sound') },
    lane.clock,
    (message, details) => problems.push(`${message}: ${JSON.stringify(details)}`),
  );
  voice.set({ mode: 'sum', language: 'en', ...set });
  voice.start();
  return { voice, problems };
}
