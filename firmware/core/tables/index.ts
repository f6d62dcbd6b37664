/**
 * Tables of people and of banks: CSV in any usual form, and workbooks. Reading names the line and the cell that does not fit.
 * Writing keeps a cell from being run as a formula.
 */
export {
  amountCell,
  CellFault,
  type CellOf,
  codeCell,
  emptiness,
  isRounded,
  plainCell,
  quotedCell,
  ROUNDED_WORDS,
  textCell,
} from './cell.ts';
export { TableError, type TableLine, type TableRow, type UnreadableRow, type UnreadSheet } from './cells.ts';
export {
  type Cell,
  CSV_BOM,
  csvRow,
  QUOTED_WITH_EDGES,
  russianRow,
  type SheetCell,
  withoutApostrophes,
} from './csv.ts';
export { isWorkbook, tableRows } from './table.ts';
export { HEAD_LINES } from './table-text.ts';
export { readTable } from './table-thread.ts';
export { type DateOrder, dayCell, isUnclearDay } from './written-days.ts';
