/** The call by which a technician gets the support bundle: it is made while it is sent, and goes nowhere else. */
import type { FastifyInstance } from 'fastify';
import { SystemFiles } from '../../board/index.ts';
import type { Config } from '../../config/index.ts';
import { type HealthBoard, KEPT_LINES, type LogRing, type Metrics } from '../../host/index.ts';
import type { Sources } from '../../support/index.ts';
import type { Terminal } from '../../terminal/index.ts';

export interface Supported {
  readonly config: Config;
  readonly version: string;
  readonly serial: string;
  readonly board: Sources['board'];
  readonly health: Pick<HealthBoard, 'report'>;
  readonly metrics: Metrics;
  readonly terminal: Pick<Terminal, 'settings'>;
  readonly lines: LogRing;
}

function* linesOf(lines: LogRing) {
  const all = { after: 0, limit: KEPT_LINES, level: 'trace', part: null, text: '' } as const;
  for (const { at, level, part, message, details } of lines.list(all))
    yield { line: { ...details, time: at, level, part, msg: message } };
}

export function addSupportRoute(plain: FastifyInstance, device: Supported): void {
  const { config, version, serial, board, health, metrics, terminal, lines } = device;
  plain.get('/console/api/support', async (_request, reply) => {
    const { supportBundle } = await import('../../support/index.ts');
    const name = `laneware-support-${serial.replaceAll(/[^\w-]/g, '-')}.zip`;
    return reply
      .headers({ 'cache-control': 'no-store', 'content-disposition': `attachment; filename="${name}"` })
      .type('application/zip')
      .send(
        supportBundle({
          ...{ by: 'device', version, folder: config.dataDir, files: new SystemFiles(), board },
          health: () => health.report(),
          figures: () => metrics.registry.metrics(),
          config: () => config,
          settings: () => terminal.settings.masked(),
          lines: () => linesOf(lines),
        }),
      );
  });
}
