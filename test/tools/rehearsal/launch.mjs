// The firmware of a release as the stand-in for systemd starts it: `node launch.mjs RELEASE_FOLDER ROOT`. It is a simulated lane
// in this process; that it runs is written down once it answers.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import '../../ota/fixtures/ends-with-test.mjs';

const LOOK_AGAIN_MS = 50;
const [, , release, root] = process.argv;
const { REHEARSAL_ADDRESS: address, REHEARSAL_SPEED: speed, REHEARSAL_SOURCES: sources } = process.env;

mkdirSync(join(root, 'run/laneware'), { recursive: true });
const own = join(release, 'firmware/tools/sim/main.ts');
const main = existsSync(own) ? own : join(sources, 'firmware/tools/sim/main.ts');
process.argv = [
  process.argv[0],
  main,
  '--host',
  address,
  '--speed',
  speed,
  '--bank-port',
  '1279',
  '--data',
  join(root, 'data'),
];
const looking = setInterval(async () => {
  try {
    await fetch(`http://${address}:1290/`);
  } catch {
    return; // not yet
  }
  clearInterval(looking);
  writeFileSync(
    join(root, 'run/laneware/endpoints'),
    'terminal=http://127.0.0.1:1234\nrecognition=http://127.0.0.1:8080\n',
  );
  writeFileSync(join(root, 'ready'), `${process.pid}\n`);
}, LOOK_AGAIN_MS);
await import(pathToFileURL(main).href);
