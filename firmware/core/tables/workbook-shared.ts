/** What the cells of a workbook refer to: texts and formats, which many cells share. */
import { isDateFormat } from './cells.ts';
import { damaged, MIB, type Parts } from './workbook-parts.ts';

/** Longest cell of Excel, in characters. */
export const LONGEST_CELL = 32_767;
const TEXTS_BYTES = 32 * MIB;
const STYLES_BYTES = 16 * MIB;

/** An escape for a character that XML cannot hold, or for a text that looks like one: ECMA-376, 22.9.2.19. */
const ESCAPED = /_x([0-9a-f]{4})_/gi;
export const unescaped = (text: string): string =>
  text.replaceAll(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

export async function textsOf(parts: Parts, part: string): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await parts.readWhole(part, TEXTS_BYTES, {
    open: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
    },
    text: (more) => {
      if (isText) text += more;
      if (text.length > LONGEST_CELL) throw damaged("has a text that is longer than any of Excel's");
    },
    close: (name) => {
      isText = false;
      if (name === 'rPh') isPhonetic = false;
      if (name === 'si') texts.push(unescaped(text));
    },
  });
  return texts;
}

/** How a style shows a number. */
export interface Style {
  readonly isDate: boolean;
  /** Digits at the least, with zeros before them: `00000` of a PLU. */
  readonly digits: number;
}

const ZEROS = /^(0{2,})(?:;|$)/;
const styleOf = (id: number, code: string | undefined): Style => ({
  isDate: isDateFormat(id, code),
  digits: ZEROS.exec(code ?? '')?.[1]?.length ?? 0,
});

/** The styles of cells; none in a workbook with an absurd number of them. */
export async function stylesOf(parts: Parts, part: string): Promise<Style[]> {
  if (parts.sizeOf(part) > STYLES_BYTES) return [];
  const formats = new Map<number, Style>();
  const used: number[] = [];
  let isOfCells = false;
  await parts.readWhole(part, STYLES_BYTES, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') formats.set(Number(numFmtId), styleOf(Number(numFmtId), formatCode));
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'xf' && isOfCells) used.push(Number(numFmtId));
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return used.map((id) => formats.get(id) ?? styleOf(id, undefined));
}
