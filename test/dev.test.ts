/** `npm run dev`: what is changed is there at once, and what the device has stored stays. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freePort } from './ports.ts';
import { Program } from './process.ts';
import { ROOT } from './root.ts';
import { call, setUp, temporaryFolder, testEnvironment, until } from './support.ts';

const dev = suite('npm run dev');
const PAGE = 'firmware/console/pages/console.html';
const SOURCE = 'drivers/lib/version.ts';

/** What the script runs once the packages are there, without `node`. */
function argumentsOfDev(): string[] {
  const command: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts.dev;
  const begin = 'node scripts/with-packages.mjs node ';
  assert.ok(command.startsWith(begin), command);
  return command.slice(begin.length).split(' ');
}

dev('a changed page and a changed source are served after a restart, with the earlier settings', async () => {
  using folder = temporaryFolder();
  for (const part of ['firmware', 'drivers', 'models/lane-embed-1.json', 'package.json'])
    cpSync(join(ROOT, part), join(folder.path, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
  const change = (path: string, from: string, to: string) => {
    const text = readFileSync(join(folder.path, path), 'utf8');
    assert.ok(text.includes(from), path);
    writeFileSync(join(folder.path, path), text.replace(from, to));
  };
  const ports = {
    LANEWARE_TERMINAL_PORT: String(await freePort()),
    LANEWARE_RECOGNITION_PORT: String(await freePort()),
  };
  const env = testEnvironment(join(folder.path, 'data'), ports);
  const program = new Program(argumentsOfDev(), { ...env, LANEWARE_LOG_LEVEL: 'info' }, { cwd: folder.path });
  // the watcher ends the device that it has started; killed outright it would leave it behind
  await using _program = {
    [Symbol.asyncDispose]: async () => {
      await program.kill('SIGTERM');
    },
  };
  const { terminal, recognition } = await program.line((line) =>
    line.msg === 'ready' ? { terminal: String(line.terminal), recognition: String(line.recognition) } : null,
  );
  await setUp({ terminal });
  // a restart is under way: nothing listens for a moment
  const asked = (url: string) => call(url).catch(() => null);

  change(PAGE, '<body', '<!-- another page --><body');
  await until('the page', async () => (await asked(`${recognition}/`))?.text.includes('another page'));

  change(SOURCE, 'export const VERSION', 'export const VERSION = "9.9.9";\nconst OLD_VERSION');
  await until('the source', async () => (await asked(`${terminal}/version`))?.text.includes('9.9.9'));
  const settings = await call(`${terminal}/getDriverSettings`);
  assert.match(settings.text, '"bankProfile":"sandbox"');
});

dev.run();
