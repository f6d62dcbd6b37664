/**
 * The folder of releases that the updater of this machine reads where its source is this device: what the chain offers to this
 * device at this moment, and nothing where there is none. It comes from the master's cache where that has it, else the updater is
 * led to the web server. What it finds it judges itself.
 */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  ChainError,
  type Chunk,
  type FileAsked,
  folderOf,
  isKept,
  isReleaseFile,
  type Offer,
  ReleaseError,
  type ReleaseSource,
} from '../../chain/index.ts';
import { HttpFailure, hidden } from '../../http/index.ts';
import { answerRange } from '../../recognition/index.ts';

/** An updater asks for one file after the other. */
const MOST_STREAMS = 4;
const HEADERS = ['accept-ranges', 'content-length', 'content-range', 'content-type'] as const;

export interface ReleaseFiles {
  readonly offer: () => Offer | null;
  /** Null where the store keeps none. */
  readonly source: () => ReleaseSource | null;
  /** Who asks of it: this device. */
  readonly reader: string;
}

const isOfCache = (error: unknown): boolean => error instanceof ReleaseError || error instanceof ChainError;

/** A piece and those behind it, each asked for when the one before was taken. */
async function* piecesFrom(source: ReleaseSource, wanted: FileAsked, first: Chunk) {
  const end = wanted.offset + wanted.length;
  let offset = wanted.offset + first.data.length;
  yield first.data;
  while (offset < end) {
    const { data, tag } = await source.read({ ...wanted, offset, length: end - offset });
    if (tag !== first.tag) throw new ReleaseError('gone', 'it is another file by now');
    yield data;
    offset += data.length;
  }
}

/** Null where the cache does not have it; the answer is then unchanged. */
async function bodyOf(reply: FastifyReply, source: ReleaseSource, file: FileAsked): Promise<Readable | '' | null> {
  try {
    const { total } = await source.read(file);
    const part = answerRange(reply, reply.request.headers.range, total);
    if (part === null) return '';
    const wanted = { ...file, offset: part.start, length: part.end + 1 - part.start };
    const first = await source.read(wanted);
    reply.type('application/octet-stream');
    return Readable.from(piecesFrom(source, wanted, first));
  } catch (error) {
    if (!isOfCache(error)) throw error;
    reply.request.log.info({ err: error, file: file.name }, 'the store does not keep this file: the web server has it');
    for (const name of HEADERS) reply.removeHeader(name);
    return null;
  }
}

export function addReleaseRoutes(app: FastifyInstance, { offer, source, reader }: ReleaseFiles): void {
  const open = new Set<ServerResponse>();
  // a device that closes waits for no download
  app.addHook('preClose', async () => {
    for (const answer of open) answer.destroy();
  });
  app.get<{ Params: { file: string } }>('/v1/chain/releases/:file', { schema: hidden() }, async (request, reply) => {
    const offered = offer();
    const folder = offered === null ? null : folderOf(offered);
    const { file } = request.params;
    if (offered === null || folder === null || !isReleaseFile(file))
      throw new HttpFailure('not-found', 'the chain offers this device no release at this moment');
    reply.header('cache-control', 'no-store');
    const { version } = offered;
    const cache = source();
    if (cache !== null && request.method === 'GET' && isKept(file, version) && open.size < MOST_STREAMS) {
      open.add(reply.raw);
      reply.raw.once('close', () => open.delete(reply.raw));
      const body = await bodyOf(reply, cache, { version, name: file, reader, offset: 0, length: 0 });
      if (body !== null) return reply.send(body);
    }
    return reply.redirect(`${folder}${file}`, 302);
  });
}
