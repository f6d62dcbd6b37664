/** The kinds of codes that are read: our names, and the reader's. */
import type { ReadInputBarcodeFormat, ReadOutputBarcodeFormat } from 'zxing-wasm/reader';

export const SYMBOLOGIES = Object.freeze({
  'ean-13': 'EAN-13, and UPC-A, which is one with a 0 before it',
  'ean-8': 'EAN-8',
  'upc-e': 'UPC-E, returned as the number that it stands for',
  'itf-14': 'ITF-14, of a carton',
  'code-128': 'Code 128',
  'gs1-databar': 'GS1 DataBar',
  qr: 'QR',
  datamatrix: 'DataMatrix',
});
export type Symbology = keyof typeof SYMBOLOGIES;

/** Kinds of bar codes that are read. */
export const WANTED_BARS: readonly ReadInputBarcodeFormat[] = Object.freeze([
  'EAN13',
  'EAN8',
  'UPCA',
  'UPCE',
  'ITF14',
  'Code128',
  'DataBarOmni',
  'DataBarStk',
  'DataBarStkOmni',
  'DataBarLtd',
  'DataBarExp',
  'DataBarExpStk',
]);

/** All kinds of codes that are read. */
export const WANTED: readonly ReadInputBarcodeFormat[] = Object.freeze([...WANTED_BARS, 'QRCode', 'DataMatrix']);

const NAMES: Readonly<Partial<Record<ReadOutputBarcodeFormat, Symbology>>> = Object.freeze({
  EAN13: 'ean-13',
  UPCA: 'ean-13',
  EAN8: 'ean-8',
  UPCE: 'upc-e',
  ITF: 'itf-14',
  ITF14: 'itf-14',
  Code128: 'code-128',
  DataBarOmni: 'gs1-databar',
  DataBarStk: 'gs1-databar',
  DataBarStkOmni: 'gs1-databar',
  DataBarLtd: 'gs1-databar',
  DataBarExp: 'gs1-databar',
  DataBarExpStk: 'gs1-databar',
  QRCode: 'qr',
  QRCodeModel2: 'qr',
  DataMatrix: 'datamatrix',
});

/** Our name of a kind; null where it is not one that is read. */
export const symbologyOf = (format: ReadOutputBarcodeFormat): Symbology | null => NAMES[format] ?? null;

/** Whether two different codes of this kind on a tray mean two items. */
export const isOfTrade = (symbology: Symbology): boolean =>
  symbology === 'ean-13' || symbology === 'ean-8' || symbology === 'upc-e' || symbology === 'gs1-databar';
