/** The parts of recognition, and of lamp, LED and button. */
import { recordButton } from '../../core/audit/index.ts';
import { openVision, Recognition, type RecognitionOptions, TrayPins } from '../../recognition/index.ts';
import { type Base, partOf } from './base.ts';
import type { Opened } from './joining.ts';
import type { Has } from './whole.ts';

/** Options that the base lacks; others replace those of the base. */
type GivenParts = Pick<RecognitionOptions, 'camera' | 'embedder' | 'setSystemTime'> & Partial<RecognitionOptions>;

export function buildRecognition(base: Base, parts: GivenParts): Recognition {
  const { config, dataDir, clock, serial, health, metrics, log } = base;
  return new Recognition({ config: config.recognition, dataDir, clock, serial, health, metrics, log, ...parts });
}

/** The recognition of items on the tray. */
export const recognition = {
  name: 'recognition',
  open: async (
    device: Has<'base' | 'host' | 'lastTime' | 'sync' | 'standIns'>,
  ): Promise<Opened<Has<'recognition'>>> => {
    const { base, host, lastTime, sync, standIns } = device;
    const own = partOf(base, 'recognition');
    const { camera, embedder } = await openVision(own);
    const recognition = buildRecognition(own, {
      camera,
      embedder,
      marks: sync.marks,
      maxTemplatesPerItem: standIns.tuning?.maxTemplatesPerItem,
      setSystemTime: (sec, usec) => host.setTime(sec, usec).finally(() => lastTime.save()),
    });
    lastTime.adopt(recognition.templates.reader.latestMoment());
    return [
      { recognition },
      {
        start: () => recognition.start(),
        // not before the ports are open: until then the payment terminal needs both cores
        serve: () => void embedder.start().then(() => recognition.startEyes()),
        close: () => recognition.close(),
      },
    ];
  },
};

/** Lamp, LED and button. */
export const panel = {
  name: 'panel',
  open: async ({
    base,
    recognition,
    audit,
    claims,
  }: Has<'base' | 'recognition' | 'audit' | 'claims'>): Promise<Opened<Has<'panel'>>> => {
    const panel = await TrayPins.open(base.config.gpio, recognition, base.health, base.log, {
      onLearned: recordButton(audit, 'empty-tray-learned'),
      onHeld: () => claims && recordButton(audit, 'token-code-called-up')(claims.showNewCode()),
    });
    return [{ panel }, { close: () => panel.close() }];
  },
};
