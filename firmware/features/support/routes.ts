/** The call with which a technician downloads the support bundle. */
import type { FastifyInstance } from 'fastify';
import { KEPT_LINES, type LogRing } from '../../core/host/index.ts';
import { NO_STORE } from '../../core/http/index.ts';
import type { Lane } from '../feature.ts';

function* linesOf(ring: LogRing) {
  const all = { after: 0, limit: KEPT_LINES, level: 'trace', part: null, text: '' } as const;
  for (const { at, level, part, message, details } of ring.list(all))
    yield { line: { ...details, time: at, level, part, msg: message } };
}

/** Adds the call. The bundle is made while it is sent, and not stored. */
export function addSupportRoute(
  app: FastifyInstance,
  { version, serial, dataDir, board, lines, health, metrics, config, configSchema, terminal }: Lane,
): void {
  app.get(
    '/console/api/support',
    { config: { role: 'technician', audit: { event: 'support-bundle-made' } } },
    async (_request, reply) => {
      const { supportBundle } = await import('./bundle.ts');
      const name = `laneware-support-${serial.replaceAll(/[^\w-]/g, '-')}.zip`;
      const bundle = supportBundle({
        by: 'device',
        version,
        folder: dataDir.path,
        board,
        health: () => health.report(),
        figures: () => metrics.registry.metrics(),
        config: () => config,
        configSchema,
        settings: () => terminal.settings.document,
        lines: () => linesOf(lines),
      });
      return reply
        .headers({ ...NO_STORE, 'content-disposition': `attachment; filename="${name}"` })
        .type('application/zip')
        .send(bundle);
    },
  );
}
