/** Standard output and standard error of a process that continues without them. */

/** Node's handle of a stream: nothing public sets whether its writes block. */
interface Handled {
  readonly _handle?: { setBlocking?(isBlocking: boolean): unknown };
}

/**
 * Call it once in a process. An output that is full, closed, gone or read-only is no reason to end: without a listener
 * its error would end the process. One that nobody reads is no reason to wait: Node has the process wait for a terminal,
 * and one that is held (Ctrl-S, a connection that is lost) would hold every call.
 */
export function outliveOutputs(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => undefined);
    if (stream.isTTY) (stream as typeof stream & Handled)._handle?.setBlocking?.(false);
  }
}
