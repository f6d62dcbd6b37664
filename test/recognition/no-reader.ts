/** In place of the reader of codes: its thread takes time that most tests and benches do not measure. */
import type { CodeSource } from '../../firmware/recognition/vision/barcode-reader.ts';

export const NO_READER: CodeSource = Object.freeze({
  state: { name: 'ready' },
  read: async () => null,
  onCaughtUp: () => undefined,
  start: async () => undefined,
  close: async () => undefined,
} as const);
