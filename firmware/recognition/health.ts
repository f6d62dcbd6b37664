/** What the recognition device reports in `/health`. */
import type { Camera } from '../../drivers/camera/contract.ts';
import { because } from '../../drivers/lib/errors.ts';
import type { HealthBoard, PartState } from '../host/health.ts';
import { lastSetAside } from '../store/set-aside.ts';
import type { CodeSource } from './barcodes/barcode-reader.ts';
import { NEVER_MEASURED, type TrayCalibration } from './calibration/tray-calibration.ts';
import type { WhiteReference } from './calibration/white-reference.ts';
import { DAMAGED } from './failures.ts';
import { ITEMS_DAMAGED, ITEMS_GONE, type Items } from './items/items.ts';
import type { ReembeddingProgress } from './matching/reembedding.ts';
import type { GalleryReport } from './matching/template-index.ts';
import type { Recogniser, VectorSource } from './recogniser.ts';
import type { DeviceSettings } from './settings.ts';
import type { SpeedChoice } from './speed-choice.ts';
import { isMarkedDamaged, TEMPLATES_GONE, type TemplatesDatabase } from './templates/templates-database.ts';
import type { Tray } from './vision/tray.ts';

interface Verdict {
  readonly state: PartState;
  readonly reason?: string;
}

const OK: Verdict = { state: 'ok' };
const failed = (reason: string): Verdict => ({ state: 'failed', reason });
const degraded = (reason: string): Verdict => ({ state: 'degraded', reason });

export interface WatchedRecognition {
  readonly camera: Camera;
  readonly tray: Pick<Tray, 'isMisfit'>;
  readonly embedder: VectorSource;
  readonly settings: DeviceSettings;
  /** Null where no model is there to embed with. */
  readonly reembedding: () => ReembeddingProgress | null;
  /** Null where no model is there to compare by. */
  readonly gallery: () => GalleryReport | null;
  readonly database: Pick<TemplatesDatabase, 'path' | 'problem' | 'isGone'>;
  readonly items: Pick<Items, 'path' | 'problem' | 'isDamaged' | 'isGone'>;
  readonly barcodes: Pick<CodeSource, 'state'>;
  readonly calibration: Pick<TrayCalibration, 'report'>;
  readonly white: Pick<WhiteReference, 'white' | 'problem'>;
  readonly speed: {
    readonly recogniser: Pick<Recogniser, 'speed'>;
    readonly speedChoice: Pick<SpeedChoice, 'measured'>;
  };
}

function cameraHealth({ kind, state }: Camera): Verdict {
  if (state.name === 'ready') return OK;
  if (kind === 'push' && state.name === 'starting')
    return degraded('no picture has been sent yet: PUT /camera/frame takes one, as a JPEG');
  // nobody asked for one: payments need none
  if (kind === 'none' && state.name === 'lost') return { state: 'ok', reason: state.reason };
  return degraded(
    state.name === 'lost'
      ? `the camera is lost${because(state)}. It is looked for all the time`
      : `the camera has given no picture yet${because(state)}`,
  );
}

function trayHealth({ isMisfit }: WatchedRecognition['tray']): Verdict {
  if (!isMisfit) return OK;
  return degraded(
    'the empty tray was learned of a camera picture of another size, and is not used: empty the tray and learn it again, by the button at the tray or POST /api/learn_background. Items that do not stand out clearly are looked for in the middle of the area meanwhile',
  );
}

function modelHealth({ state }: VectorSource): Verdict {
  if (state.name === 'ready') return OK;
  return degraded(`no model is running: ${state.reason ?? 'it is being loaded'}. Items cannot be recognised meanwhile`);
}

/** Which speed is in use, by whose word, and what a look takes here, where that is known. */
function speedOf({ settings, speed: { recogniser, speedChoice } }: WatchedRecognition) {
  const { measured } = speedChoice;
  const word = measured === null ? 'default' : 'measured';
  return {
    speed: recogniser.speed,
    speedBy: settings.setSpeed === null ? word : 'set',
    ...(measured !== null && { lookMs: measured.lookMs }),
  } as const;
}

function barcodesHealth({ state }: WatchedRecognition['barcodes']): Verdict {
  if (state.name === 'off') return { state: 'ok', reason: 'barcodes are not read: recognition.barcodes is off' };
  if (state.name !== 'lost') return OK;
  return degraded(
    `the reader of barcodes was lost (${state.reason}) and is started again. Items are recognised by their looks meanwhile`,
  );
}

/** A tray that nobody measured lacks nothing but sizes; one that is seen otherwise than it was measured tells none unnoticed. */
function calibrationHealth({ calibration: { report }, white }: WatchedRecognition): Verdict {
  const { measured, problem } = report;
  if (white.problem !== null && white.white === null)
    return degraded(`white-reference.json was damaged (${white.problem}): name the white place again`);
  if (problem === null) return OK;
  const reason = `sizes are not told: ${problem}`;
  return measured === null && problem === NEVER_MEASURED ? { state: 'ok', reason } : degraded(reason);
}

function templatesHealth({ database, reembedding, settings }: WatchedRecognition): Verdict {
  const { path, problem, isGone } = database;
  if (problem !== null)
    return failed(
      `templates.db cannot be opened (${problem}): nothing is recognised or learned until its cause is mended and the device restarted`,
    );
  if (isMarkedDamaged(path)) return failed(DAMAGED);
  if (isGone()) return failed(TEMPLATES_GONE);
  if (settings.problem !== null)
    return degraded(`recognition.json was damaged (${settings.problem}): check the settings of the device`);
  return reembeddingHealth(reembedding()) ?? setAsideHealth(path);
}

function reembeddingHealth(progress: ReembeddingProgress | null): Verdict | null {
  if (progress === null || progress.left === 0) return null;
  if (progress.left === progress.damaged)
    return degraded(`${progress.damaged} templates have a damaged picture and are not used: delete them`);
  return degraded(`${progress.left} templates are still being prepared for the present model`);
}

function setAsideHealth(path: string): Verdict {
  const aside = lastSetAside(path);
  if (aside === null) return OK;
  return degraded(
    `the templates were damaged and set aside as ${aside}; import the latest export, or learn the items again. This notice ends when that file is moved away`,
  );
}

function itemsHealth({ path, problem, isDamaged, isGone }: WatchedRecognition['items']): Verdict {
  if (problem !== null)
    return failed(
      `items.db cannot be opened (${problem}): names and prices of items are neither told nor taken until its cause is mended and the device restarted`,
    );
  if (isDamaged) return failed(ITEMS_DAMAGED);
  if (isGone) return failed(ITEMS_GONE);
  const aside = lastSetAside(path);
  if (aside === null) return OK;
  return degraded(
    `the items were damaged and set aside as ${aside}: import them again. This notice ends when that file is moved away`,
  );
}

export function watchRecognition(board: HealthBoard, parts: WatchedRecognition): void {
  board.add('camera', () => ({ ...cameraHealth(parts.camera), driver: parts.camera.kind }));
  board.add('tray', () => trayHealth(parts.tray));
  board.add('model', () => {
    const gallery = parts.gallery();
    return { ...modelHealth(parts.embedder), ...speedOf(parts), ...(gallery === null ? {} : { gallery }) };
  });
  board.add('templates', () => templatesHealth(parts));
  board.add('barcodes', () => barcodesHealth(parts.barcodes));
  board.add('items', () => itemsHealth(parts.items));
  board.add('calibration', () => calibrationHealth(parts));
}
