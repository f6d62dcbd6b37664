/** The parts about the machine: its time, its board, the key of its secrets, the shop; and the audit trail. */
import { VERSION } from '../../../drivers/lib/version.ts';
import { AuditTrail, recordRelease } from '../../core/audit/index.ts';
import { Board } from '../../core/board/index.ts';
import { adoptZone, CertainTime, countHealth, LastTime, openHost, Shop, watchClock } from '../../core/host/index.ts';
import { openSealer } from '../../core/secrets/index.ts';
import { addSystemRoutes } from '../../recognition/index.ts';
import type { Opened } from './joining.ts';
import type { Has } from './whole.ts';

/** The last known time, before which it cannot be. Later parts raise it by the times in their data. */
export const lastKnownTime = {
  name: 'time',
  open: ({ base: { clock, dataDir, log } }: Has<'base'>): Opened<Has<'lastTime' | 'unknownZone'>> => {
    const unknownZone = adoptZone();
    const lastTime = new LastTime(clock, dataDir.file('last-time'), (err) =>
      log.warn({ err }, 'the last known time could not be read or saved'),
    );
    return [{ lastTime, unknownZone }, { close: () => lastTime.close() }];
  },
};

/** The audit trail. */
export const auditTrail = {
  name: 'audit',
  open: ({ base: { clock, dataDir, health } }: Has<'base'>): Opened<Has<'audit'>> => {
    const audit = new AuditTrail(dataDir.file('audit'), clock, health);
    const start = () => recordRelease(audit, dataDir.file('audit/last-release'), VERSION);
    return [{ audit }, { start, close: () => audit.close() }];
  },
};

/** The key that seals all secrets. */
export const secrets = {
  name: 'secrets',
  open: ({ base: { clock, dataDir, log } }: Has<'base'>): Opened<Has<'sealer'>> => {
    const sealer = openSealer(dataDir.file('secret.key'), process.env.CREDENTIALS_DIRECTORY, clock.wall());
    const { keySetAside: file } = sealer;
    if (file !== null) log.warn({ file }, 'the key of the secrets was damaged and set aside: they must be sent again');
    return [{ sealer }];
  },
};

/** The board, its clock, and the details of the shop. */
export const machine = {
  name: 'machine',
  open: async ({
    base,
    terminal,
    unknownZone,
  }: Has<'base' | 'terminal' | 'unknownZone'>): Promise<Opened<Has<'host' | 'shop' | 'board'>>> => {
    const { clock, dataDir, health, log, metrics } = base;
    const host = openHost(process.env);
    const shop = new Shop(dataDir.file('shop.json'));
    if (shop.facts.zone !== null && !host.isManaged) await host.setZone(shop.facts.zone);
    const takesMoney = () => terminal.settings.active !== null && !terminal.isPlayMoney(null);
    watchClock(health, clock, { unknown: unknownZone, isMissed: () => shop.isZoneUnset && takesMoney() });
    const board = new Board(dataDir.path, VERSION, clock);
    board.watch(health);
    const certainTime = new CertainTime(
      clock,
      dataDir.file('certain-time'),
      () => board.isSynchronised,
      (err) => log.warn({ err }, 'the time that has certainly passed could not be read or saved'),
    );
    board.count(metrics);
    countHealth(metrics, base);
    return [
      { host, shop, board },
      {
        addRoutes: (app) => addSystemRoutes(app, host, dataDir.file('extra-info.json')),
        close: () => {
          certainTime.close();
          board.close();
        },
      },
    ];
  },
};
