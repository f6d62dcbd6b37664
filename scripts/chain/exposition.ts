/**
 * The figures of a whole chain as Prometheus reads them (text format 0.0.4). What a device has sent is not believed to be in
 * order: a line that is none, or that claims another's labels, would have Prometheus refuse the figures of all.
 */
import { gunzipSync } from 'node:zlib';
import { isCode } from '../../drivers/lib/errors.ts';
import { SALES } from '../../firmware/host/faults.ts';
import type { WatchedDevice } from './watch.ts';

/** Many times what a device has. */
const MAX_DIGEST_BYTES = 64 * 1024;
/** Two rounds of what a device reports by itself, and half a minute. */
export const SILENT_MS = 10.5 * 60_000;
const MS = 1000;
/** The exporter's own figures begin so; no device may report one. */
const OWN = 'laneware_chain_';
const LABEL = '[a-z_][a-z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"';
const LINE = new RegExp(`^([a-z_][a-z0-9_]*)(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (-?[0-9][0-9.e+-]*|NaN|[+-]Inf)$`);
/** As a lane itself calls them: one alert and one panel are for both. Of the parts, the ill ones alone. */
const PART_STATE = 'laneware_part_state';
const SALES_FIGURE = 'laneware_sales';
const OUR_LABELS = /(?:^|,)(?:store|serial)=/;
const STATES = ['ok', 'degraded', 'failed'];

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

const labelled = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');

function textOf(digest: Uint8Array): string {
  try {
    return gunzipSync(digest, { maxOutputLength: MAX_DIGEST_BYTES }).toString();
  } catch (error) {
    // damaged, cut off, or too large: of one device nothing is known, of the others all
    if (isCode(error, 'Z_DATA_ERROR', 'Z_BUF_ERROR', 'ERR_BUFFER_TOO_LARGE')) return '';
    throw error;
  }
}

/** The lines of a device with the names of its store and of itself. @param who labels that name it @param newer figures that its inventory has */
function digestLines(digest: Uint8Array, who: string, newer: readonly string[]): string[] {
  const lines = new Map<string, string>();
  for (const line of textOf(digest).split('\n')) {
    const [, name, labels, value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined || name.startsWith(OWN) || newer.includes(name)) continue;
    if (labels !== undefined && OUR_LABELS.test(labels)) continue;
    lines.set(`${name}{${who}${labels === undefined ? '' : `,${labels}`}}`, value);
  }
  return [...lines].map(([series, value]) => `${series} ${value}`);
}

/**
 * @param store name of its store
 * @param now ms since 1970, by the clock that `heardAt` is by
 */
export function linesOf(device: WatchedDevice, store: string, now: number): string[] {
  const { serial, inventory, digest, heardAt } = device;
  const who = labelled({ store, serial });
  const silentMs = Math.max(0, now - heardAt);
  const lines = [
    `${OWN}device_silence_seconds{${who}} ${silentMs / MS}`,
    `${OWN}device_heard{${who}} ${Number(silentMs < SILENT_MS)}`,
  ];
  const newer: string[] = [];
  if (inventory !== null) {
    const { version, role, sales, parts } = inventory;
    lines.push(`${OWN}device_info{${who},${labelled({ version, role })}} 1`);
    newer.push(PART_STATE, SALES_FIGURE);
    const named = new Map(parts.map(({ part, state }) => [part, state]));
    for (const [part, state] of named)
      lines.push(`${PART_STATE}{${who},${labelled({ part })}} ${STATES.indexOf(state)}`);
    lines.push(`${SALES_FIGURE}{${who}} ${SALES.indexOf(sales)}`);
  }
  // figures of a silent device are of another time
  if (digest !== null && silentMs < SILENT_MS) lines.push(...digestLines(digest, who, newer));
  return lines;
}
