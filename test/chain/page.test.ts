/** docs/chain.md, typed as it stands: only the ports and the folder are others, so that several runs do not meet. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { blocksOf, read } from '../docs/pages.ts';
import { needing } from '../needing.ts';
import { freePort } from '../ports.ts';
import { ROOT } from '../root.ts';
import { temporaryFolder } from '../support.ts';
import { NO_HUB } from './hub.ts';

const page = suite('chain: its page');
const test = needing(NO_HUB, 'chain: its page', page);

const PAGE = read('docs/chain.md');
const LIMIT_MS = 120_000;

/** The commands below a heading. */
function commandsOf(heading: string): string {
  const below = PAGE.slice(PAGE.indexOf(`## ${heading}\n`));
  return blocksOf(below)[0]?.text ?? '';
}

/** Other ports in place of those that the page names. */
async function onFreePorts(commands: string): Promise<string> {
  let text = commands;
  for (const port of new Set(commands.match(/\b2[4678]22[2-4]\b/g)))
    text = text.replaceAll(port, String(await freePort()));
  return text;
}

test('its trial on one machine works as written', async () => {
  using folder = temporaryFolder();
  const typed = commandsOf('Try it on one machine');
  assert.match(typed, /nats-server[\s\S]*streams[\s\S]*store add[\s\S]*healthz/);
  const commands = (await onFreePorts(typed)).replaceAll('scripts/chain.sh', `bash ${ROOT}/scripts/chain.sh`);
  // what it leaves running ends with the shell
  const script = `set -e\ntrap 'kill $(jobs -p); wait' EXIT\n${commands}`;
  const shell = spawn('bash', ['-c', script], { cwd: folder.path, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (text) => said.push(String(text)));
  const limit = setTimeout(() => shell.kill('SIGTERM'), LIMIT_MS);
  const [code] = await once(shell, 'close');
  clearTimeout(limit);
  const output = said.join('');
  assert.is(code, 0, output);
  assert.match(output, /M1 {2}added[\s\S]*\{"status":\s*"ok"\}/);
  const file = JSON.parse(readFileSync(`${folder.path}/chain/joins/M1.json`, 'utf8'));
  assert.is(file.servers.length, 3);
});

test('the files of a server name what its unit lets it read and write, and hold no key of the chain', async () => {
  const unit = readFileSync(`${ROOT}/systemd/laneware-nats.service`, 'utf8');
  using folder = temporaryFolder();
  const init = `bash ${ROOT}/${commandsOf('The hub').trim()}`;
  const shell = spawn('bash', ['-c', init], { cwd: folder.path, stdio: 'ignore' });
  assert.is((await once(shell, 'close'))[0], 0);
  const config = readFileSync(`${folder.path}/chain/servers/hub-1/nats.conf`, 'utf8');
  assert.match(config, `store_dir: "/var/lib/${/^StateDirectory=(.*)$/m.exec(unit)?.[1]}/`);
  assert.match(config, 'cert_file: "/etc/laneware/server.pem"');
  assert.match(unit, '--config /etc/laneware/nats.conf');
  for (const port of ['listen:', 'https:', 'cluster:', 'leafnodes:']) assert.match(config, port);
  assert.not.match(config, /^http:|^port:/m);
  const keys = JSON.parse(readFileSync(`${folder.path}/chain/chain.json`, 'utf8'));
  for (const secret of [keys.operator, keys.system, keys.account, keys.authority.key, keys.signing.privateKey])
    assert.not.match(config, secret);
});

page.run();
