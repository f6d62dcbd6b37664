/** A path that is none: whoever wrote the till is told the call that was meant, with its method, also where it is on the other port. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, startTestDevice } from '../support.ts';

const test = suite('http: unknown paths');

const TERMINAL: readonly [method: string, path: string, told: string][] = [
  ['POST', '/showQr2', '; the nearest call is POST /showQR'],
  ['GET', '/getDynamicStatus', '; the nearest call is GET /getDynamicQRStatus'],
  ['POST', '/payments', '; the nearest call is POST /v1/payments'],
  ['GET', '/v1/payment', '; the nearest call is GET /v1/payments'],
  ['GET', '/v1/payment/4f9a-1', '; the nearest call is GET /v1/payments/{id}'],
  ['POST', '/v1/payments/4f9a-1/refund', '; the nearest call is POST /v1/payments/{id}/refunds'],
  ['POST', '/v1/payments/a-very-long-id-of-a-payment/cancle', '; the nearest call is POST /v1/payments/{id}/cancel'],
  ['GET', '/api/get_result', "; GET /api/get_result is a call of recognition, on the device's other port"],
  ['GET', '/wholly/else', '; /reference shows the calls, /openapi.json lists them'],
  ['GET', '/v1/', '; /reference shows the calls, /openapi.json lists them'],
  ['GET', `/${'x'.repeat(8000)}`, '; /reference shows the calls, /openapi.json lists them'],
];

const RECOGNITION: typeof TERMINAL = [
  ['POST', '/api/add_template', '; the nearest call is POST /api/add_item_template'],
  ['GET', '/api/GetResult', '; the nearest call is GET /api/get_result'],
  ['GET', '/get_result', '; the nearest call is GET /api/get_result'],
  ['POST', '/showQR', "; POST /showQR is a call of the payment terminal, on the device's other port"],
  ['GET', '/consle/asets', '; /reference shows the calls, /openapi.json lists them'],
];

test('the nearest call is named, in the words of the port and of /v1', async () => {
  await using device = await startTestDevice();
  for (const [base, cases] of [
    [device.terminal, TERMINAL],
    [device.recognition, RECOGNITION],
  ] as const) {
    for (const [method, path, told] of cases) {
      const { status, body } = await call(`${base}${path}`, { method });
      assert.is(status, 404, path);
      const message = body.detail ?? body.error_message ?? body.msg;
      assert.is(message, `there is no ${path} here${told}`);
    }
  }
  const problem = await call(`${device.terminal}/v1/payment`);
  assert.equal([problem.body.code, problem.body.status], ['RequestParams.UnknownPath', 404]);
});

test.run();
