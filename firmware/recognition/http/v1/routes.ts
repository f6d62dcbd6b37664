/** Adds the calls of recognition in `/v1`, and those that only the console makes. */
import type { FastifyInstance } from 'fastify';
import type { UploadLimits } from '../package-upload.ts';
import { addCamera, type CameraRoutes } from './camera-routes.ts';
import { addContradictions } from './contradiction-routes.ts';
import { addItemFileRoutes } from './item-file-routes.ts';
import { addItemRoutes } from './item-routes.ts';
import { addLearned } from './learned-routes.ts';
import { addLookAlikes } from './look-alike-routes.ts';
import { addPackages } from './package-routes.ts';
import { addRanks } from './rank-routes.ts';
import { addTrayRoutes, type TrayRoutes } from './recognition-routes.ts';
import { addSettings } from './setting-routes.ts';
import { addDeletions, addItemTemplates } from './template-routes.ts';

interface RecognitionRoutes extends UploadLimits, TrayRoutes, Pick<CameraRoutes, 'modelSees'> {}

/** The document lists the calls in this order. */
export async function addRecognitionRoutes(app: FastifyInstance, options: RecognitionRoutes): Promise<void> {
  const { recognition } = options;
  addItemRoutes(app, recognition);
  addItemTemplates(app, recognition);
  await addItemFileRoutes(app, recognition);
  addDeletions(app, recognition);
  addTrayRoutes(app, options);
  addContradictions(app, recognition);
  addCamera(app, options);
  addLookAlikes(app, recognition);
  addSettings(app, recognition);
  addLearned(app, recognition);
  addRanks(app, recognition);
  await addPackages(app, recognition, options);
}
