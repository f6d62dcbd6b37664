/** The code for the technician on the consoles of a board: what the script of root takes from the device's own user, and for how long. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ROOT as PROJECT } from '../root.ts';
import { each, temporaryFolder, until } from '../support.ts';

const consoles = suite('claim-console.sh');
const ADDRESS = 'https://192.0.2.20:8080/claim';
const fileOf = (code: string, address = ADDRESS): string => `code=${code}\naddress=${address}\n`;

class Board {
  readonly #root: string;
  #run: ChildProcess | null = null;
  #ended: Promise<number | null> = Promise.resolve(null);

  constructor(root: string) {
    this.#root = root;
    for (const folder of ['run/laneware', 'run/laneware-claim', 'stand-ins'])
      mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, 'stand-ins/agetty'), '#!/bin/sh\necho "$*" >>"$LANEWARE_ROOT/reloads"\n', { mode: 0o755 });
  }

  at(path: string): string {
    return join(this.#root, path);
  }

  write(text: string): void {
    writeFileSync(this.at('run/laneware/new'), text);
    renameSync(this.at('run/laneware/new'), this.at('run/laneware/claim'));
  }

  get shown(): string {
    const file = this.at('run/laneware-claim/issue');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  get reloads(): number {
    const file = this.at('reloads');
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
  }

  start(): Promise<number | null> {
    const env = { ...process.env, LANEWARE_ROOT: this.#root, PATH: `${this.at('stand-ins')}:${process.env.PATH}` };
    const run = spawn(join(PROJECT, 'scripts/install/claim-console.sh'), { env, stdio: 'inherit' });
    this.#run = run;
    this.#ended = new Promise((resolve) => run.once('exit', resolve));
    return this.#ended;
  }

  async stop(): Promise<void> {
    this.#run?.kill('SIGTERM');
    await this.#ended;
  }
}

function onBoard(body: (board: Board) => Promise<void>): () => Promise<void> {
  return async () => {
    using folder = temporaryFolder();
    const board = new Board(folder.path);
    try {
      await body(board);
    } finally {
      await board.stop();
    }
  };
}
const it = each(consoles, onBoard);

it('a code is shown with its address, replaced by the next, and cleared when there is none', async (board) => {
  board.write(fileOf('AAAA-0000'));
  const ended = board.start();
  await until('the code', () => board.shown.includes('AAAA-0000'));
  assert.match(board.shown, ADDRESS);
  assert.is(statSync(board.at('run/laneware-claim/issue')).mode & 0o777, 0o600);
  await until('the consoles to look', () => board.reloads === 1);
  board.write(fileOf('BBBB-1111', 'https://[2001:db8::7]/claim'));
  await until('the other code', () => board.shown.includes('BBBB-1111'));
  assert.match(board.shown, 'https://[2001:db8::7]/claim');
  assert.not.match(board.shown, 'AAAA-0000');
  rmSync(board.at('run/laneware/claim'));
  assert.is(await ended, 0);
  assert.is(board.shown, '');
  assert.is(board.reloads, 3, 'at each change');
});

it('it is gone, too, where the script is asked to end', async (board) => {
  board.write(fileOf('AAAA-0000'));
  const ended = board.start();
  await until('the code', () => board.shown.includes('AAAA-0000'));
  await board.stop();
  assert.is(await ended, 0);
  assert.is(board.shown, '');
});

for (const [what, text] of [
  ['an order for a terminal', fileOf('AAAA-0000', 'https://192.0.2.20/claim\u001b[2J')],
  ['an escape of agetty', fileOf('AAAA-0000', 'https://\\4/claim')],
  ['more lines', `${fileOf('AAAA-0000')}login: \n`],
  ['a code of another form', fileOf('AAAA-00000')],
  ['the page of another', fileOf('AAAA-0000', 'https://192.0.2.20/elsewhere')],
] as const)
  it(`${what} does not get to a console`, async (board) => {
    board.write(fileOf('AAAA-0000'));
    void board.start();
    await until('the code', () => board.shown.includes('AAAA-0000'));
    board.write(text);
    await until('the code to be gone', () => board.shown === '');
    board.write(fileOf('BBBB-1111'));
    await until('the next one', () => board.shown.includes('BBBB-1111'));
  });

it('a link is not followed to what only root reads', async (board) => {
  board.write(fileOf('AAAA-0000'));
  void board.start();
  await until('the code', () => board.shown.includes('AAAA-0000'));
  writeFileSync(board.at('secret'), fileOf('CCCC-2222'));
  rmSync(board.at('run/laneware/claim'));
  symlinkSync(board.at('secret'), board.at('run/laneware/claim'));
  await until('the code to be gone', () => board.shown === '');
});

consoles.run();
