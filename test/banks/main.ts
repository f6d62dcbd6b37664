/** The seven banks as a process of their own: `node test/banks/main.ts FILE`. Prints one JSON line with their url when they are ready. */
import { startBanks } from './banks.ts';

const bank = await startBanks({ port: 0, dataFile: process.argv[2] ?? '.laneware/banks.db' });
process.once('SIGTERM', () => void bank.close());
process.stdout.write(`${JSON.stringify({ url: bank.url })}\n`);
