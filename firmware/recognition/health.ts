/** What the recognition device reports in `/health`. */
import type { Camera } from '../../drivers/camera/contract.ts';
import { because } from '../../drivers/lib/errors.ts';
import type { Reason } from '../../drivers/lib/records.ts';
import { degraded, degradedBy, failed, type HealthBoard, okWith, type Verdict, WELL } from '../core/host/index.ts';
import { lastSetAside } from '../core/store/index.ts';
import { DAMAGED } from './failures.ts';
import { ITEMS_DAMAGED, ITEMS_GONE, type ItemsFile } from './items/items-file.ts';
import type { ReembeddingProgress } from './matching/reembedding.ts';
import type { GalleryReport } from './matching/template-index.ts';
import type { OwnDatabase } from './own-database.ts';
import { reasonOf } from './reason-records.ts';
import type { Recogniser } from './recogniser.ts';
import type { DeviceSettings } from './settings.ts';
import type { SpeedChoice } from './speed-choice.ts';
import { isMarkedDamaged, TEMPLATES_GONE } from './templates/templates-database.ts';
import type { VectorSource } from './viewer.ts';
import type { CodeSource } from './vision/barcode-reader.ts';
import type { Tray } from './vision/tray.ts';

/** How many items one sentence names. */
const MOST_NAMED = 5;

interface WatchedRecognition {
  readonly camera: Camera;
  readonly tray: Pick<Tray, 'isMisfit'>;
  readonly embedder: VectorSource;
  readonly settings: DeviceSettings;
  /** Null where there is no model. */
  readonly reembedding: () => ReembeddingProgress | null;
  /** Null where there is no model to compare with. */
  readonly gallery: () => GalleryReport | null;
  readonly database: Pick<OwnDatabase, 'path' | 'problem' | 'isGone'>;
  readonly items: Pick<ItemsFile, 'path' | 'problem' | 'isDamaged' | 'isGone' | 'sums'>;
  readonly barcodes: Pick<CodeSource, 'state'>;
  readonly speed: {
    readonly recogniser: Pick<Recogniser, 'speed'>;
    readonly speedChoice: Pick<SpeedChoice, 'measured'>;
  };
}

function cameraHealth({ kind, state }: Camera): Verdict {
  if (state.name === 'ready') return WELL;
  if (kind === 'push' && state.name === 'starting')
    return degraded(
      reasonOf('camera-unfed', {}, 'no picture has been sent yet: PUT /camera/frame takes one, as a JPEG'),
    );
  // none is configured: payments need none
  if (kind === 'none' && state.name === 'lost') return okWith(reasonOf('camera-none', {}, state.reason));
  const about = { detail: 'reason' in state ? (state.reason ?? '') : '' };
  return degraded(
    state.name === 'lost'
      ? reasonOf('camera-lost', about, `the camera is lost${because(state)}. It is looked for all the time`)
      : reasonOf('camera-silent', about, `the camera has given no picture yet${because(state)}`),
  );
}

function trayHealth({ isMisfit }: WatchedRecognition['tray']): Verdict {
  if (!isMisfit) return WELL;
  return degraded(
    reasonOf(
      'tray-misfit',
      {},
      'the empty tray was learned of a camera picture of another size, and is not used: empty the tray and learn it again, by the button at the tray or POST /api/learn_background. Items that do not stand out clearly are looked for in the middle of the area meanwhile',
    ),
  );
}

function modelHealth({ state, runtime }: VectorSource): Verdict {
  const fault = runtime?.nativeFault ?? null;
  if (state.name === 'ready' && fault !== null) {
    return okWith(
      reasonOf(
        'native-failed',
        { detail: fault },
        `the native runtime of the model has failed (${fault}): it runs in WebAssembly, where a look takes up to three times as long`,
      ),
    );
  }
  if (state.name === 'ready') return WELL;
  const sentence = (why: string): string => `no model is running: ${why}. Items cannot be recognised meanwhile`;
  const { reason: detail } = state;
  return degraded(
    detail === null
      ? reasonOf('model-loading', {}, sentence('it is being loaded'))
      : reasonOf('model-stopped', { detail }, sentence(detail)),
  );
}

/** The model's runtime, the speed in use, who chose it, and the time of a look, where they are known. */
function speedOf({ embedder, settings, speed: { recogniser, speedChoice } }: WatchedRecognition) {
  const { measured } = speedChoice;
  const word = measured === null ? 'default' : 'measured';
  return {
    ...(embedder.runtime !== null && { runtime: embedder.runtime.name }),
    speed: recogniser.speed,
    speedBy: settings.setSpeed === null ? word : 'set',
    ...(measured !== null && { lookMs: measured.lookMs }),
  } as const;
}

