/**
 * Which calls leave a line in the audit trail, and which of their fields it holds. Calls of every sale are left out: payments are
 * in the ledger, faults in the log. A call that changes something must be named here, or the server does not start.
 */

/** Of an answer that says that it was done. */
type Data = Readonly<Record<string, unknown>>;

export interface AuditedCall {
  readonly event: string;
  /** Fields of the body or the path that the line holds: names and numbers, never what may be a secret. */
  readonly fields?: readonly string[];
  /** The same of the data of the answer. */
  readonly answers?: readonly string[];
  /** Whether anything was done at all; it was, where this is left out. */
  readonly isDone?: (data: Data) => boolean;
  /** Of a call that is open to anyone: who it says has come or gone. Only what a technician does takes room in his book. */
  readonly whoCame?: (data: Data) => unknown;
}

const settings: AuditedCall = { event: 'settings' }; // their handlers add what has changed
const learned: AuditedCall = { event: 'template-learned', fields: ['id'], answers: ['sid'] };
const sharing = ['upload', 'download'] as const;

/** Routes (`POST /showQR`); null leaves no line. */
export const AUDITED: Readonly<Record<string, AuditedCall | null>> = Object.freeze({
  'POST /updateDriverSettings': settings,
  'PUT /console/api/settings': settings,
  'POST /console/api/settings/test-picture': null,
  'POST /console/api/settings/bluetooth-search': null,
  'POST /console/api/settings/certificates': { event: 'certificate-kept' },
  'POST /console/api/settings/bank-test': { event: 'bank-tried' }, // its handler adds which, and the result
  'POST /clearScreen': null,
  'POST /showQR': null,
  'POST /showInfoQR': null,
  'POST /exportToCSV': { event: 'payments-exported', fields: ['path'] },
  'POST /displayStatus': null,

  'POST /v1/payments': null,
  'PUT /v1/payments/:id/receipt': null, // a call of every sale
  'POST /v1/payments/:id/refunds': { event: 'payment-refunded', fields: ['id', 'amount'] },
  'POST /v1/payments/:id/refunds/:refundId/decide': { event: 'refund-decided', fields: ['id', 'refundId', 'outcome'] },
  'POST /v1/payments/:id/cancel': { event: 'payment-cancelled', fields: ['id'] },
  'POST /v1/shifts/close': { event: 'shift-closed', answers: ['number'] },
  'POST /v1/reconciliations': { event: 'registry-reconciled', fields: ['from', 'to', 'profile'] },
  'GET /console/api/journal': { event: 'journal-written' },
  'POST /console/api/remote': { event: 'remote-asked-for', fields: ['by', 'minutes'] },
  'POST /console/api/remote/end': { event: 'remote-ended', fields: ['how'] }, // its handler adds whose
  'GET /console/api/support': { event: 'support-bundle-made' },
  'POST /v1/payments/:id/acknowledge': { event: 'payment-acknowledged', fields: ['id'] },

  'POST /v1/webhooks/deliveries/:id/redeliver': { event: 'webhook-redelivered', fields: ['id'], answers: ['event'] },
  'POST /v1/webhooks/:id/test': { event: 'webhook-tested', fields: ['id'], answers: ['status'] },

  'POST /v1/cash-links': { event: 'cash-link-made', fields: ['description'], answers: ['link'] },

  'POST /console/api/sandbox/payments/:id': null,
  'POST /console/api/sandbox/setup': settings,
  'POST /console/api/display/clear': null,

  'PUT /v1/items/:id': { event: 'item-put', fields: ['id', 'name', 'plu', 'price', 'barcodes', 'pieceWeight'] },
  'PATCH /v1/items/:id': {
    event: 'item-changed',
    fields: ['id', 'name', 'plu', 'price', 'barcodes', 'pieceWeight', 'picture'],
  },
  'DELETE /v1/items/:id': { event: 'item-removed', fields: ['id'] },
  'PUT /v1/items/:id/picture': { event: 'item-picture-put', fields: ['id'] },
  'POST /console/api/backups': { event: 'backup-made' }, // their handlers add which
  'POST /console/api/backups/restore': { event: 'backup-put-back' },
  'POST /console/api/backups/ready': { event: 'backup-put-back' },
  'DELETE /console/api/backups/ready': { event: 'backup-discarded' },
  'POST /v1/items/:id/templates': { event: 'template-learned', fields: ['id'], answers: ['template'] },
  'DELETE /v1/items/:id/templates/:template': { event: 'template-deleted', fields: ['id', 'template'] },
  'POST /v1/catalogue/check': null,
  'POST /v1/catalogue': { event: 'items-imported' },
  'POST /console/api/deletions': { event: 'deletion-asked-for', fields: ['item', 'template'], answers: ['id'] },
  'DELETE /console/api/deletions/:id': { event: 'deletion-taken-back', fields: ['id'], answers: ['item', 'template'] },

  'POST /console/api/claim': { event: 'claimed' },
  'POST /console/api/claim/pin': { event: 'pin-set' }, // its handler adds whose, and by what
  'POST /console/api/session': { event: 'signed-in', answers: ['role', 'by', 'till'], whoCame: ({ role }) => role },
  'DELETE /console/api/session': {
    event: 'signed-out',
    answers: ['was'],
    isDone: ({ was }) => was !== null,
    whoCame: ({ was }) => was,
  },
  'DELETE /console/api/sessions/:id': { event: 'session-ended' }, // its handler adds whose
  'PUT /console/api/pins/:person': { event: 'pin-set', fields: ['person'] },
  'DELETE /console/api/pins/:person': { event: 'pin-removed', fields: ['person'] },
  'PUT /console/api/tokens/:role': { event: 'token-made', fields: ['role'] },
  'DELETE /console/api/tokens/:role': { event: 'token-taken-back', fields: ['role'] },

  'PUT /camera/frame': null,
  'DELETE /v1/recognition/:id/feedback': null, // nothing is kept of it
  'POST /v1/recognition/:id/feedback': {
    event: 'template-learned',
    fields: ['item'],
    answers: ['sid'],
    isDone: ({ sid }) => sid !== null,
  },
  'POST /console/api/recognition/uncertain/assignments': {
    event: 'uncertain-answers-assigned',
    fields: ['item'],
    answers: ['id', 'templates'],
  },
  'DELETE /console/api/recognition/uncertain/assignments/:id': {
    event: 'assignment-taken-back',
    fields: ['id'],
    answers: ['item', 'templates'],
  },
  'POST /api/feedback': { ...learned, isDone: ({ sid }) => sid !== null },
  'POST /api/get_rank_statistics': null,
  'POST /api/add_item_template': learned,
  'POST /api/get_item_template_list': null,
  'POST /api/get_template_image': null,
  'POST /api/delete_item_template': { event: 'template-deleted', fields: ['id', 'sid'] },
  'POST /api/delete_item': { event: 'item-deleted', fields: ['id'] },
  'POST /api/clear_all_template': { event: 'all-templates-deleted' },
  'POST /api/set_deletion_all_flag': { event: 'item-marked-for-deletion-everywhere', fields: ['id'] },
  'POST /api/clear_deletion_all_flag': { event: 'mark-for-deletion-taken-back', fields: ['id'] },
  'POST /api/export_template': { event: 'templates-exported', fields: ['ids'] },
  'GET /download/:filename': { event: 'package-downloaded', fields: ['filename'] },
  'POST /api/import_template': { event: 'templates-imported' },

  'POST /api/set_predict_speed': { event: 'speed-set', fields: ['speed'] },
  'POST /api/set_learning_mode': { event: 'learning-mode-set', fields: ['mode'] },
  'POST /api/set_result_count': { event: 'result-count-set', fields: ['count'] },
  'POST /api/set_calib': { event: 'area-set', fields: ['top', 'left', 'height', 'width'] },
  'POST /api/learn_background': { event: 'empty-tray-learned' },
  'POST /api/set_time': { event: 'clock-set', fields: ['sec'] },
  'PUT /console/api/recognition/speed': { event: 'speed-set', fields: ['speed'] },
  'PUT /console/api/camera/drawn-tray': null,
  'PUT /console/api/camera/area': { event: 'area-set', fields: ['top', 'left', 'height', 'width'] },
  'PUT /console/api/camera/empty-tray': { event: 'empty-tray-learned' },
  'PUT /console/api/device/clock': { event: 'clock-set', fields: ['sec'] },
  'PUT /console/api/device/zone': { event: 'zone-set', fields: ['zone'] },
  'DELETE /v1/templates': { event: 'all-templates-deleted', answers: ['forgotten'] },
  'POST /v1/packages/export': { event: 'templates-exported', fields: ['ids'] },
  'GET /v1/packages/:filename': { event: 'package-downloaded', fields: ['filename'] },
  'POST /v1/packages/import': { event: 'templates-imported' },
  'POST /console/api/self-test': { event: 'self-test' },
  'PUT /console/api/self-test/answer': null,
  'POST /console/api/device/configuration': { event: 'configuration-tried' },
  'POST /console/api/device/update': { event: 'update-asked-for' },
  'POST /console/api/device/rollback': { event: 'rollback-asked-for' },
  'POST /console/api/device/reboot': { event: 'reboot' },
  'POST /console/api/device/reset': { event: 'factory-reset' },
  'POST /api/reboot': { event: 'reboot' },
  'POST /api/factory_reset': { event: 'factory-reset' },
  'POST /api/set_extra_info': { event: 'store-information-set' },

  'POST /console/api/store/rounds': null,
  'POST /console/api/store': { event: 'became-master', fields: sharing },
  'DELETE /console/api/store': { event: 'became-standalone' },
  'PUT /console/api/store/master': { event: 'became-slave', fields: ['host', 'port', ...sharing] },
  'POST /console/api/store/join': { event: 'became-slave', answers: ['master', 'address'] },
  'POST /console/api/store/pairing-code': { event: 'pairing-code-shown' },
  'DELETE /console/api/store/devices/:serial': { event: 'device-revoked', fields: ['serial'] },
  'PUT /console/api/store/marks/:item': { event: 'item-marked-for-deletion-everywhere', fields: ['item'] },
  'DELETE /console/api/store/marks/:item': { event: 'mark-for-deletion-taken-back', fields: ['item'] },
  'PUT /console/api/store/wipes/:id': { event: 'everything-deleted-everywhere', fields: ['id'] },

  'POST /api/set_sync_master': { event: 'became-master', fields: sharing },
  'POST /api/set_sync_slave': { event: 'became-slave', fields: ['masterIP', 'mastersyncPort', ...sharing] },
  'POST /api/set_sync_standalone': { event: 'became-standalone' },
  'POST /api/start_sync': null,
  'POST /api/set_sync_limit': { event: 'synchronisation-limit-set', fields: ['limit'] },
  'POST /api/get_sync_pairing_code': { event: 'pairing-code-shown' },
  'POST /api/revoke_sync_device': { event: 'device-revoked', fields: ['sn'] },
});
