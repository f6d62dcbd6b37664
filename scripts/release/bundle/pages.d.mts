import type { build, transform } from 'esbuild';

export function makePages(
  root: string,
  esbuild: { readonly build: typeof build; readonly transform: typeof transform },
): Promise<{ readonly digest: string; readonly files: ReadonlyMap<string, string> }>;
