/** A web server of releases over TLS that counts what it sends, and can do what web servers do. */
import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from '../../../firmware/tls/certificate.ts';
import { listening } from '../../ports.ts';
import { temporaryFolder } from '../../support.ts';

const SIGNATURE = `${'A'.repeat(86)}==`;

/** A file in the form of a release, not signed. */
export function releaseFile(
  kind: 'release' | 'small' | 'delta',
  version: string,
  payload: Buffer = randomBytes(1_000_000),
  arch = 'x64',
): Buffer {
  const part = kind === 'small' ? 'small' : 'payload';
  const digest = createHash('sha256').update(payload).digest('hex');
  const manifest = `version=${version}\narch=${arch}\n${part}-size=${payload.length}\n${part}-sha256=${digest}\n`;
  return Buffer.concat([Buffer.from(`laneware-${kind} 1 ${manifest.length} ${SIGNATURE}\n${manifest}`), payload]);
}

export interface Web extends AsyncDisposable {
  readonly port: number;
  /** PEM. */
  readonly certificate: string;
  readonly certificateFile: string;
  readonly files: Map<string, Buffer>;
  /** Bytes of bodies, by path. */
  sent: Map<string, number>;
  readonly asked: string[];
  /** Bytes after which an answer is cut off; null: none is. */
  cutAfter: number | null;
  ranges: boolean;
  tag: string | null;
  /** Whether it honours If-Range: it sends the whole of a new file where a part of the one before is asked for. */
  honoursIfRange: boolean;
  /** Sends no body until it is let go. */
  isHeld: boolean;
  /** Another address that it leads to. */
  leadsTo: string | null;
  hasLength: boolean;
  /** Whether it answers as one that goes on in another protocol. */
  switchesProtocols: boolean;
  /** Milliseconds between pieces of 16 KiB. */
  slowMs: number;
}

const PIECE = 16_384;
const LOOK_AGAIN_MS = 5;
/** Until most of what was written has been read. */
const GOES_OUT_MS = 50;

export async function serveWeb(): Promise<Web> {
  const folder = temporaryFolder();
  const certificateFile = join(folder.path, 'web.crt');
  const made = makeCertificate(['127.0.0.1']);
  writeFileSync(certificateFile, made.certificate);
  const pair = { key: made.key, cert: made.certificate };
  /** What is sent late, for a request from before the counts were reset, is counted with what was before. */
  const piecesOf = async function* (path: string, bytes: Buffer, sent = web.sent): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += PIECE) {
      while (web.isHeld) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
      if (web.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, web.slowMs));
      const piece = bytes.subarray(at, at + PIECE);
      sent.set(path, (sent.get(path) ?? 0) + piece.length);
      yield piece;
    }
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    web.asked.push(`${path} ${request.headers.range ?? ''}`.trim());
    if (web.leadsTo !== null) return void response.writeHead(302, { location: web.leadsTo }).end();
    if (web.switchesProtocols) {
      response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n');
      return;
    }
    const bytes = web.files.get(path);
    if (bytes === undefined) return void response.writeHead(404).end();
    const isOther =
      web.honoursIfRange && request.headers['if-range'] !== undefined && request.headers['if-range'] !== web.tag;
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
    const isPart = web.ranges && !isOther && first !== undefined;
    const start = isPart ? Number(first) : 0;
    const end = Math.min(isPart && last ? Number(last) : bytes.length - 1, bytes.length - 1);
    if (start >= bytes.length) return void response.writeHead(416).end();
    response.writeHead(isPart ? 206 : 200, {
      ...(web.hasLength ? { 'content-length': end + 1 - start } : {}),
      ...(web.tag === null ? {} : { etag: web.tag }),
      ...(isPart ? { 'content-range': `bytes ${start}-${end}/${bytes.length}` } : {}),
    });
    const cut = web.cutAfter !== null && end + 1 - start > web.cutAfter;
    const body = bytes.subarray(start, cut ? start + (web.cutAfter ?? 0) : end + 1);
    await pipeline(piecesOf(path, body), response, { end: !cut });
    if (cut) setTimeout(() => response.destroy(), GOES_OUT_MS);
  };
  const server = createServer(pair, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const { port, [Symbol.asyncDispose]: close } = await listening(server);
  const web: Web = {
    port,
    ...{ certificate: pair.cert.toString(), certificateFile, files: new Map(), sent: new Map(), asked: [] },
    ...{
      cutAfter: null,
      ranges: true,
      tag: '"one"',
      honoursIfRange: true,
      isHeld: false,
      leadsTo: null,
      hasLength: true,
      switchesProtocols: false,
      slowMs: 0,
    },
    [Symbol.asyncDispose]: async () => {
      web.isHeld = false;
      await close();
      folder[Symbol.dispose]();
    },
  };
  return web;
}

/** Has this process believe it. */
export const trust = (...webs: readonly Web[]): void =>
  setDefaultCACertificates([...getCACertificates('default'), ...webs.map(({ certificate }) => certificate)]);
