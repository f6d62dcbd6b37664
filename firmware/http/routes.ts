/** Which paths exist, so that a wrong method on a right path is told apart from a wrong path. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpFailure } from './failure.ts';

interface KnownPath {
  readonly pattern: RegExp;
  readonly methods: Set<string>;
}

const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/:[^/]+/g, '[^/]+')
      .replaceAll('\\*', '.*')}$`,
  );

export class RouteTable {
  readonly #paths = new Map<string, KnownPath>();

  watch(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method }) => {
      const known = this.#paths.get(url) ?? { pattern: patternOf(url), methods: new Set() };
      for (const name of [method].flat()) known.methods.add(name);
      this.#paths.set(url, known);
    });
  }

  methodsOf(path: string): string[] {
    const methods = [...this.#paths.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((known) => [...known.methods]);
    return [...new Set(methods)].sort();
  }

  /** The failure for a request that no route took. */
  failureFor(request: FastifyRequest): { failure: HttpFailure; allow: string | null } {
    const path = request.url.split('?')[0] ?? '/';
    const methods = this.methodsOf(path);
    if (methods.length === 0) return { failure: new HttpFailure('not-found', `there is no ${path} here`), allow: null };
    const allow = methods.join(', ');
    return { failure: new HttpFailure('method', `${path} takes ${allow}, not ${request.method}`), allow };
  }
}
