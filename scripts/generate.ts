/**
 * `npm run generate`: writes the committed files that follow from the code: the OpenAPI documents of both ports, the
 * cameras that `install.sh` offers, the keys of the pages' words, the table of `docs/configuration.md`, those of `docs/events.md`, `docs/errors.md`
 * and `docs/sandbox-bank.md`, the calls in `clients/calls.md`, and the dashboards for Grafana.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LANE_CAMERAS } from '../drivers/camera/registry.ts';
import { type ErrorRow, errorRows } from '../firmware/core/http/reference/errors-page.ts';
import { openLog } from '../firmware/device/composition/base.ts';
import { CONFIGURATION, loadConfig } from '../firmware/device/composition/config.ts';
import { startDevice } from '../firmware/device/device.ts';
import { FEATURE_ERRORS } from '../firmware/features.ts';
import { EVENTS } from '../firmware/payments/model/event-types.ts';
import { TERMINAL_PROBLEMS } from '../firmware/payments/model/terminal-error.ts';
import { RECOGNITION_PROBLEMS } from '../firmware/recognition/model/recognition-error.ts';
import { SCRIPTS } from '../firmware/tools/sandbox-bank/scripts.ts';
import { callsPage } from './generate/calls-page.ts';
import { tableOf } from './generate/tables.ts';
import { dashboard } from './monitoring/dashboards.ts';

/** Places of the committed documents. */
export const DOCUMENTS = {
  terminal: new URL('../firmware/payments/openapi.json', import.meta.url),
  recognition: new URL('../firmware/recognition/openapi.json', import.meta.url),
} as const;

export const CONFIGURATION_PAGE = new URL('../docs/configuration.md', import.meta.url);
const TABLE = /(<!-- configuration -->\n)[\s\S]*?(<!-- \/configuration -->)/;

/** The configuration page with the table made from the schema. */
export function configurationPage(text: string): string {
  const rows = CONFIGURATION.keys.map(({ path, schema }) => [
    `\`${path.join('.')}\``,
    `\`${JSON.stringify(schema.default)}\``,
    schema.description ?? '',
  ]);
  const table = tableOf(['key', 'default', 'meaning'], rows);
  return text.replace(TABLE, (_, begin: string, end: string) => begin + table + end);
}

export const EVENTS_PAGE = new URL('../docs/events.md', import.meta.url);
const EVENTS_TABLE = /(<!-- events -->\n)[\s\S]*?(<!-- \/events -->)/;

/** The events page with the table made from the code. */
export function eventsPage(text: string): string {
  const rows = Object.entries(EVENTS).map(([type, meaning]) => [`\`${type}\``, meaning]);
  const table = tableOf(['type', 'what has happened'], rows);
  return text.replace(EVENTS_TABLE, (_, begin: string, end: string) => begin + table + end);
}

export const SANDBOX_PAGE = new URL('../docs/sandbox-bank.md', import.meta.url);
const SCRIPTS_TABLE = /(<!-- scripts -->\n)[\s\S]*?(<!-- \/scripts -->)/;

/** The page of the sandbox bank with the outcomes by amount made from the code. */
export function sandboxPage(text: string): string {
  const rows = Object.entries(SCRIPTS).map(([kopecks, { does }]) => [kopecks.padStart(2, '0'), does]);
  const table = tableOf(['kopecks', 'the payment'], rows);
  return text.replace(SCRIPTS_TABLE, (_, begin: string, end: string) => begin + table + end);
}

export const ERRORS_PAGE = new URL('../docs/errors.md', import.meta.url);

/** Codes that a till's programmer handles first. */
const FIRST_CODES: readonly string[] = [
  'Bank.Refused',
  'Bank.Unreachable',
  'DriverSettings.IsNotConfigured',
  'Internal.UnexpectedError',
  'Payments.ExceedsPaid',
  'Payments.IdConflict',
  'Payments.RefundOpen',
  'RequestParams.InvalidField',
  'RequestParams.NotAuthorised',
  'RequestParams.TooMany',
];

/** Codes of calls that only the console sends: tills never get them. */
const OF_CONSOLE = /^(?:Backups|Claim|Deletions|Device|SignIn|Store|Uncertain)\./;

const isFirst = ({ code }: ErrorRow): boolean => FIRST_CODES.includes(code);

/** All codes that a till may get, from both ports. */
export const tillCodes = (): ErrorRow[] =>
  errorRows({ ...TERMINAL_PROBLEMS, ...RECOGNITION_PROBLEMS, ...FEATURE_ERRORS }, 'en').filter(
    ({ code }) => !OF_CONSOLE.test(code),
  );

