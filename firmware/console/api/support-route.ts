/** The call by which a technician gets the support bundle: it is made while it is sent, and goes nowhere else. */
import type { FastifyInstance } from 'fastify';
import { KEPT_LINES, type LogRing } from '../../host/index.ts';
import type { Sources } from '../../support/index.ts';

function* linesOf(ring: LogRing) {
  const all = { after: 0, limit: KEPT_LINES, level: 'trace', part: null, text: '' } as const;
  for (const { at, level, part, message, details } of ring.list(all))
    yield { line: { ...details, time: at, level, part, msg: message } };
}

/** @param serial of the device, which names the file */
export function addSupportRoute(
  app: FastifyInstance,
  { serial, ring, ...sources }: Omit<Sources, 'lines'> & { readonly serial: string; readonly ring: LogRing },
): void {
  app.get('/console/api/support', async (_request, reply) => {
    const { supportBundle } = await import('../../support/index.ts');
    const name = `laneware-support-${serial.replaceAll(/[^\w-]/g, '-')}.zip`;
    return reply
      .headers({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${name}"` })
      .type('application/zip')
      .send(supportBundle({ ...sources, lines: () => linesOf(ring) }));
  });
}
