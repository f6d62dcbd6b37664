/** `node test/run.ts FILE…` runs the named test files only. */
import { resolve } from 'node:path';
import { finish, runFiles } from './runner.ts';

finish(await runFiles(process.argv.slice(2).map((file) => resolve(file))));
