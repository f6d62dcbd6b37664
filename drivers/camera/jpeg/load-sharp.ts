/** The picture library, loaded when the first picture comes, and set for frames. */
type SharpFactory = typeof import('sharp')['default'];

let loading: Promise<SharpFactory> | undefined;

export function loadSharp(): Promise<SharpFactory> {
  loading ??= load();
  return loading;
}

async function load(): Promise<SharpFactory> {
  const { default: sharp } = await import('sharp');
  // frames never come twice, so a cache would only hold memory, hundreds of megabytes of it for large ones;
  // one thread a picture leaves the cores to the others
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