/** The errors page with the tables made from the code. */
export function errorsPage(text: string): string {
  const rows = tillCodes();
  const shown = (code: string): string => `\`${code}\``;
  const tables = {
    first: tableOf(
      ['`code`', 'HTTP', 'what has happened', 'again?', 'what to do'],
      rows.filter(isFirst).map((row) => [shown(row.code), row.statuses, row.meaning, row.again, row.todo]),
    ),
    rest: tableOf(
      ['`code`', 'HTTP', 'what has happened'],
      rows.filter((row) => !isFirst(row)).map((row) => [shown(row.code), row.statuses, row.meaning]),
    ),
  };
  return Object.entries(tables).reduce(
    (page, [name, table]) =>
      page.replace(
        new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`),
        (_, begin: string, end: string) => begin + table + end,
      ),
    text,
  );
}

export const CALLS_PAGE = new URL('../clients/calls.md', import.meta.url);

/** The drivers' choices for the shell scripts of a lane. */
export const CHOICES = new URL('./lib/choices.sh', import.meta.url);
export const choices = (): string =>
  [
    '# shellcheck shell=bash',
    '# What an installation may choose. Written by `npm run generate` from the registries of the drivers.',
    `readonly LANE_CAMERAS=(${LANE_CAMERAS.join(' ')})`,
    '',
  ].join('\n');

/** The type of the keys of all pages' words: a folder of pages names none of its own. */
export const PAGE_WORDS = new URL('./generate/page-words.d.ts', import.meta.url);
const WORDS = /\/pages?\/words\/en(?:\/[\w-]+)?\.js$/;
export function pageWords(): string {
  const files = readdirSync(new URL('../firmware/', import.meta.url), { recursive: true, encoding: 'utf8' });
  const paths = files.map((file) => file.replaceAll('\\', '/')).filter((file) => WORDS.test(file));
  return `/** The keys of the words of all pages. Written by \`npm run generate\`. */
declare global {
  type PageWords =
${paths
  .sort()
  .map((path) => `    | typeof import('../../firmware/${path}')`)
  .join('\n')};
}

export {};
`;
}

export const DASHBOARD = new URL('./monitoring/store.json', import.meta.url);
export const dashboardText = (): string => `${JSON.stringify(dashboard(), null, 2)}\n`;

export async function documents(): Promise<Record<keyof typeof DOCUMENTS, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'laneware-openapi-'));
  const { config } = loadConfig(null, {
    LANEWARE_DATADIR: folder,
    LANEWARE_TERMINAL_PORT: '0',
    LANEWARE_RECOGNITION_PORT: '0',
    LANEWARE_SANDBOXBANK_ENABLED: 'false',
    LANEWARE_CAMERA_DRIVER: 'push',
    LANEWARE_LOG_LEVEL: 'silent',
  });
  const device = await startDevice(config, openLog(config.log.level));
  try {
    const read = async (base: string): Promise<string> => {
      const answer = await fetch(`${base}/openapi.json`);
      if (!answer.ok) throw new Error(`${base} makes no OpenAPI document: ${await answer.text()}`);
      return `${JSON.stringify(await answer.json(), null, 2)}\n`;
    };
    return { terminal: await read(device.urls.terminal), recognition: await read(device.urls.recognition) };
  } finally {
    await device.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Written<From> = readonly [place: URL, textOf: (from: From) => string];

/** Files that are written whole: `.gitattributes` marks each as generated, and hosts fold it in a review. */
export const WHOLE: readonly Written<Record<keyof typeof DOCUMENTS, string>>[] = [
  [DOCUMENTS.terminal, ({ terminal }) => terminal],
  [DOCUMENTS.recognition, ({ recognition }) => recognition],
  [CALLS_PAGE, callsPage],
  [CHOICES, choices],
  [PAGE_WORDS, pageWords],
  [DASHBOARD, dashboardText],
];

/** Pages with generated tables between marks; people write the rest. */
export const IN_PART: readonly Written<string>[] = [
  [EVENTS_PAGE, eventsPage],
  [SANDBOX_PAGE, sandboxPage],
  [ERRORS_PAGE, errorsPage],
  [CONFIGURATION_PAGE, configurationPage],
];

if (import.meta.main) {
  const texts = await documents();
  for (const [place, textOf] of WHOLE) writeFileSync(place, textOf(texts));
  for (const [place, textOf] of IN_PART) writeFileSync(place, textOf(readFileSync(place, 'utf8')));
}
