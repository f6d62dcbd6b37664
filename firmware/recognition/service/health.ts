/** What the recognition device reports in `/health`. */
import type { Camera } from '../../../drivers/camera/contract.ts';
import type { Reason } from '../../../drivers/lib/records.ts';
import { lastSetAside } from '../../core/files/index.ts';
import { degradedBy, failed, type HealthBoard, okWith, type Verdict, WELL } from '../../core/host/index.ts';
import type { SpeedChoice } from '../answer/speed-choice.ts';
import type { VectorSource, Viewer } from '../answer/viewer.ts';
import type { ItemsFile } from '../items/items-file.ts';
import type { GalleryReport } from '../matching/template-index.ts';
import { reasonOf } from '../model/reason-records.ts';
import type { OwnDatabase } from '../storage/own-database.ts';
import type { DeviceSettings } from '../storage/settings.ts';
import { isMarkedDamaged } from '../templates/templates-database.ts';
import type { CodeSource } from '../vision/barcode-reader.ts';
import type { Tray } from '../vision/tray.ts';
import type { ReembeddingProgress } from './reembedding.ts';

/** How many items one reason names. */
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
    readonly viewer: Pick<Viewer, 'speed'>;
    readonly speedChoice: Pick<SpeedChoice, 'measured'>;
  };
}

function cameraHealth({ kind, state }: Camera): Verdict {
  if (state.name === 'ready') return WELL;
  if (kind === 'push' && state.name === 'starting')
    return degradedBy(reasonOf('camera-unfed', {}, 'PUT /camera/frame takes one, as a JPEG'));
  // none is configured: payments need none
  if (kind === 'none' && state.name === 'lost') return okWith(reasonOf('camera-none', {}));
  const about = { detail: 'reason' in state ? (state.reason ?? '') : '' };
  if ('isHeld' in state) return degradedBy(reasonOf('camera-held', about));
  return degradedBy(reasonOf(state.name === 'lost' ? 'camera-lost' : 'camera-silent', about));
}

const trayHealth = ({ isMisfit }: WatchedRecognition['tray']): Verdict =>
  isMisfit ? degradedBy(reasonOf('tray-misfit', {})) : WELL;

function modelHealth({ state, runtime }: VectorSource): Verdict {
  const fault = runtime?.nativeFault ?? null;
  if (state.name === 'ready') return fault === null ? WELL : okWith(reasonOf('native-failed', { detail: fault }));
  const { reason: detail } = state;
  return degradedBy(detail === null ? reasonOf('model-loading', {}) : reasonOf('model-stopped', { detail }));
}

/** The model's runtime, the speed in use, who chose it, and the time of a look, where they are known. */
function speedOf({ embedder, settings, speed: { viewer, speedChoice } }: WatchedRecognition) {
  const { measured } = speedChoice;
  const word = measured === null ? 'default' : 'measured';
  return {
    ...(embedder.runtime !== null && { runtime: embedder.runtime.name }),
    speed: viewer.speed,
    speedBy: settings.setSpeed === null ? word : 'set',
    ...(measured !== null && { lookMs: measured.lookMs }),
  } as const;
}

function barcodesHealth({ state }: WatchedRecognition['barcodes']): Verdict {
  return state.name === 'lost' ? degradedBy(reasonOf('barcodes-lost', { detail: state.reason })) : WELL;
}

function templatesHealth({ database, reembedding, settings }: WatchedRecognition): Verdict {
  const { path, problem, isGone } = database;
  if (problem !== null) return failed(reasonOf('templates-unopened', { detail: problem }));
  if (isMarkedDamaged(path)) return failed(reasonOf('templates-damaged', {}));
  if (isGone) return failed(reasonOf('templates-gone', {}));
  if (settings.problem !== null)
    return degradedBy(reasonOf('recognition-settings-damaged', { detail: settings.problem }));
  return reembeddingHealth(reembedding()) ?? degradedBy(...asideReasons('templates', path));
}

function reembeddingHealth(progress: ReembeddingProgress | null): Verdict | null {
  if (progress === null || progress.left === 0) return null;
  const code = progress.left === progress.damaged ? 'templates-unpictured' : 'templates-preparing';
  return degradedBy(reasonOf(code, { n: progress.left }));
}

function asideReasons(part: 'templates' | 'items', path: string): Reason[] {
  const file = lastSetAside(path);
  return file === null ? [] : [reasonOf(`${part}-aside`, { file })];
}

function alteredReasons({ damaged }: WatchedRecognition['items']['sums']): Reason[] {
  const { length: n } = damaged;
  if (n === 0) return [];
  const items = damaged.slice(0, MOST_NAMED).join(', ') + (n > MOST_NAMED ? ', …' : '');
  return [reasonOf('items-altered', { n, items })];
}

function itemsHealth({ path, problem, isDamaged, isGone, sums }: WatchedRecognition['items']): Verdict {
  if (problem !== null) return failed(reasonOf('items-unopened', { detail: problem }));
  if (isDamaged) return failed(reasonOf('items-damaged', {}));
  if (isGone) return failed(reasonOf('items-gone', {}));
  return degradedBy(...asideReasons('items', path), ...alteredReasons(sums));
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
