/**
 * Who may call which route and see which page. The till, and a cashier who has signed in, may do what is done at the lane all day;
 * the supervisor besides that what the shop sets right: items, what was learned, the camera. Where the money goes, the store and the
 * device itself are the technician's, who may do everything. The pages follow these tables.
 */

/** Whose tokens there are. */
export const ROLES = Object.freeze(['till', 'technician'] as const);
export type Role = (typeof ROLES)[number];
/** Each may do what those before it may. A supervisor signs in at a page, and has no token. */
const RANKS = Object.freeze(['till', 'supervisor', 'technician'] as const);
export type Rank = (typeof RANKS)[number];
/** Who may call a route: `anyone` needs no token, but must come in as everybody else, from an allowed network and over TLS. `test/http/access.test.ts` lists those routes, too. */
export type Opener = Rank | 'anyone';

export const mayDo = (rank: Rank, opener: Opener): boolean =>
  opener === 'anyone' || RANKS.indexOf(rank) >= RANKS.indexOf(opener);

/** Routes (`POST /showQR`) and who may call them from the network. */
export type Roles = Readonly<Record<string, Opener>>;

const SERVICE: Roles = {
  'GET /health': 'till',
  'GET /metrics': 'till',
  'GET /openapi.json': 'till',
  'GET /reference': 'till',
  'GET /errors': 'till',
  'GET /errors/:code': 'till',
  'GET /reference/assets/*': 'till',
};

/** Calls of payments in `/v1`, which both ports answer: a till of today needs one of them only, and so do the pages. */
const PAYMENT_ROLES: Roles = Object.freeze({
  'POST /v1/payments': 'till',
  'GET /v1/payments': 'till',
  'GET /v1/payments/:id': 'till',
  'GET /v1/payments/:id/refunds': 'till',
  'GET /v1/payments/:id/refunds/:refundId': 'till',
  'POST /v1/payments/:id/refunds': 'till', // no more than was paid, and to the payer
  'POST /v1/payments/:id/refunds/:refundId/decide': 'technician', // what counts as gone back is not asked of the bank any more
  'POST /v1/payments/:id/cancel': 'till',
  'POST /v1/payments/:id/acknowledge': 'till',
  'PUT /v1/payments/:id/receipt': 'till',
  'GET /v1/events': 'till',
  'GET /v1/webhooks': 'till',
  'GET /v1/webhooks/deliveries': 'till',
  'POST /v1/webhooks/deliveries/:id/redeliver': 'technician', // what a receiver books twice is its own mistake, but not a till's to provoke
  'POST /v1/webhooks/:id/test': 'technician',
  'GET /v1/reports/day': 'till',
  'GET /v1/shifts': 'till',
  'GET /v1/shifts/:shift(^current$|^0$|^[1-9]\\d*$)': 'till',
  'POST /v1/shifts/close': 'till', // a cashier at a page is refused: the supervisor's is that
  'POST /v1/reconciliations': 'till',
  'POST /v1/cash-links': 'technician',
});

export const TERMINAL_ROLES: Roles = Object.freeze({
  ...SERVICE,
  'POST /updateDriverSettings': 'technician', // a caller that may send them may send the money elsewhere
  'GET /getDriverSettings': 'till',
  'POST /clearScreen': 'till',
  'POST /showQR': 'till',
  'GET /getDynamicQRStatus': 'till',
  'POST /showInfoQR': 'till',
  'POST /exportToCSV': 'till',
  'POST /displayStatus': 'till',
  'GET /version': 'till',
  ...PAYMENT_ROLES,
});

