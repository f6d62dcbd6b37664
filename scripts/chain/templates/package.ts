/** A package of templates, as a device exports it, in the form in which the chain puts templates down. */
import { checkPackage, readCrops, vectorSizes } from '../../../firmware/recognition/templates/check-package.ts';
import { OpenPackage } from '../../../firmware/recognition/templates/open-package.ts';
import {
  PackageError,
  type PackageLine,
  VECTORS_NAME,
} from '../../../firmware/recognition/templates/package-format.ts';
import { type CatalogueItem, chainOrigin, checksumOf, MOST_OF_ITEM } from '../../../firmware/sync/centre/catalogue.ts';
import { encodeTemplate } from '../../../firmware/sync/template-codec.ts';
import { ChainFailure, troubleWith } from '../failures.ts';
import { judgeNamed } from '../named-file.ts';

const MAX_UNPACKED_BYTES = 8 * 1024 ** 3;

interface Piece {
  readonly line: PackageLine;
  readonly vector: Buffer;
  /** Of its crop in the package. */
  readonly index: number;
}

export interface PackagedItem {
  readonly item: string;
  readonly model: string;
  /** Of all that it is made of, without regard to the change that it comes with. */
  readonly source: string;
  /** Its templates, one after the other, as they come with a change. */
  templates(
    change: number,
  ): AsyncGenerator<{ readonly named: CatalogueItem['templates'][number]; readonly bytes: Buffer }>;
}

/** @throws {ChainFailure} where it is no package, or not whole */
export async function withPackage<T>(file: string, work: (items: readonly PackagedItem[]) => Promise<T>): Promise<T> {
  let parts: OpenPackage | null = null;
  try {
    parts = await opened(file);
    return await work(await itemsIn(parts));
  } catch (error) {
    throw error instanceof PackageError ? new ChainFailure(`${file}: ${error.message}`, { cause: error }) : error;
  } finally {
    parts?.close();
  }
}

async function opened(file: string): Promise<OpenPackage> {
  judgeNamed(file);
  try {
    return await OpenPackage.open(file, MAX_UNPACKED_BYTES);
  } catch (error) {
    if (error instanceof PackageError) throw error;
    throw new ChainFailure(troubleWith(file, error), { cause: error });
  }
}

async function itemsIn(parts: OpenPackage): Promise<PackagedItem[]> {
  const checked = await checkPackage(parts);
  const { lines } = checked;
  // nothing goes out before all of it is known to be whole
  for (const index of lines.keys()) await readCrops(parts, checked, index, 1);
  const pieces: Piece[] = [];
  for await (const vector of parts.cut(VECTORS_NAME, vectorSizes([...lines]))) {
    const index = pieces.length;
    const line = lines[index];
    if (line !== undefined) pieces.push({ line, vector: Buffer.from(vector), index });
  }
  const byItem = Map.groupBy(pieces, ({ line }) => line.item);
  return [...byItem].map(([item, own]) => packaged(parts, item, own));
}

function packaged(parts: OpenPackage, item: string, pieces: readonly Piece[]): PackagedItem {
  const model = pieces[0]?.line.model ?? '';
  if (pieces.some(({ line }) => line.model !== model))
    throw new ChainFailure(`item ${item} has templates of two models: export it from a device that has made them anew`);
  if (pieces.length > MOST_OF_ITEM) throw new ChainFailure(`item ${item} has more than ${MOST_OF_ITEM} templates`);
  const source = checksumOf(
    JSON.stringify(
      pieces
        .map(({ line: { sid, origin, cropSha256 }, vector }) => [origin, sid, cropSha256, checksumOf(vector)])
        .map((each) => JSON.stringify(each))
        .sort(),
    ),
  );
  return {
    ...{ item, model, source: checksumOf(`${model}\n${source}`) },
    async *templates(change) {
      for (const { line, vector, index } of pieces) {
        const [crop = Buffer.alloc(0)] = await parts.crops([index]);
        const { sid, createdAt } = line;
        const origin = chainOrigin(change, line.origin);
        const cropSha256 = Buffer.from(line.cropSha256, 'hex');
        const bytes = encodeTemplate({ item, sid, origin, createdAt, model, vector, crop, cropSha256 });
        yield { named: { origin, sid, sha256: checksumOf(bytes) }, bytes };
      }
    },
  };
}
