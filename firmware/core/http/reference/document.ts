/**
 * The OpenAPI document of a port. Routes describe what is theirs; what holds for all of them is added here: who answers, who
 * may call, what any call may be answered before it reaches its route, and the names of shared schemas.
 */
import type { FastifyInstance, RouteOptions } from 'fastify';
import { CONSOLE_API } from '../problem.ts';
import type { About, describeRoutes, Failing } from './described.ts';

/** Whose calls a document has. */
export type Part = 'promised' | 'console';

/** What the pages alone call. */
const OF_CONSOLE = new RegExp(`^(${CONSOLE_API}|/display/)`);

declare module 'fastify' {
  interface FastifyInstance {
    /** Its OpenAPI document: what is promised, or what only the pages and lanectl call, for tests. */
    readonly describeApi: (which: Part) => Promise<object>;
  }
}

/** What makes a document is loaded once somebody reads one. */
async function describe(...asked: Parameters<typeof describeRoutes>): Promise<object> {
  const { describeRoutes } = await import('./described.ts');
  return await describeRoutes(...asked);
}

/** To be called before the first route is added. */
export function documentApi(app: FastifyInstance, about: About, failing: Failing): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  const documents = new Map<Part, Promise<object>>();
  app.decorate('describeApi', (part: Part) => {
    const chosen = routes.filter(({ url }) => OF_CONSOLE.test(url) === (part === 'console'));
    const document = documents.get(part) ?? describe(chosen, about, failing);
    documents.set(part, document);
    return document;
  });
}