export const RECOGNITION_ROLES: Roles = Object.freeze({
  ...SERVICE,
  ...PAYMENT_ROLES,
  'GET /': 'anyone', // the same file on every device: people sign in there
  'GET /claim': 'anyone', // a person without a token asks for one here
  'GET /scale': 'anyone', // as /
  'GET /console/assets/*': 'anyone', // the same files on every device
  'GET /certificate.pem': 'till',
  'GET /console/api/settings': 'till',
  'PUT /console/api/settings': 'technician', // as updateDriverSettings
  'GET /console/api/settings/forms': 'till',
  'GET /console/api/settings/serial-ports': 'till',
  'POST /console/api/settings/test-picture': 'till', // as showInfoQR
  'POST /console/api/settings/bluetooth-search': 'technician', // it keeps the radio busy
  'POST /console/api/settings/certificates': 'technician', // what the bank knows the shop by
  'POST /console/api/settings/bank-test': 'technician', // it calls the named address with the stored secrets
  'GET /console/api/calls': 'technician', // what each till says, and who pays for what
  'GET /console/api/calls/:n': 'technician',

  'GET /console/api/overview': 'till',
  'GET /console/api/overview/events': 'till',
  'GET /console/api/openapi.json': 'till',
  'POST /console/api/display/clear': 'till',
  'POST /console/api/sandbox/payments/:id': 'till', // play money
  'POST /console/api/sandbox/setup': 'technician',
  'GET /console/api/audit': 'technician',
  'GET /console/api/journal': 'technician', // all books, and who did what
  'GET /console/api/journal/key': 'till',
  'GET /console/api/device': 'technician',
  'POST /console/api/device/configuration': 'technician',
  'POST /console/api/device/update': 'technician',
  'POST /console/api/device/rollback': 'technician',
  'POST /console/api/device/reboot': 'technician',
  'POST /console/api/device/reset': 'technician',
  'GET /console/api/log': 'technician', // who calls, and what goes wrong
  'POST /console/api/remote': 'technician',
  'POST /console/api/remote/end': 'technician',
  'GET /console/api/support': 'technician', // as the log
  'GET /console/api/self-test': 'technician',
  'POST /console/api/self-test': 'technician', // the display and the lamp are its for a while
  'PUT /console/api/self-test/answer': 'technician',
  'GET /console/api/self-test/reports/:number': 'technician',
  'GET /console/api/self-test/card': 'technician',
  'GET /display': 'till',
  'GET /display/state': 'till',
  'GET /display/events': 'till',

  'GET /api/get_result': 'till',
  'POST /api/feedback': 'till',
  'POST /api/get_rank_statistics': 'till',
  'PUT /camera/frame': 'till',
  'GET /api/get_image': 'till',

  'GET /console/api/camera': 'till',
  'GET /console/api/camera/frame': 'till',
  'GET /console/api/camera/crop': 'till',
  'GET /console/api/camera/empty-tray': 'till',
  'GET /console/api/camera/drawn-tray': 'till',
  'PUT /console/api/camera/drawn-tray': 'till',
  'GET /v1/recognition': 'till',
  'GET /v1/recognition/events': 'till',
  'POST /v1/recognition/:id/feedback': 'till',
  'DELETE /v1/recognition/:id/feedback': 'till',
  'GET /console/api/recognition/uncertain': 'till',
  'GET /console/api/recognition/uncertain/:id/picture': 'till',
  'POST /console/api/recognition/uncertain/assignments': 'till', // as learning what lies on the tray
  'DELETE /console/api/recognition/uncertain/assignments/:id': 'till', // no more than was just learned

  'POST /console/api/claim': 'anyone', // the code on the display is its credential
  'POST /console/api/claim/pin': 'anyone', // as above
  'GET /console/api/session': 'anyone',
  'POST /console/api/session': 'anyone', // a PIN or a token is its credential
  'DELETE /console/api/session': 'anyone',
  'GET /console/api/sessions': 'technician',
  'DELETE /console/api/sessions/:id': 'technician',
  'GET /console/api/pins': 'technician',
  'PUT /console/api/pins/:person': 'technician',
  'DELETE /console/api/pins/:person': 'technician',

  'GET /console/api/backups': 'technician',
  'POST /console/api/backups': 'technician', // all secrets of the device
  'POST /console/api/backups/restore': 'technician',
  'POST /console/api/backups/ready': 'technician',
  'DELETE /console/api/backups/ready': 'technician',
  'GET /console/api/tokens': 'technician',
  'PUT /console/api/tokens/:role': 'technician',
  'DELETE /console/api/tokens/:role': 'technician',

  'GET /v1/items': 'till',
  'GET /v1/items/:id': 'till',
  'GET /v1/items/:id/picture': 'till',
  'GET /v1/items/:id/templates': 'till',
  'GET /console/api/recognition/look-alikes': 'supervisor', // who sets the shelves and templates right
  'POST /v1/items/:id/templates': 'till', // learning modes say who may learn
  'GET /v1/items/:id/templates/:template/picture': 'till',
  'DELETE /v1/items/:id/templates/:template': 'supervisor',
  'GET /v1/catalogue': 'till',
  'PUT /v1/items/:id': 'supervisor', // prices come from the office
  'PATCH /v1/items/:id': 'supervisor',
  'DELETE /v1/items/:id': 'supervisor',
  'PUT /v1/items/:id/picture': 'supervisor',
  'POST /v1/catalogue': 'supervisor',
  'POST /v1/catalogue/check': 'supervisor', // seconds of work

  'GET /v1/templates': 'till', // as get_item_list
  'DELETE /v1/templates': 'technician',
  'GET /console/api/recognition/ranks': 'till', // as get_rank_statistics
  'PUT /console/api/recognition/speed': 'supervisor',
  'PUT /console/api/camera/area': 'supervisor',
  'PUT /console/api/camera/empty-tray': 'supervisor',
  'PUT /console/api/device/clock': 'technician',
  'PUT /console/api/device/zone': 'technician',
  'GET /v1/packages/export': 'till',
  'POST /v1/packages/export': 'supervisor',
  'GET /v1/packages/import': 'till',
  'POST /v1/packages/import': 'supervisor',
  'GET /v1/packages/:filename': 'supervisor',

  'GET /console/api/deletions': 'till',
  'POST /console/api/deletions': 'supervisor', // as deleting at once
  'DELETE /console/api/deletions/:id': 'supervisor',

  'POST /api/add_item_template': 'till', // as above
  'GET /api/get_item_list': 'till',
  'POST /api/get_item_template_list': 'till',
  'POST /api/get_template_image': 'till',
  'POST /api/delete_item_template': 'supervisor',
  'POST /api/delete_item': 'supervisor',
  'POST /api/clear_all_template': 'technician',
  'POST /api/set_deletion_all_flag': 'technician',
  'POST /api/clear_deletion_all_flag': 'technician',
  'GET /api/get_deletion_all_progress': 'till',
  'POST /api/export_template': 'supervisor',
  'GET /api/export_template_status': 'till',
  'GET /download/:filename': 'supervisor',
  'POST /api/import_template': 'supervisor',
  'GET /api/import_template_status': 'till',

  'GET /api/get_device_info': 'till',
  'POST /api/set_predict_speed': 'supervisor',
  'GET /api/get_learning_mode': 'till',
  'POST /api/set_learning_mode': 'technician',
  'POST /api/set_result_count': 'technician',
  'GET /api/get_calib': 'till',
  'POST /api/set_calib': 'supervisor',
  'POST /api/learn_background': 'supervisor',
  'POST /api/set_time': 'technician',
  'POST /api/reboot': 'technician',
  'POST /api/factory_reset': 'technician',
  'GET /api/get_extra_info': 'till',
  'POST /api/set_extra_info': 'technician',

  'GET /console/api/store': 'till', // as get_sync_status
  'POST /console/api/store': 'technician', // whom it shares what it learns with: so the four below
  'DELETE /console/api/store': 'technician',
  'PUT /console/api/store/master': 'technician',
  'POST /console/api/store/join': 'technician',
  'POST /console/api/store/rounds': 'technician', // as start_sync
  'POST /console/api/store/pairing-code': 'technician', // who belongs to the store
  'DELETE /console/api/store/devices/:serial': 'technician',
  'GET /console/api/store/marks': 'till', // as get_deletion_all_progress
  'PUT /console/api/store/marks/:item': 'technician', // as deleting at once
  'DELETE /console/api/store/marks/:item': 'technician',
  'PUT /console/api/store/wipes/:id': 'technician',

  'POST /api/set_sync_master': 'technician',
  'POST /api/set_sync_slave': 'technician',
  'POST /api/set_sync_standalone': 'technician',
  'POST /api/start_sync': 'technician',
  'GET /api/get_sync_status': 'till',
  'GET /api/get_sync_limit': 'till',
  'POST /api/set_sync_limit': 'technician',
  'POST /api/get_sync_pairing_code': 'technician',
  'POST /api/revoke_sync_device': 'technician',
});

