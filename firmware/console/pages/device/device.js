/** The page of the device: what is wrong with it and what to do, who may call it, who has done what. */
import { html } from '/console/assets/preact.js';
import { Access } from './access.js';
import { Audit } from './audit.js';
import { Health } from './health.js';
import { Log } from './log.js';

export const Device = () => html`<div class="columns">
  <div class="column"><${Health} /><${Log} /></div>
  <div class="column"><${Access} /><${Audit} /></div>
</div>`;
