/** The room of the web pages: operator console and customer display. */
import type { FastifyInstance } from 'fastify';
import type { HealthBoard } from '../http/health.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface ConsoleOptions {
  readonly terminal: Terminal;
  readonly health: HealthBoard;
  /** Where the sandbox bank answers; null where it does not run. */
  readonly sandboxUrl: string | null;
}

export function addConsoleRoutes(app: FastifyInstance, { terminal }: ConsoleOptions): void {
  app.get('/display/state', async () => ({ code: 0, ...terminal.presenter.picture }));
}