/** The pages of the console, and those parts of a page that not all who see it see. */
const PAGES = Object.freeze({
  lane: 'till',
  teach: 'till',
  scale: 'till',
  payments: 'till', // find one, the list of a day, late ones
  'payments/totals': 'supervisor',
  'payments/shifts': 'supervisor',
  'payments/reconcile': 'supervisor',
  items: 'supervisor',
  camera: 'supervisor',
  store: 'technician',
  device: 'technician',
  integrate: 'technician',
  welcome: 'technician',
} as const satisfies Record<string, Rank>);

export type PageName = keyof typeof PAGES;

/** Pages that somebody does not see, and who does. */
export const closedTo = (rank: Rank): Record<string, Exclude<Rank, 'till'>> =>
  Object.fromEntries(
    Object.entries(PAGES).flatMap(([page, opener]) =>
      opener === 'till' || mayDo(rank, opener) ? [] : [[page, opener] as const],
    ),
  );

/** What the customer sees, on a screen of this machine without a sign-in. */
const CUSTOMERS: ReadonlySet<string> = new Set(['GET /display', 'GET /display/state', 'GET /display/events']);

export const isForCustomers = (method: string, url: string): boolean =>
  CUSTOMERS.has(`${method === 'HEAD' ? 'GET' : method} ${url}`);

/** Files of one kind that are routes of their own have one line in the table. */
const FOLDER = /^(GET \/reference\/assets\/).+/;

/** @returns undefined where the table does not name the route */
export function roleFor(roles: Roles, method: string, url: string): Opener | undefined {
  const route = `${method === 'HEAD' ? 'GET' : method} ${url}`;
  return roles[route.replace(FOLDER, '$1*')];
}
