/** The operator's console: one window, one page of it at a time. */
import { html, render, useEffect } from '/console/assets/preact.js';
import { followDevice, useDevice } from './app/device.js';
import { useWords } from './app/language.js';
import { hrefOf, useRoute } from './app/route.js';
import { Shell } from './app/shell.js';
import { VIEWS } from './app/views.js';

/** Whoever opens a fresh device, and asks for no page of it, has it to set up. */
function useFirstPage() {
  const { state } = useDevice();
  useEffect(() => {
    if (location.hash === '' && state !== null && state.settings.bank === null) location.replace(hrefOf('welcome'));
  }, [state]);
}

function Console() {
  useFirstPage();
  const route = useRoute();
  const { t } = useWords();
  const View = VIEWS[route.page];
  const title = t(`page.${route.page}`);
  useEffect(() => {
    document.title = `${title} · Laneware`;
  }, [title]);
  return html`<${Shell} open=${route.page}>
    <h1>${title}</h1>
    <${View} route=${route} />
  </${Shell}>`;
}

followDevice();
render(html`<${Console} />`, document.body);
