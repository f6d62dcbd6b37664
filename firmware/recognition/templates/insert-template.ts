/** The rows of one template, wherever it comes from. */
import type { DatabaseSync } from 'node:sqlite';
import type { WholeTemplate } from './template-name.ts';

/**
 * Prepared once for thousands of templates; part of its caller's transaction.
 * @returns what inserts a template and returns its row; batch null is the present one of those that are added one by one
 */
export function templateInserter(db: DatabaseSync): (batch: number | null, template: WholeTemplate) => number {
  const vectors = db.prepare(
    `INSERT INTO templates (batch, item, sid, origin, created_at, model, vector)
      VALUES (coalesce(?, (SELECT max(id) FROM batches WHERE kind = 'local')), ?, ?, ?, ?, ?, ?)`,
  );
  const crops = db.prepare('INSERT INTO crops (template, sha256, jpeg) VALUES (?, ?, ?)');
  return (batch, { item, sid, origin, createdAt, model, vector, crop, cropSha256 }) => {
    const id = Number(vectors.run(batch, item, sid, origin, createdAt, model, vector).lastInsertRowid);
    crops.run(id, cropSha256, crop);
    return id;
  };
}
