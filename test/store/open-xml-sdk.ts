/** A thread that holds workbooks to the schemas of the Open XML SDK: it brings a runtime of some hundred megabytes, which end with it. */
import { parentPort, workerData } from 'node:worker_threads';
import validate from '@ooxml-tools/validate';

const OF = 'Office2019';

async function wordsOf(workbook: Uint8Array): Promise<string[]> {
  try {
    const problems = await validate(workbook, 'xlsx', OF);
    return problems.map(({ path, description }) => `${path.partUri ?? ''} ${description}`);
  } catch (error) {
    return [`cannot be opened: ${(error as Error).message}`];
  }
}

const all: string[][] = [];
for (const workbook of workerData as readonly Uint8Array[]) all.push(await wordsOf(workbook));
parentPort?.postMessage(all);