function barcodesHealth({ state }: WatchedRecognition['barcodes']): Verdict {
  if (state.name === 'off')
    return okWith(reasonOf('barcodes-off', {}, 'barcodes are not read: recognition.barcodes is off'));
  if (state.name !== 'lost') return WELL;
  return degraded(
    reasonOf(
      'barcodes-lost',
      { detail: state.reason },
      `the reader of barcodes was lost (${state.reason}) and is started again. Items are recognised by their looks meanwhile`,
    ),
  );
}

function templatesHealth({ database, reembedding, settings }: WatchedRecognition): Verdict {
  const { path, problem, isGone } = database;
  if (problem !== null)
    return failed(
      reasonOf(
        'templates-unopened',
        { detail: problem },
        `templates.db cannot be opened (${problem}): nothing is recognised or learned until its cause is mended and the device restarted`,
      ),
    );
  if (isMarkedDamaged(path)) return failed(reasonOf('templates-damaged', {}, DAMAGED));
  if (isGone) return failed(reasonOf('templates-gone', {}, TEMPLATES_GONE));
  if (settings.problem !== null)
    return degraded(
      reasonOf(
        'recognition-settings-damaged',
        { detail: settings.problem },
        `recognition.json was damaged (${settings.problem}): check the settings of the device`,
      ),
    );
  const advice = '; import the latest export, or learn the items again';
  return reembeddingHealth(reembedding()) ?? degradedBy(asideReasons('templates', path, advice));
}

function reembeddingHealth(progress: ReembeddingProgress | null): Verdict | null {
  if (progress === null || progress.left === 0) return null;
  if (progress.left === progress.damaged)
    return degraded(
      reasonOf(
        'templates-unpictured',
        { n: progress.damaged },
        `${progress.damaged} templates have a damaged picture and are not used: delete them`,
      ),
    );
  return degraded(
    reasonOf(
      'templates-preparing',
      { n: progress.left },
      `${progress.left} templates are still being prepared for the present model`,
    ),
  );
}

function asideReasons(part: 'templates' | 'items', path: string, advice: string): Reason[] {
  const file = lastSetAside(path);
  if (file === null) return [];
  const sentence = `the ${part} were damaged and set aside as ${file}${advice}. This notice ends when that file is moved away`;
  return [reasonOf(`${part}-aside`, { file }, sentence)];
}

function alteredReasons({ damaged }: WatchedRecognition['items']['sums']): Reason[] {
  const { length: n } = damaged;
  if (n === 0) return [];
  const items = damaged.slice(0, MOST_NAMED).join(', ') + (n > MOST_NAMED ? ', …' : '');
  const what = n === 1 ? 'the price of 1 item' : `the prices of ${n} items`;
  const sentence = `the card has changed ${what}: ${items}. Say the price again, or import the latest table; they sell as they are meanwhile`;
  return [reasonOf('items-altered', { n, items }, sentence)];
}

function itemsHealth({ path, problem, isDamaged, isGone, sums }: WatchedRecognition['items']): Verdict {
  if (problem !== null)
    return failed(
      reasonOf(
        'items-unopened',
        { detail: problem },
        `items.db cannot be opened (${problem}): names and prices of items can be neither read nor changed until its cause is mended and the device restarted`,
      ),
    );
  if (isDamaged) return failed(reasonOf('items-damaged', {}, ITEMS_DAMAGED));
  if (isGone) return failed(reasonOf('items-gone', {}, ITEMS_GONE));
  return degradedBy([...asideReasons('items', path, ': import them again'), ...alteredReasons(sums)]);
}

export function watchRecognition(board: HealthBoard, parts: WatchedRecognition): void {
  board.add('camera', () => ({ ...cameraHealth(parts.camera), driver: parts.camera.kind }));
  board.add('tray', () => trayHealth(parts.tray));
  board.add('model', () => {
    const gallery = parts.gallery();
    const { manifest } = parts.embedder;
    const named = manifest === null ? {} : { model: `${manifest.name} ${manifest.version}` };
    return { ...modelHealth(parts.embedder), ...named, ...speedOf(parts), ...(gallery === null ? {} : { gallery }) };
  });
  board.add('templates', () => templatesHealth(parts));
  board.add('barcodes', () => barcodesHealth(parts.barcodes));
  board.add('items', () => itemsHealth(parts.items));
}
