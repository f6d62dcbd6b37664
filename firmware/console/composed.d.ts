import type { Language } from '../../drivers/lib/languages.ts';
import type { Words } from '../../drivers/lib/records.ts';
import type { PageLimits } from '../core/pages/composed.d.ts';

export const ASSETS: string;
export const PACKAGES: Readonly<Record<string, string>>;
export function isPageFile(name: string): boolean;
export function pageFiles(root: string): readonly string[];
/** What the pages are composed with, beside their own files. */
export interface PageData {
  /** What `drivers/lib/languages.ts` says of them. */
  readonly languages: { readonly LANGUAGES: readonly Language[] } & Readonly<Record<string, unknown>>;
  /** Those that lie in no folder of pages. */
  words(language: Language): Readonly<Record<string, Words>>;
  /** What a person may type or ask for at most. */
  readonly limits: PageLimits;
  /** Names of those that are there. */
  readonly features: readonly string[];
  /** What mends a reason of `/health`, by its code. */
  readonly remedies: Readonly<Record<string, string>>;
}
export function composePages(root: string, data: PageData): ReadonlyMap<string, string>;
