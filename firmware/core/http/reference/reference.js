/** Shows the document of this port with Swagger UI, in the colours that the reader's system has. */

const dark = matchMedia('(prefers-color-scheme: dark)');

function takeColours() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

dark.addEventListener('change', takeColours);
takeColours();

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
