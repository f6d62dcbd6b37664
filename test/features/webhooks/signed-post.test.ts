/** The one agent of a receiver: calls at once share it, and closing ends each of its connections. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openOwnPair } from '../../../firmware/core/tls/pair.ts';
import { SignedPost } from '../../../firmware/features/webhooks/signed-post.ts';
import { listening } from '../../ports.ts';
import { temporaryFolder, until } from '../../support.ts';
import { OK, SECRET } from './rig.ts';

const test = suite('webhooks: signed post');

test('two first calls at once leave no connection behind when the post is closed', async () => {
  using folder = temporaryFolder();
  const { pair } = openOwnPair(join(folder.path, 'tls.pem'), { needed: ['localhost'], more: [] }, Date.now());
  // the file is read before the first call, so both calls come before there is an agent
  const caPath = join(folder.path, 'ca.pem');
  writeFileSync(caPath, pair.certificate);
  const server = createServer({ key: pair.key, cert: pair.certificate }, (_request, response) => OK(response, 0));
  server.keepAliveTimeout = 0; // the receiver never ends a connection
  const connections = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  await using receiver = await listening(server);
  const post = new SignedPost({ url: receiver.url.replace('127.0.0.1', 'localhost'), secret: SECRET, caPath });
  const closing = new AbortController();
  const send = () => post.send({ number: 1, type: 'test', text: '{}' }, 0, closing.signal);
  const sent = await Promise.all([send(), send()]);
  assert.equal(sent, [
    { status: 204, problem: null },
    { status: 204, problem: null },
  ]);
  assert.is(connections.size, 2);
  post.close();
  await until('each connection is closed', () => connections.size === 0);
});

test.run();
