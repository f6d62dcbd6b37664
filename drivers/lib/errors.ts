/** What was thrown, in words: the message of an error, anything else as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The reason that a state carries, to follow what is said of it (": the cable was pulled out"); empty where it has none. */
export function because({ reason }: { readonly name: string; readonly reason?: string }): string {
  return reason === undefined ? '' : `: ${reason}`;
}
