/** The console as a browser reaches it that has opened the first page of a port for programs. */
import type { FastifyRequest } from 'fastify';

/** @param port of the console @returns its address by the name and the protocol that were asked; null where no browser asks */
export function consoleAddress({ headers, host }: FastifyRequest, port: number): string | null {
  return headers.accept?.includes('text/html') === true ? `//${host.replace(/:\d+$/, '')}:${port}/` : null;
}
