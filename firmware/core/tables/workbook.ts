/**
 * Reads workbooks of Excel (Office Open XML, ECMA-376) in pieces, trusting nothing in them. A formula counts by its
 * last value. Loaded on first use, in a thread of its own.
 */
import { TableError, type TableLine } from './cells.ts';
import { damaged, local, OTHER_BYTES, Parts } from './workbook-parts.ts';
import { rowsOf } from './workbook-rows.ts';
import { stylesOf, textsOf } from './workbook-shared.ts';

async function* readSheets(bytes: Uint8Array): AsyncGenerator<TableLine> {
  const parts = await Parts.open(bytes);
  const main = [...(await parts.related('')).values()].find(({ type }) => type === 'officeDocument');
  if (main === undefined) throw damaged('is a ZIP file, and no workbook of Excel (.xlsx)');
  const related = await parts.related(main.part);
  const partOf = (type: string): string => [...related.values()].find((each) => each.type === type)?.part ?? '';
  const sheets: { name: string; part: string }[] = [];
  let is1904 = false;
  await parts.readWhole(main.part, OTHER_BYTES, {
    open: (element, attributes) => {
      if (element === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '');
      if (element !== 'sheet' || (attributes.state ?? 'visible') !== 'visible') return;
      const [, id = ''] = Object.entries(attributes).find(([name]) => local(name) === 'id') ?? [];
      sheets.push({ name: attributes.name ?? '', part: related.get(id)?.part ?? '' });
    },
  });
  const [texts, styles] = [await textsOf(parts, partOf('sharedStrings')), await stylesOf(parts, partOf('styles'))];
  let isRead = false;
  for (const { name, part } of sheets) {
    let hasRows = false;
    for await (const row of rowsOf(parts, part, { texts, styles, is1904 })) {
      hasRows = true;
      yield isRead ? { unread: name } : row;
      if (isRead) break;
    }
    isRead ||= hasRows;
  }
}

/** The rows with content of the first visible sheet, then the names of other sheets with rows. @throws {TableError} */
export async function* sheetRows(bytes: Uint8Array): AsyncGenerator<TableLine> {
  try {
    yield* readSheets(bytes);
  } catch (cause) {
    throw cause instanceof TableError ? cause : new TableError('workbook', undefined, null, { cause });
  }
}
