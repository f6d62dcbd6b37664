/** A journal of one table, its lines, and what it must hold. */
import * as assert from 'uvu/assert';
import { JournalContent } from '../../firmware/store/checked/journal-content.ts';
import { checksumOf, type Version } from '../../firmware/store/checked/row.ts';
import { TableJournal } from '../../firmware/store/checked/table-journal.ts';

const NOW = Date.parse('2026-11-20');
const TABLE = 7;

function version(change: number): Version {
  const text = `{"change_no":${change},"id":${change},"purpose":"${'x'.repeat(1000)}"}`;
  return { id: change, change, checksum: checksumOf(text), text };
}

export const opened = (path: string): TableJournal =>
  new TableJournal({ path, tableId: TABLE, found: JournalContent.read(path), now: NOW });
export const append = (journal: TableJournal, first: number, last: number): void => {
  for (let change = first; change <= last; change += 1) journal.append([version(change)]);
};

/** It holds every change up to one, in order, and says so. */
export function holds(path: string, last: number, after = 0): void {
  const content = JournalContent.read(path);
  assert.equal(
    content.versions.map(({ change }) => change),
    Array.from({ length: last - after }, (_, n) => after + 1 + n),
  );
  assert.not(content.damaged);
  assert.ok(content.covers(after));
  assert.is(content.head, last);
}
