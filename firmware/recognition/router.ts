/** The room of the recognition device's HTTP interface. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { type HealthBoard, HealthReportSchema } from '../http/health.ts';
import type { TypeBoxProvider } from '../http/server.ts';
import { CODES } from './codes.ts';

export function addRecognitionRoutes(plain: FastifyInstance, health: HealthBoard): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  const HealthAnswer = Type.Object({ code: Type.Literal(CODES.ok), data: HealthReportSchema });
  app.get(
    '/health',
    { schema: { summary: 'What works and what does not', response: { 200: HealthAnswer } } },
    async () => ({ code: CODES.ok, data: health.report() }),
  );
}
