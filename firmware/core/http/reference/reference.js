/** Shows the port's document with Swagger UI, in the colours of the reader's system, mended for screen readers. */

const dark = matchMedia('(prefers-color-scheme: dark)');

function setColours() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

dark.addEventListener('change', setColours);
setColours();

/** Labels of Swagger UI's parts beside its main part. @type {Readonly<Record<string, string>>} */
const REGIONS = { '.information-container': 'About', '.schemes-server-container': 'Server' };

/** Mends each part that Swagger UI draws, or draws again. Its headings skip the second level. */
function mend() {
  for (const select of document.querySelectorAll('#reference select:not([aria-label])'))
    select.setAttribute('aria-label', select.id === 'servers' ? 'Server' : 'Choose one');
  for (const [part, name] of Object.entries(REGIONS)) {
    const region = document.querySelector(`${part}:not([role])`);
    region?.setAttribute('role', 'region');
    region?.setAttribute('aria-label', name);
  }
  for (const heading of document.querySelectorAll('#reference :is(h3, h4, h5, h6):not([aria-level])'))
    heading.setAttribute('aria-level', String(Number(heading.tagName.slice(1)) - 1));
  // the button around the link opens the call, and writes the address
  for (const link of document.querySelectorAll('.opblock-summary-control a[href]')) link.removeAttribute('href');
}

const reference = document.querySelector('#reference');
if (reference !== null) new MutationObserver(mend).observe(reference, { childList: true, subtree: true });

/** @type {{ SwaggerUIBundle: (options: object) => unknown }} */
const { SwaggerUIBundle } = Object(window);
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  requestSnippetsEnabled: true,
  validatorUrl: null, // nothing leaves the device
});
