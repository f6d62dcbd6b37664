/** Checks the claims of a package before any of it changes the device, and each picture as it is read. */
import { createHash } from 'node:crypto';
import { compiled } from '../../core/schema/index.ts';
import { isCleanId } from '../model/item-id.ts';
import { isMisfit, type OwnModel } from '../model/template.ts';
import { linesOf, type OpenPackage, parseAs, sha256 } from './open-package.ts';
import {
  DIGEST_NAME,
  MANIFEST_NAME,
  PackageError,
  type PackageLine,
  PackageLineSchema,
  type PackageManifest,
  PackageManifestSchema,
  TEMPLATES_NAME,
  VECTORS_NAME,
} from './package-format.ts';
import { isTemplateCrop, isTemplateVector } from './template-rows.ts';

export interface CheckedPackage {
  readonly manifest: PackageManifest;
  /** Lines in the order of the crops and vectors. */
  readonly lines: readonly PackageLine[];
}

export const vectorSizes = (lines: readonly PackageLine[]): number[] => lines.map(({ dimension }) => dimension * 4);

/** Checks everything but the pictures. @param own null where there is no model to compare with @throws {PackageError} naming the first fault */
export async function checkPackage(parts: OpenPackage, own: OwnModel | null = null): Promise<CheckedPackage> {
  const manifest = await readManifest(parts);
  const lines = await readLines(parts, manifest, own);
  await checkVectors(parts, manifest, lines);
  return { manifest, lines };
}

/** The pictures of consecutive templates, from a place in the package on. @throws {PackageError} one is not as exported */
export async function readCrops(
  parts: OpenPackage,
  { lines }: CheckedPackage,
  first: number,
  count: number,
): Promise<Buffer[]> {
  const some = lines.slice(first, first + count);
  const crops = await parts.crops(some.map((_, at) => first + at));
  for (const [at, line] of some.entries()) checkCrop(crops[at] ?? Buffer.alloc(0), line);
  return crops;
}

async function readManifest(parts: OpenPackage): Promise<PackageManifest> {
  const bytes = await parts.read(MANIFEST_NAME);
  if ((await parts.read(DIGEST_NAME)).toString('latin1').trim() !== sha256(bytes))
    throw new PackageError(`${MANIFEST_NAME} is not the one that ${DIGEST_NAME} names`);
  return parseAs(MANIFEST_NAME, packageManifest, bytes);
}

const packageManifest = compiled(PackageManifestSchema);
const packageLine = compiled(PackageLineSchema);

async function readLines(parts: OpenPackage, manifest: PackageManifest, own: OwnModel | null): Promise<PackageLine[]> {
  const bytes = await parts.read(TEMPLATES_NAME);
  requireDigest(TEMPLATES_NAME, manifest, bytes.length, sha256(bytes));
  const keys = new Set<string>();
  const lines: PackageLine[] = [];
  for (const text of linesOf(bytes)) {
    const what = `line ${lines.length + 1} of ${TEMPLATES_NAME}`;
    const line = parseAs(what, packageLine, text);
    if (!isCleanId(line.origin)) throw new PackageError(`${what} names no device that may be`);
    if (isMisfit(own, line.model, line.dimension))
      throw new PackageError(
        `${what}: its vector has ${line.dimension} numbers, and those of ${line.model} have others`,
      );
    const key = `${line.origin}/${line.sid}`;
    if (keys.has(key)) throw new PackageError(`${what}: template ${line.sid} is there twice`);
    keys.add(key);
    lines.push(line);
  }
  if (lines.length !== manifest.count || parts.cropCount !== manifest.count) {
    throw new PackageError(
      `the package has ${lines.length} templates and ${parts.cropCount} pictures, its manifest says ${manifest.count}`,
    );
  }
  return lines;
}

async function checkVectors(parts: OpenPackage, manifest: PackageManifest, lines: PackageLine[]): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of parts.cut(VECTORS_NAME, vectorSizes(lines))) {
    hash.update(piece);
    bytes += piece.length;
    if (!isTemplateVector(piece)) throw new PackageError(`${VECTORS_NAME} holds a vector that is not of length 1`);
  }
  requireDigest(VECTORS_NAME, manifest, bytes, hash.digest('hex'));
}

function requireDigest(
  name: keyof PackageManifest['parts'],
  { parts }: PackageManifest,
  bytes: number,
  digest: string,
): void {
  if (parts[name].bytes !== bytes || parts[name].sha256 !== digest)
    throw new PackageError(`${name} is not the one that ${MANIFEST_NAME} names`);
}

function checkCrop(crop: Buffer, { sid, cropBytes, cropSha256 }: PackageLine): void {
  if (crop.length !== cropBytes || sha256(crop) !== cropSha256)
    throw new PackageError(`the picture of template ${sid} is not the one that was exported`);
  if (!isTemplateCrop(crop)) throw new PackageError(`the picture of template ${sid} is no JPEG of a template`);
}
