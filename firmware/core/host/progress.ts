/**
 * Proof that the device gets on with its work: a real request to each of its ports went through the event loop, the
 * router and the stores, and came back. Absent hardware is in the answer and is no lack of progress.
 */
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import Type from 'typebox';
import { fits } from '../store/index.ts';
import { type HealthReport, HealthReportSchema } from './health.ts';

export type Progress =
  | { readonly alive: true; readonly report: HealthReport | null }
  | { readonly alive: false; readonly reason: string };

/** The terminal answers the report as `health`, the recognition device as `data`. */
const AnswerSchema = Type.Union([
  Type.Object({ health: HealthReportSchema }),
  Type.Object({ data: HealthReportSchema }),
]);

function reportOf(body: unknown): HealthReport | null {
  if (!fits(AnswerSchema, body)) return null;
  return 'health' in body ? body.health : body.data;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** A connection of its own each time: accepting one is part of the proof. */
function ask(url: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(new URL('/health', url), { agent: false, signal }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, text: body }), reject);
    });
    request.on('error', reject);
  });
}

/**
 * @param url base address of a port of this process, on loopback
 * @param deadlineMs after which silence counts as no progress
 */
export async function probe(url: string, deadlineMs: number): Promise<Progress> {
  const where = `${url}/health`;
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const answer = await ask(url, deadline);
    // a refusal comes from the router too: the device works, it only does not count its own address among its clients
    if (answer.status >= 500) return { alive: false, reason: `${where} answered ${answer.status}` };
    const body: unknown = JSON.parse(answer.text);
    return { alive: true, report: reportOf(body) };
  } catch (error) {
    const reason = deadline.aborted ? `was silent for ${Math.round(deadlineMs)} ms` : String(error);
    return { alive: false, reason: `${where}: ${reason}` };
  }
}

/** One line for `systemctl status`: what is wrong, in the words of the health report. */
export function statusOf(report: HealthReport | null): string {
  if (report === null) return 'running';
  const wrong = report.parts.filter(({ state }) => state !== 'ok').map(({ part, reason }) => `${part}: ${reason}`);
  return wrong.length === 0 ? `${report.version} works` : `${report.version} ${report.state}; ${wrong.join('; ')}`;
}
