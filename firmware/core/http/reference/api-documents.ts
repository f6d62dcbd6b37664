/**
 * The OpenAPI documents of a port. Routes describe their own part; `described.ts` adds the common facts, and is loaded
 * when somebody first reads a document.
 */
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { CONSOLE_API } from '../failure-answers.ts';
import type { About, describeRoutes, Failing } from './described.ts';

/** Which calls a document has. */
type Part = 'promised' | 'console';

/** Paths that only the pages call. */
const CONSOLE_PATHS = new RegExp(`^(${CONSOLE_API}|/display/)`);

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document of a port: promised calls, or, for tests, those that only the pages and lanectl make. */
    readonly describeApi: (which: Part) => Promise<object>;
  }
}

type MakeDocument = (...parameters: Parameters<typeof describeRoutes>) => Promise<object>;

const makeDocument: MakeDocument = async (...parameters) => {
  const described = await import('./described.ts');
  return await described.describeRoutes(...parameters);
};

/**
 * Adds `describeApi` to a server. A document is made once; one that could not be made is tried anew at the next call.
 * @param app a server without routes: those added before this call would be missing in its documents
 */
export function addApiDocuments(app: FastifyInstance, about: About, failing: Failing, make = makeDocument): void {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  const documents = new Map<Part, Promise<object>>();
  const begin = (part: Part): Promise<object> => {
    const chosen = routes.filter(({ url }) => CONSOLE_PATHS.test(url) === (part === 'console'));
    const document = make(chosen, about, failing);
    documents.set(part, document);
    document.catch(() => documents.delete(part));
    return document;
  };
  app.decorate('describeApi', (part: Part) => documents.get(part) ?? begin(part));
}

/** The schema of a route that no document has; each route has its own, as the server adds to it. */
export const undocumented = (): FastifySchema & { readonly hide: boolean } => ({ hide: true });
