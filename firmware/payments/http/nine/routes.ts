/** The nine calls of the payment terminal over HTTP: they only translate. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import Type from 'typebox';
import { payloadProblem } from '../../../../drivers/display/payload.ts';
import { HEALTH_EXAMPLE, type HealthBoard, HealthReportSchema } from '../../../core/host/index.ts';
import { addAuditFacts, HttpFailure, markRepetition, requesterOf } from '../../../core/http/index.ts';
import type { PaymentFailure } from '../../model/payment.ts';
import { notShown } from '../../model/payment-failures.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import { type Answered, besideSuccess } from '../../service/sale/calls.ts';
import type { Terminal } from '../../terminal.ts';
import { isReadByPerson, requesterWith } from '../caller.ts';
import { KeyHeaders } from '../v1/fields.ts';
import { SETTINGS_BYTES } from '../v1/settings-routes.ts';
import {
  DisplayStatusBody,
  DynamicStatusAnswer,
  doneAnswers,
  ExportBody,
  NoDynamicStatusAnswer,
  SettingsAnswer,
  ShowInfoQRBody,
  ShowQRBody,
  successAnswers,
  UpdateSettingsBody,
  VersionAnswer,
} from './schemas.ts';

const SUCCESS = { status: 'success' } as const;

/** The header that names the payment of an answer, also of a failure that has one. */
const PAYMENT_ID = 'laneware-payment-id';

async function namingPayment(
  reply: FastifyReply,
  { payments }: Pick<Terminal, 'payments'>,
  call: Promise<Answered>,
): Promise<Answered> {
  try {
    const answered = await call;
    reply.header(PAYMENT_ID, answered.orderId);
    if (!answered.isShown) throw notShown(payments.find(answered.orderId)); // a success says that the code is on the display
    return answered;
  } catch (error) {
    if (error instanceof TerminalError && error.payment !== null) reply.header(PAYMENT_ID, error.payment);
    throw error;
  }
}

function requireDrawable(infoQR: string): void {
  const problem = payloadProblem(infoQR);
  if (problem !== null) throw new HttpFailure('parameter', `infoQR ${problem}`, { field: 'infoQR' });
}

const fieldsOf = (failure: PaymentFailure | null) =>
  failure === null
    ? {}
    : { error_category: failure.category, error_message: failure.message, error_code: failure.code };

/** The document of the interface lists the calls in this order. */
export function addTerminalRoutes(
  app: FastifyInstance,
  terminal: Terminal,
  health: HealthBoard,
  version: string,
): void {
  addSettingsRoutes(app, terminal);
  addSaleRoutes(app, terminal);
  addOperatorRoutes(app, terminal);
  addDeviceRoutes(app, health, version);
}

function addSettingsRoutes(app: FastifyInstance, terminal: Terminal): void {
  app.post(
    '/updateDriverSettings',
    {
      config: { role: 'technician', audit: { event: 'settings' } }, // a caller that may send them may send the money elsewhere
      bodyLimit: SETTINGS_BYTES,
      schema: {
        operationId: 'updateDriverSettings',
        tags: ['nine calls: settings'],
        summary: 'Apply new driver settings',
        description:
          'Stores the bank profiles and the display, and opens them. Only the profile in use is judged; a masked secret keeps the stored one. Nothing has changed where it is refused. What is still missing on the device (the address of a CFT bank, a display that cannot be opened) is reported beside the success, as error_category, error_code and error_message; where both are missing, the message names both, and category and code are those of the bank.',
        body: UpdateSettingsBody,
        response: doneAnswers,
      },
    },
    async (request) => {
      const { changes, notes } = await terminal.updateDriverSettings(request.body.settings);
      addAuditFacts(request, changes);
      const [first] = notes;
      if (first === undefined) return SUCCESS;
      const { category, errorCode: code } = first;
      return { ...SUCCESS, ...fieldsOf({ category, code, message: notes.map(({ message }) => message).join('; ') }) };
    },
  );

  app.get(
    '/getDriverSettings',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getDriverSettings',
        tags: ['nine calls: settings'],
        summary: 'Read the current settings, secrets masked',
        description: 'As they were sent, the profiles that are not in use included. Each secret is `<PASSWORD>`.',
        response: { 200: SettingsAnswer },
      },
    },
    async () => ({
      ...SUCCESS,
      settings: terminal.describeSettings(),
    }),
  );
}

