/** `--quick` of every bench does so little that it only shows that the bench works. The figures then mean nothing. */
const IS_QUICK = process.argv.includes('--quick');

if (IS_QUICK) process.stdout.write('--quick: it works or it does not; the figures mean nothing\n');

/** The amount of work of a bench: full, or little. */
export const amountOf = ({ full, quick }: { readonly full: number; readonly quick: number }): number =>
  IS_QUICK ? quick : full;
