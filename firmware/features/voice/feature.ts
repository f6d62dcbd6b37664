import type { Added, Feature, Lane } from '../feature.ts';
import { VOICE_ERRORS } from './error-records.ts';
import { VOICE_REASONS } from './reason-records.ts';

async function open({ dataDir, clock, health, terminal, panel, logOf, trials }: Lane): Promise<Added> {
  const [{ VoiceService }, { SoundCards }, { Player }, { PageSounds }, { NOTE_BYTES }, { BootNote }, routes, scratch] =
    await Promise.all([
      import('./service.ts'),
      import('./cards.ts'),
      import('./player.ts'),
      import('./page-sounds.ts'),
      import('./announcer.ts'),
      import('../../core/files/index.ts'),
      import('./routes.ts'),
      import('../../../drivers/lib/scratch-folder.ts'),
    ]);
  const log = logOf('terminal');
  const cards = new SoundCards();
  const note = new BootNote(dataDir.file('voice-said'), clock, NOTE_BYTES);
  const heard = {
    cards,
    player: new Player(cards, scratch.scratchFolder()),
    pages: new PageSounds(clock, routes.SOUND_PATH),
  };
  const voice = new VoiceService(
    dataDir.file('voice.json'),
    note,
    terminal.outbox,
    heard,
    clock,
    (message, details = {}) => log.warn(details, message),
  );
  health.add('voice', () => voice.judge());
  panel.offerPresses(() => voice.pressed());
  trials.set('voice', async () => (voice.settings.mode === 'off' ? null : await voice.try()));
  return {
    start: () => voice.start(),
    close: () => voice.close(),
    addRoutes: (app) => routes.addPageSoundRoutes(app, voice),
    addPaymentRoutes: (app) => routes.addVoiceRoutes(app, voice),
    sound: voice.pages,
  };
}

export const voice: Feature = { name: 'voice', open, errors: VOICE_ERRORS, reasons: VOICE_REASONS };
