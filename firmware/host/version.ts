import { readFileSync } from 'node:fs';
import Type from 'typebox';
import Value from 'typebox/value';

const PackageSchema = Type.Object({ version: Type.String(), laneware: Type.Object({ buildDate: Type.String() }) });
const manifest = Value.Parse(
  PackageSchema,
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')),
);

/** Three dotted numbers. */
export const VERSION: string = manifest.version;
/** No moment before this one can be now: milliseconds since 1970. */
export const BUILD_TIME: number = Date.parse(manifest.laneware.buildDate);
