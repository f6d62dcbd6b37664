/** The HTTP interface of the recognition device: `v1/` and `original/` hold its calls, which only translate. */
import type { FastifyInstance } from 'fastify';
import { HEALTH_EXAMPLE, type HealthBoard, HealthReportSchema } from '../../core/host/index.ts';
import { CODES } from '../model/codes.ts';
import { addDeviceRoutes, type DeviceIdentity } from './original/device.ts';
import { addDownloadRoute, addImportRoute, addPackageTaskRoutes, type UploadLimits } from './original/packages.ts';
import { addFrameRoute, addImageRoute, addResultRoutes } from './original/recognition.ts';
import { answerOf } from './original/schemas.ts';
import { addDeletionMarkRoutes, addItemTemplateRoutes, addTemplateRoutes } from './original/templates.ts';
import { addCamera, type CameraRoutes } from './v1/camera-routes.ts';
import { addContradictions } from './v1/contradiction-routes.ts';
import { addItemFileRoutes } from './v1/item-file-routes.ts';
import { addItemRoutes } from './v1/item-routes.ts';
import { addLearned, addLookAlikes } from './v1/learned-routes.ts';
import { addPackages } from './v1/package-routes.ts';
import { addTrayRoutes, type TrayRoutes } from './v1/recognition-routes.ts';
import { addSettings } from './v1/setting-routes.ts';
import { addDeletions, addItemTemplates } from './v1/template-routes.ts';
import { addUncertain } from './v1/uncertain-routes.ts';

interface RecognitionRoutes extends UploadLimits, TrayRoutes, Pick<CameraRoutes, 'modelSees'> {
  readonly health: HealthBoard;
  readonly identity: DeviceIdentity;
}

export async function addRecognitionRoutes(app: FastifyInstance, options: RecognitionRoutes): Promise<void> {
  const { recognition, health } = options;
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
    async () => ({ code: CODES.ok, data: health.report() }),
  );
  // the document of the calls has them in this order
  addTemplateRoutes(app, recognition);
  addItemTemplateRoutes(app, recognition);
  addPackageTaskRoutes(app, recognition);
  addDeletionMarkRoutes(app, recognition);
  addResultRoutes(app, recognition);
  addDeviceRoutes(app, recognition, options.identity);
  addImageRoute(app, recognition);
  addDownloadRoute(app, recognition);
  await addFrameRoute(app, recognition);
  await addImportRoute(app, recognition, options);
  addItemRoutes(app, recognition);
  addItemTemplates(app, recognition);
  await addItemFileRoutes(app, recognition);
  addDeletions(app, recognition);
  addTrayRoutes(app, options);
  addUncertain(app, recognition);
  addContradictions(app, recognition);
  addCamera(app, options);
  addLookAlikes(app, recognition);
  addSettings(app, recognition);
  addLearned(app, recognition);
  await addPackages(app, recognition, options);
}
