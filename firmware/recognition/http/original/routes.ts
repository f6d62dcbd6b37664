/** Adds the calls of the original device: each translates between its envelope and the recognition service. */
import type { FastifyInstance } from 'fastify';
import { HEALTH_EXAMPLE, type HealthBoard, HealthReportSchema } from '../../../core/host/index.ts';
import type { Recognition } from '../../service/recognition.ts';
import type { UploadLimits } from '../package-upload.ts';
import { addFrameRoute, addImageRoute } from './camera.ts';
import { addDeviceRoutes } from './device.ts';
import type { DeviceIdentity } from './device-info.ts';
import { answerOf, success } from './envelope.ts';
import { addDownloadRoute, addImportRoute, addPackageTaskRoutes } from './packages.ts';
import { addResultRoutes } from './recognition.ts';
import { addDeletionMarkRoutes, addItemTemplateRoutes, addTemplateRoutes } from './templates.ts';

export async function addOriginalRoutes(
  app: FastifyInstance,
  recognition: Recognition,
  health: HealthBoard,
  identity: DeviceIdentity,
  limits: UploadLimits,
): Promise<void> {
  app.get(
    '/health',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getHealth',
        tags: ['device'],
        summary: 'What works and what does not',
        description: 'Each part with its state, and what to do about what does not work.',
        response: { 200: answerOf(HealthReportSchema, 'Health', HEALTH_EXAMPLE) },
      },
    },
    async () => success(health.report()),
  );
  // the document of the calls has them in this order
  addTemplateRoutes(app, recognition);
  addItemTemplateRoutes(app, recognition);
  addPackageTaskRoutes(app, recognition);
  addDeletionMarkRoutes(app, recognition);
  addResultRoutes(app, recognition);
  addDeviceRoutes(app, recognition, identity);
  addImageRoute(app, recognition);
  addDownloadRoute(app, recognition);
  await addFrameRoute(app, recognition);
  await addImportRoute(app, recognition, limits);
}
