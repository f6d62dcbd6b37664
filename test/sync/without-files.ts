/**
 * A message server is started while the process may open no file more, and one is free later. It is started with a low limit of
 * files, a program that stands for the server and a folder; it writes what the server said of itself meanwhile.
 */
import { closeSync, openSync } from 'node:fs';
import { NatsServer } from '../../firmware/sync/centre/server.ts';
import { until } from '../support.ts';

const [program = '', folder = ''] = process.argv.slice(2);
const log = { info: () => undefined, warn: () => undefined };
const server = new NatsServer(program, folder, false, log);
const files: number[] = [];
try {
  for (;;) files.push(openSync('/dev/null', 'r'));
} catch {} // none is free
server.start(1);
await until('a word on the files', () => server.problem?.includes('EMFILE') === true);
const { problem } = server;
for (const file of files) closeSync(file);
await until('the server', () => server.pid !== null);
await server.stop();
console.log(JSON.stringify({ problem }));
