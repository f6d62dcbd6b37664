/** `--quick` of every bench: so little of it that it is shown to work. Its figures then mean nothing. */
const IS_QUICK = process.argv.includes('--quick');

if (IS_QUICK) process.stdout.write('--quick: it works or it does not; the figures mean nothing\n');

/** Returns how much of something a bench does: all of it, or little. */
export const amountOf = ({ full, quick }: { readonly full: number; readonly quick: number }): number =>
  IS_QUICK ? quick : full;
