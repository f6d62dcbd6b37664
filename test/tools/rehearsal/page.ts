/** The story of a rehearsal as one page of figures. */
import type { Story } from './weeks.ts';

const roubles = (kopecks: number): string => (kopecks / 100).toFixed(2);
const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const head = (...cells: readonly string[]): string => `${row(...cells)}\n${row(...cells.map(() => '---'))}`;

export function pageOf(commit: string, { plan, minutes, events, counts, books, growth, faults }: Story): string {
  // scripts/release/bundle.sh reads this line
  const verdict =
    faults.length === 0
      ? `Commit ${commit}: all books and templates agree, and nothing has leaked.`
      : `Commit ${commit} **failed**:`;
  return [
    '# Dress rehearsal',
    `${plan.days} days of four lanes, ${plan.sales * 4} sales a lane and day, seed ${plan.seed}; ${minutes.toFixed(0)} minutes.`,
    [verdict, ...faults.map((fault) => `- ${fault}`)].join('\n'),
    '## What happened',
    events.map((event) => `- ${event}`).join('\n'),
    [head('what', 'how often'), ...Object.entries(counts).map(([name, count]) => row(name, count))].join('\n'),
    '## The books',
    [
      head('lane', 'payments', 'accepted', 'of them late', 'roubles', 'refunded', 'shifts closed'),
      ...books.map(({ serial, entries, shifts }) => {
        const accepted = entries.filter(({ state }) => state === 'ACCEPTED');
        const late = accepted.filter((entry) => entry.late).length;
        const sums = [roubles(shifts.accepted), roubles(shifts.refunds)];
        return row(serial, entries.length, accepted.length, late, ...sums, shifts.count);
      }),
    ].join('\n'),
    '## What they hold, on the first calm day and at the end',
    [
      head('lane', 'memory, MiB', 'open files', 'connections', 'data, KiB'),
      ...growth.map(({ serial, before, after, storedKib }) => {
        const mib = ({ memoryKib }: { memoryKib: number }): number => Math.round(memoryKib / 1024);
        const both = [
          [mib(before), mib(after)],
          [before.files, after.files],
          [before.connections, after.connections],
        ];
        return row(serial, ...both.map((pair) => pair.join(' → ')), storedKib);
      }),
    ].join('\n'),
    '',
  ].join('\n\n');
}
