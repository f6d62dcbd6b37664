/**
 * Which calls leave a line in the audit trail, and what of them is told. Calls of all day are left out: the ledger tells of
 * payments, the log of troubles. A call that changes something and is not named here is a mistake of whoever wrote it.
 */

/** Of an answer that says that it was done. */
type Data = Readonly<Record<string, unknown>>;

export interface AuditedCall {
  readonly deed: string;
  /** Fields of the body or the path that are told: names and numbers, never what may be a secret. */
  readonly tells?: readonly string[];
  /** The same of the data of the answer. */
  readonly answers?: readonly string[];
  /** Whether anything was done at all; it was, where this is left out. */
  readonly isDone?: (data: Data) => boolean;
  /** Of a call that is open to anyone: who it says has come or gone. Only what a technician does takes room in his book. */
  readonly whoCame?: (data: Data) => unknown;
}

const settings: AuditedCall = { deed: 'settings' }; // their handlers tell what has changed
const learned: AuditedCall = { deed: 'template-learned', tells: ['id'], answers: ['sid'] };
const sharing = ['upload', 'download'] as const;

/** Routes (`POST /showQR`); null leaves no line. */
export const AUDITED: Readonly<Record<string, AuditedCall | null>> = Object.freeze({
  'POST /updateDriverSettings': settings,
  'PUT /console/api/settings': settings,
  'POST /console/api/settings/test-picture': null,
  'POST /console/api/settings/bluetooth-search': null,
  'POST /console/api/settings/certificates': { deed: 'certificate-kept' },
  'POST /console/api/settings/bank-test': { deed: 'bank-tried' }, // its handler tells which, and what came of it
  'POST /clearScreen': null,
  'POST /showQR': null,
  'POST /showInfoQR': null,
  'POST /exportToCSV': { deed: 'payments-exported', tells: ['path'] },
  'POST /displayStatus': null,

  'POST /v1/payments': null,
  'POST /v1/payments/:id/refunds': { deed: 'payment-refunded', tells: ['id', 'amount'] },
  'POST /v1/payments/:id/refunds/:refundId/decide': { deed: 'refund-decided', tells: ['id', 'refundId', 'outcome'] },
  'POST /v1/payments/:id/cancel': { deed: 'payment-cancelled', tells: ['id'] },
  'POST /v1/reconciliations': { deed: 'registry-reconciled', tells: ['from', 'to', 'profile'] },
  'POST /v1/payments/:id/acknowledge': { deed: 'payment-acknowledged', tells: ['id'] },

  'POST /v1/webhooks/deliveries/:id/redeliver': { deed: 'webhook-redelivered', tells: ['id'], answers: ['event'] },
  'POST /v1/webhooks/:id/test': { deed: 'webhook-tested', tells: ['id'], answers: ['status'] },

  'POST /v1/cash-links': { deed: 'cash-link-made', tells: ['description'], answers: ['link'] },

  'POST /console/api/sandbox/payments/:id': null,
  'POST /console/api/sandbox/setup': settings,
  'POST /console/api/display/clear': null,

  'PUT /v1/items/:id': { deed: 'item-put', tells: ['id', 'name', 'plu', 'price', 'barcodes', 'pieceWeight'] },
  'PATCH /v1/items/:id': {
    deed: 'item-changed',
    tells: ['id', 'name', 'plu', 'price', 'barcodes', 'pieceWeight', 'picture'],
  },
  'DELETE /v1/items/:id': { deed: 'item-removed', tells: ['id'] },
  'PUT /v1/items/:id/picture': { deed: 'item-picture-put', tells: ['id'] },
  'POST /console/api/backups': { deed: 'backup-made' }, // their handlers tell which
  'POST /console/api/backups/restore': { deed: 'backup-put-back' },
  'POST /v1/items/:id/templates': { deed: 'template-learned', tells: ['id'], answers: ['template'] },
  'DELETE /v1/items/:id/templates/:template': { deed: 'template-deleted', tells: ['id', 'template'] },
  'POST /v1/catalogue/check': null,
  'POST /v1/catalogue': { deed: 'items-imported' },
  'POST /console/api/deletions': { deed: 'deletion-asked-for', tells: ['item', 'template'], answers: ['id'] },
  'DELETE /console/api/deletions/:id': { deed: 'deletion-taken-back', tells: ['id'], answers: ['item', 'template'] },

  'POST /console/api/claim': { deed: 'claimed' },
  'POST /console/api/session': { deed: 'signed-in', answers: ['role', 'by', 'till'], whoCame: ({ role }) => role },
  'DELETE /console/api/session': {
    deed: 'signed-out',
    answers: ['was'],
    isDone: ({ was }) => was !== null,
    whoCame: ({ was }) => was,
  },
  'PUT /console/api/pins/:person': { deed: 'pin-set', tells: ['person'] },
  'DELETE /console/api/pins/:person': { deed: 'pin-removed', tells: ['person'] },
  'PUT /console/api/tokens/:role': { deed: 'token-made', tells: ['role'] },
  'DELETE /console/api/tokens/:role': { deed: 'token-taken-back', tells: ['role'] },

  'POST /console/api/calibration': { deed: 'tray-measured', tells: ['rulerMm'] },
  'DELETE /console/api/calibration': { deed: 'tray-measure-forgotten' },

  'PUT /camera/frame': null,
  'POST /v1/recognition/:id/feedback': {
    deed: 'template-learned',
    tells: ['item'],
    answers: ['sid'],
    isDone: ({ sid }) => sid !== null,
  },
  'POST /console/api/recognition/uncertain/assignments': {
    deed: 'uncertain-answers-assigned',
    tells: ['item'],
    answers: ['id', 'templates'],
  },
  'DELETE /console/api/recognition/uncertain/assignments/:id': {
    deed: 'assignment-taken-back',
    tells: ['id'],
    answers: ['item', 'templates'],
  },
  'POST /api/feedback': { ...learned, isDone: ({ sid }) => sid !== null },
  'POST /api/get_rank_statistics': null,
  'POST /api/add_item_template': learned,
  'POST /api/get_item_template_list': null,
  'POST /api/get_template_image': null,
  'POST /api/delete_item_template': { deed: 'template-deleted', tells: ['id', 'sid'] },
  'POST /api/delete_item': { deed: 'item-deleted', tells: ['id'] },
  'POST /api/clear_all_template': { deed: 'all-templates-deleted' },
  'POST /api/set_deletion_all_flag': { deed: 'item-marked-for-deletion-everywhere', tells: ['id'] },
  'POST /api/clear_deletion_all_flag': { deed: 'mark-for-deletion-taken-back', tells: ['id'] },
  'POST /api/export_template': { deed: 'templates-exported', tells: ['ids'] },
  'GET /download/:filename': { deed: 'package-downloaded', tells: ['filename'] },
  'POST /api/import_template': { deed: 'templates-imported' },

  'POST /api/set_predict_speed': { deed: 'speed-set', tells: ['speed'] },
  'POST /api/set_learning_mode': { deed: 'learning-mode-set', tells: ['mode'] },
  'POST /api/set_result_count': { deed: 'result-count-set', tells: ['count'] },
  'POST /api/set_calib': { deed: 'area-set', tells: ['top', 'left', 'height', 'width'] },
  'POST /api/learn_background': { deed: 'empty-tray-learned' },
  'POST /api/set_time': { deed: 'clock-set', tells: ['sec'] },
  'PUT /console/api/recognition/speed': { deed: 'speed-set', tells: ['speed'] },
  'PUT /console/api/camera/drawn-tray': null,
  'PUT /console/api/camera/area': { deed: 'area-set', tells: ['top', 'left', 'height', 'width'] },
  'PUT /console/api/camera/empty-tray': { deed: 'empty-tray-learned' },
  'PUT /console/api/device/clock': { deed: 'clock-set', tells: ['sec'] },
  'DELETE /v1/templates': { deed: 'all-templates-deleted', answers: ['forgotten'] },
  'POST /v1/packages/export': { deed: 'templates-exported', tells: ['ids'] },
  'GET /v1/packages/:filename': { deed: 'package-downloaded', tells: ['filename'] },
  'POST /v1/packages/import': { deed: 'templates-imported' },
  'POST /console/api/device/update': { deed: 'update-asked-for' },
  'POST /console/api/device/rollback': { deed: 'rollback-asked-for' },
  'POST /console/api/device/reboot': { deed: 'reboot' },
  'POST /console/api/device/reset': { deed: 'factory-reset' },
  'POST /api/reboot': { deed: 'reboot' },
  'POST /api/factory_reset': { deed: 'factory-reset' },
  'POST /api/set_extra_info': { deed: 'store-information-set' },

  'POST /console/api/chain': { deed: 'chain-joined', tells: ['chain', 'store', 'servers'] },
  'DELETE /console/api/chain': { deed: 'chain-left' },

  'POST /console/api/store/rounds': null,
  'POST /console/api/store': { deed: 'became-master', tells: sharing },
  'DELETE /console/api/store': { deed: 'became-standalone' },
  'PUT /console/api/store/master': { deed: 'became-slave', tells: ['host', 'port', ...sharing] },
  'POST /console/api/store/join': { deed: 'became-slave', answers: ['master', 'address'] },
  'POST /console/api/store/pairing-code': { deed: 'pairing-code-shown' },
  'DELETE /console/api/store/devices/:serial': { deed: 'device-revoked', tells: ['serial'] },
  'PUT /console/api/store/marks/:item': { deed: 'item-marked-for-deletion-everywhere', tells: ['item'] },
  'DELETE /console/api/store/marks/:item': { deed: 'mark-for-deletion-taken-back', tells: ['item'] },
  'PUT /console/api/store/wipes/:id': { deed: 'everything-deleted-everywhere', tells: ['id'] },

  'POST /api/set_sync_master': { deed: 'became-master', tells: sharing },
  'POST /api/set_sync_slave': { deed: 'became-slave', tells: ['masterIP', 'mastersyncPort', ...sharing] },
  'POST /api/set_sync_standalone': { deed: 'became-standalone' },
  'POST /api/start_sync': null,
  'POST /api/set_sync_limit': { deed: 'synchronisation-limit-set', tells: ['limit'] },
  'POST /api/get_sync_pairing_code': { deed: 'pairing-code-shown' },
  'POST /api/revoke_sync_device': { deed: 'device-revoked', tells: ['sn'] },
});