/** The calls of each sale. */
function addSaleRoutes(app: FastifyInstance, terminal: Terminal): void {
  app.post(
    '/clearScreen',
    {
      config: { role: 'till', audit: null },
      schema: {
        operationId: 'clearScreen',
        tags: ['nine calls: sale'],
        summary: 'Clear the display',
        description:
          'Ends the sale: its code is never shown again, the next showQR for the same amount is another sale, and a bank that can takes the code out of use a moment later. Where it cannot, who has scanned the code may still pay: that payment is late.',
        response: successAnswers,
      },
    },
    async () => {
      await terminal.clearScreen();
      return SUCCESS;
    },
  );

  app.post(
    '/showQR',
    {
      config: { role: 'till', audit: null, work: 'sale' },
      schema: {
        operationId: 'showQR',
        tags: ['nine calls: sale'],
        summary: 'Register a payment and show its QR code',
        description:
          'Answers when the code is on the display; give it 30 s. The same amount and purpose get the same code as long as it may be paid (Bank / SameCode beside the success), or are refused until it may not (Bank / PreviousOpen). Calls are answered one after the other; one that has waited for 12 s is refused (RequestParams / TooMany). With the header `Idempotency-Key` it is the sale of that key, by the rules of `POST /v1/payments`; the answer names the payment in the header `Laneware-Payment-Id`, after a failure, too, where there is one. Refused once with Bank / PreviousPaid where an earlier payment turns out to be paid; the status is then that of the payment before.',
        headers: KeyHeaders,
        body: ShowQRBody,
        response: doneAnswers,
      },
    },
    async ({ body, headers }, reply) => {
      const { warnings, isAgain } = await namingPayment(
        reply,
        terminal,
        // the nine calls have no tills of their own: each reaches the payments of all
        terminal.sell(body, { ...requesterWith(reply), ownOnly: false }, headers['idempotency-key'] ?? null, 'mend'),
      );
      if (isAgain) markRepetition(reply.request);
      return { ...SUCCESS, ...fieldsOf(besideSuccess(warnings)) };
    },
  );

  app.get(
    '/getDynamicQRStatus',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getDynamicQRStatus',
        tags: ['nine calls: sale'],
        summary: 'State of the last dynamic QR transaction',
        description: 'To be asked each second until it says how the payment ended; the bank is not asked each time.',
        response: { 200: DynamicStatusAnswer, 400: NoDynamicStatusAnswer },
      },
    },
    async (request, reply) => {
      const caller = requesterOf(reply);
      const last = terminal.payments.status();
      if (last.status === 'EMPTY') {
        throw TerminalError.of(
          'RequestParams',
          'NoDynamicQR',
          'no dynamic QR code has been shown yet: call showQR first',
          { extra: { dynamicQRStatus: last.status } },
        );
      }
      // only what has gone out whole may count as read
      if (request.method === 'GET' && !isReadByPerson(request))
        caller.whenAnswered(() => terminal.payments.markHandled(last, caller.till));
      return { ...SUCCESS, dynamicQRStatus: last.status, ...fieldsOf(last.failure) };
    },
  );
}

/** The calls that are not part of a sale. */
function addOperatorRoutes(app: FastifyInstance, terminal: Terminal): void {
  app.post(
    '/showInfoQR',
    {
      config: { role: 'till', audit: null },
      schema: {
        operationId: 'showInfoQR',
        tags: ['nine calls: display'],
        summary: 'Show any text as a QR code',
        description: 'As an advertisement. No payment is made, and none is cancelled by it.',
        body: ShowInfoQRBody,
        response: successAnswers,
      },
    },
    async (request) => {
      requireDrawable(request.body.infoQR);
      await terminal.showInfoQR(request.body.infoQR);
      return SUCCESS;
    },
  );

  app.post(
    '/exportToCSV',
    {
      config: { role: 'till', audit: { event: 'payments-exported', fields: ['path'], isRepeatable: true } },
      schema: {
        operationId: 'exportToCSV',
        tags: ['nine calls: device'],
        summary: 'Export the ledger to a CSV file',
        description: 'Every payment, into a file on the device.',
        body: ExportBody,
        response: successAnswers,
      },
    },
    async (request) => {
      await terminal.exportToCSV(request.body.path);
      return SUCCESS;
    },
  );

  app.post(
    '/displayStatus',
    {
      config: { role: 'till', audit: null },
      schema: {
        operationId: 'displayStatus',
        tags: ['nine calls: display'],
        summary: 'Show the symbol of a transaction status',
        description:
          '0 clears the display, and ends the sale as clearScreen does. 2 shows again the code that may still be paid, else asks the customer to wait (a wire display has no symbol for that, and shows nothing). 6 shows a fixed code again, else nothing.',
        body: DisplayStatusBody,
        response: successAnswers,
      },
    },
    async (request) => {
      await terminal.displayStatus(request.body.status);
      return SUCCESS;
    },
  );
}

function addDeviceRoutes(app: FastifyInstance, health: HealthBoard, version: string): void {
  app.get(
    '/version',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getVersion',
        tags: ['nine calls: device'],
        summary: 'Version of the driver',
        description: 'Of this release.',
        response: { 200: VersionAnswer },
      },
    },
    async () => ({
      ...SUCCESS,
      version,
    }),
  );

  const HealthAnswer = Type.Object(
    { status: Type.Literal('success'), health: HealthReportSchema },
    { examples: [{ status: 'success', health: HEALTH_EXAMPLE }] },
  );
  app.get(
    '/health',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'getHealth',
        tags: ['device'],
        summary: 'What works and what does not',
        description: 'Each part with its state, and what to do about what does not work.',
        response: { 200: HealthAnswer },
      },
    },
    async () => ({ ...SUCCESS, health: health.report() }),
  );
}
