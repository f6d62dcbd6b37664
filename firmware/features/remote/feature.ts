import type { Feature } from '../feature.ts';

export const remote: Feature = {
  name: 'remote',
  open: async ({ audit }) => {
    const { addRemoteRoutes } = await import('./routes.ts');
    return { addRoutes: (app) => addRemoteRoutes(app, audit) };
  },
  command: { words: ['remote'], load: async () => (await import('./command.ts')).addRemote },
};
