/** Circles of a directed graph: its strongly connected components of more than one node, after Tarjan (1972). */

/** @returns the circles, each sorted, the largest first; a node that points at itself is none */
export function circles(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];

  const visit = (node: string): number => {
    const own = index.size;
    index.set(node, own);
    low.set(node, own);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? own, low.get(next) ?? own));
    }
    if (low.get(node) === own) {
      const circle = stack.splice(stack.indexOf(node));
      if (circle.length > 1) found.push(circle.sort());
    }
    return own;
  };

  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return found.sort((a, b) => b.length - a.length);
}
