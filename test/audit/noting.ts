/** A process that records events without end, to be killed: `noting.ts FOLDER`. Says the turn of each that is recorded. */
import { auditEvent, openTrail } from './support.ts';

const [folder = ''] = process.argv.slice(2);
const { trail } = openTrail(folder);
for (let turn = 0; ; turn++) {
  await trail.record('technician', auditEvent('settings', { what: { turn } }));
  process.stdout.write(`${turn}\n`);
}
