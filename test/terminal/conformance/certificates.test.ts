/** What every bank must do where certificates are wrong, end, or are renewed: over TLS, mutual where the bank has it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusal, until } from '../harness.ts';
import { CONFORMING } from './banks.ts';
import { certificate, onRig, overTls, readCertificate, removeCertificates } from './rig.ts';

const DAY_MS = 86_400_000;
const EXPIRED = { from: new Date(Date.now() - 3 * DAY_MS), to: new Date(Date.now() - DAY_MS) };

for (const bank of CONFORMING) {
  const test = suite(`conformance, certificates: ${bank.title}`);
  test.after(removeCertificates);

  for (const [what, name] of [
    ['has expired', 'expired-bank'],
    ['is of an authority that the profile does not name', 'other-bank'],
  ] as const) {
    test(
      `a bank whose certificate ${what} is told nothing, and nothing is shown`,
      onRig(
        bank,
        async ({ lane, show, sandbox, book, rows, payer, ends }) => {
          sandbox.renew(readCertificate(certificate(name, name === 'expired-bank' ? EXPIRED : undefined)));
          const error = await refusal(show());
          assert.is(error.member, 'Unreachable');
          assert.match(error.message, /CERT|SELF_SIGNED|certificate/i);
          assert.equal([lane.screen.picture.kind === 'qr', book().length], [false, 0]);
          sandbox.renew(readCertificate(certificate('bank')));
          await show();
          payer('pay');
          await ends('ACCEPTED', 1);
          assert.is(rows()[0]?.status.state, 'ERROR');
        },
        overTls,
      ),
    );
  }

  test(
    'a bank whose certificate expires while a payment is open: unknown, never failed, and ACCEPTED once it is renewed',
    onRig(
      bank,
      async ({ lane, show, sandbox, payer, rows, ends, pool, setUp }) => {
        await show();
        payer('pay');
        sandbox.renew(readCertificate(certificate('expired-bank', EXPIRED)));
        await pool.renew(setUp(certificate('till'))); // new connections from now on
        await until('silence', () => lane.payments.status().failure !== null || rows()[0]?.status.state === 'ACCEPTED');
        if (rows()[0]?.status.state !== 'ACCEPTED') {
          assert.is(rows()[0]?.status.state, 'PENDING');
          sandbox.renew(readCertificate(certificate('bank')));
        }
        await ends('ACCEPTED');
      },
      overTls,
    ),
  );

  if (!bank.isMutual) {
    test.run();
    continue;
  }

  test(
    'a till whose certificate has expired is let in no more, and says so in /health; the renewed one, at another path, asks about the open payment',
    onRig(
      bank,
      async ({ lane, show, payer, rows, ends, pool, setUp }) => {
        await show();
        const profile = setUp(certificate('expired-till', EXPIRED));
        await pool.renew(profile);
        const validTo =
          pool.health(profile).certificates.find(({ kind }) => kind === 'client')?.validTo ?? Number.POSITIVE_INFINITY;
        assert.ok(validTo < Date.now());
        payer('pay');
        await until('silence', () => lane.payments.status().failure !== null);
        assert.is(rows()[0]?.status.state, 'PENDING');
        assert.is((await refusal(show(0, 500))).member, 'Unreachable');
        await pool.renew(setUp(certificate('renewed-till')));
        await ends('ACCEPTED');
      },
      { clients: () => [certificate('till'), certificate('expired-till', EXPIRED), certificate('renewed-till')] },
    ),
  );

  test(
    'a till without a certificate that the bank knows is told nothing',
    onRig(
      bank,
      async ({ show, pool, setUp, book }) => {
        await pool.renew(setUp(certificate('stranger')));
        assert.is((await refusal(show())).member, 'Unreachable');
        assert.equal(book(), []);
      },
      overTls,
    ),
  );

  test.run();
}
