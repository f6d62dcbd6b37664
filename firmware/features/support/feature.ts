import type { Feature } from '../feature.ts';

export const support: Feature = {
  name: 'support',
  addRoutes: async (app, lane) => (await import('./routes.ts')).addSupportRoute(app, lane),
  command: { words: ['support'], load: async () => (await import('./command.ts')).addSupport },
};
