import type { Feature } from '../feature.ts';

export const remote: Feature = {
  name: 'remote',
  addRoutes: async (app, { audit }) => (await import('./routes.ts')).addRemoteRoutes(app, audit),
  command: { words: ['remote'], load: async () => (await import('./command.ts')).addRemote },
};
