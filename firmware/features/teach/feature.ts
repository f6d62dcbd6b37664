import type { Feature } from '../feature.ts';

export const teach: Feature = {
  name: 'teach',
  open: async ({ recognition }) => {
    const { addUncertain } = await import('./routes.ts');
    return { addRoutes: (app) => addUncertain(app, recognition) };
  },
};
