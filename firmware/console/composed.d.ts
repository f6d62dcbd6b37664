import type { Language } from '../../drivers/lib/languages.ts';
import type { Words } from '../../drivers/lib/records.ts';
import type { PageLimits } from '../core/pages/composed.d.ts';

export const ASSETS: string;
export const PACKAGES: Readonly<Record<string, string>>;
export function isPageFile(name: string): boolean;
export function pageFiles(root: string): readonly string[];
/** The data that pages need in addition to their own files. */
export interface PageData {
  /** The exports of `drivers/lib/languages.ts`. */
  readonly languages: { readonly LANGUAGES: readonly Language[] } & Readonly<Record<string, unknown>>;
  /** Words that are in no folder of pages. */
  words(language: Language): Readonly<Record<string, Words>>;
  /** Limits of what a person may type or ask for. */
  readonly limits: PageLimits;
  /** Names of the installed features. */
  readonly features: readonly string[];
  /** Remedy of each reason in `/health`, by the reason's code. */
  readonly remedies: Readonly<Record<string, string>>;
}
export function composePages(root: string, data: PageData): ReadonlyMap<string, string>;
