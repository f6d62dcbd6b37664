import type { Feature } from '../feature.ts';

export const support: Feature = {
  name: 'support',
  open: async (lane) => {
    const { addSupportRoute } = await import('./routes.ts');
    return { addRoutes: (app) => addSupportRoute(app, lane) };
  },
  command: { words: ['support'], load: async () => (await import('./command.ts')).addSupport },
};
