/**
 * Cross-site request forgery (CSRF): a page of another site has the browser of somebody who may call this device send a
 * body to it. For a body of JSON the browser asks first, by a CORS preflight, and `guard/` allows the configured origins
 * alone. A body of text, of a form or without a type it sends at once, as a simple request (Fetch standard, section 3.2).
 */
import type { FastifyRequest } from 'fastify';
import { HttpFailure } from './call/failure.ts';

const JSON_TYPE = /^application\/json\s*(;|$)/i;

/**
 * A browser names the page by `Origin`: its body must be one that needs a preflight. A till sends no `Origin`, and its
 * content type is ignored.
 * @throws {HttpFailure} `media-type`
 */
function requirePreflight({ origin, 'content-type': given = 'none' }: FastifyRequest['headers']): void {
  if (origin === undefined || JSON_TYPE.test(given)) return;
  throw new HttpFailure(
    'media-type',
    `the body must be sent as Content-Type: application/json (it was sent as ${given})`,
  );
}

const PLAIN_TEXT = /^text\/plain\s*(;|$)/i;
/** A bearer token, which browsers never add by themselves. */
const BEARER = /^bearer /i;

/**
 * A form that is sent as text may hold JSON, and old browsers send it without `Origin`. A call with a bearer token cannot
 * be forged. A till sends any content type, so its calls are not judged by it; nor are those of the original device,
 * which cannot change, and are of no use to a form.
 * @throws {HttpFailure} `media-type`
 */
function refuseTextForm({ headers, routeOptions: { url = '', config } }: FastifyRequest): void {
  const { authorization = '', 'content-type': given = '' } = headers;
  if (!PLAIN_TEXT.test(given) || BEARER.test(authorization)) return;
  if (config.role === 'till' || config.role === 'anyone' || url.startsWith('/api/')) return;
  throw new HttpFailure('media-type', 'the body of this call must be sent as Content-Type: application/json');
}

/** Refuses a body that a page of another site may have sent without a preflight. @throws {HttpFailure} `media-type` */
export function refuseCrossSite(request: FastifyRequest): void {
  requirePreflight(request.headers);
  refuseTextForm(request);
}
