/** The security headers of the device's pages, on both ports. */

/** Headers of a page with the device's own scripts: it loads nothing from elsewhere. @param images more sources of pictures */
export const pageHeaders = (images = '') => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${images}`.trim(),
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  // 'no-referrer' would make the browser send its calls with `Origin: null`
  'referrer-policy': 'same-origin',
});

/** Headers of pages for people on both ports, whose style sheet has its icons as `data:` pictures. */
export const PAGE_HEADERS = Object.freeze({ ...pageHeaders('data:'), 'cache-control': 'no-store' });
