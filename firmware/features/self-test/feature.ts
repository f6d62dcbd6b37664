import type { Feature } from '../feature.ts';

export const selfTest: Feature = {
  name: 'self-test',
  addRoutes: async (app, { config, serial, dataDir, logOf, ...lane }) => {
    const { addSelfTestRoutes } = await import('./routes.ts');
    addSelfTestRoutes(app, {
      ...{ ...lane, device: serial, gpio: config.gpio, readsCodes: config.recognition.barcodes },
      folder: dataDir.path,
      path: dataDir.file('self-test.json'),
      log: logOf('device'),
    });
  },
  command: { words: ['selftest'], load: async () => (await import('./command.ts')).addSelfTest },
};
