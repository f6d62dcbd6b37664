/** The receivers of docs/events.md, as they stand: they take what is signed, once, and nothing else. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SignedPost } from '../../firmware/terminal/webhooks/signed-post.ts';
import { freePort } from '../ports.ts';
import { missingPrograms, needing } from '../skipping.ts';
import { call, temporaryFolder, until } from '../support.ts';
import { blocksOf, read } from './pages.ts';

const test = suite('receivers of the documents');

const SECRET = 'made-up-secret-of-a-receiver';
const RECEIVERS = [
  ['mjs', process.execPath, null],
  ['python', 'python3', missingPrograms('python3')],
] as const;

for (const [language, program, missing] of RECEIVERS)
  needing(
    missing,
    `the receiver in ${language}`,
    test,
  )(`the receiver in ${language} takes what is signed, each event once, and refuses all else`, async () => {
    using folder = temporaryFolder();
    const port = await freePort();
    const text = blocksOf(read('docs/events.md')).find((block) => block.language === language)?.text ?? '';
    const file = join(folder.path, `receiver.${language}`);
    writeFileSync(file, text.replace('8000', String(port)));
    const child = spawn(program, [file], {
      env: { PATH: process.env.PATH, SECRET },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'close');
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    try {
      const url = `http://127.0.0.1:${port}/`;
      await until('it listens', () => call(url, { method: 'POST', body: 'x' }).catch(() => null));
      const event = (number: number) => ({
        number,
        type: 'payment.accepted',
        text: JSON.stringify({
          number,
          type: 'payment.accepted',
          payment: { id: `order-${number}`, purpose: 'Äpfel' },
        }),
      });
      const send = async (secret: string, number: number, told = event(number)): Promise<number | null> => {
        const post = new SignedPost({ url, secret });
        const { status } = await post.send(told, Date.now(), new AbortController().signal);
        post.close();
        return status;
      };
      assert.is(await send(SECRET, 1), 204);
      assert.is(await send(SECRET, 1), 204, 'again');
      assert.is(await send(`${SECRET}!`, 2), 403, 'of another secret');
      assert.is((await call(url, { method: 'POST', body: event(3).text })).status, 403, 'without a signature');
      const header = { 'laneware-signature': `t=1,v1=${'0'.repeat(64)}` };
      assert.is((await call(url, { method: 'POST', body: event(4).text, headers: header })).status, 403, 'of none');
      assert.is(await send(SECRET, 5), 204);
      await until('both are printed', () => output.split('\n').length > 2);
      assert.is(output.replaceAll('\r', ''), 'payment.accepted order-1\npayment.accepted order-5\n');
    } finally {
      child.kill();
      await exited;
    }
  });

test.run();
