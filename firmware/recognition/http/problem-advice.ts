/** What recognition's codes mean to a till: `docs/errors.md` is written from it. */
import type { Advice, OwnAdvice } from '../../core/http/index.ts';
import { type Code, STATUS_OF_CODE } from './problem.ts';

type Own = Exclude<Code, 'RequestParams.TooMany' | `Internal.${string}`>;

export const RECOGNITION_ADVICE: Readonly<Record<Own, Advice>> = Object.freeze({
  'Items.NotFound': { meaning: 'there is no such item', again: 'no', todo: 'create it: `PUT /v1/items/{id}`' },
  'Items.NoPicture': { meaning: 'the item has no picture', again: 'no', todo: 'show none' },
  'Items.PictureUnusable': {
    meaning: 'not a JPEG or PNG, too large, or incomplete',
    again: 'mended',
    todo: 'send another picture',
  },
  'Items.BarcodeTaken': {
    meaning: 'another item has that barcode; nothing was changed',
    again: 'mended',
    todo: 'ask a person which item it belongs to: remove the `barcode` from the `item` in the answer (`PATCH /v1/items/{id}` with its other `barcodes`) and retry, or leave it out here',
  },
  'Items.IllegalFile': {
    meaning: 'the file cannot be read; nothing was changed',
    again: 'mended',
    todo: 'correct it as `detail` says',
  },
  'Deletions.NotFound': {
    meaning: 'this deletion no longer exists: it was done or undone',
    again: 'no',
    todo: '`GET /console/api/deletions` lists those that can be undone',
  },
  'Templates.NotFound': {
    meaning: 'the item has no such template',
    again: 'no',
    todo: '`GET /v1/items/{id}/templates` lists its templates',
  },
  'Templates.Locked': {
    meaning: 'teaching is off on this device',
    again: 'no',
    todo: 'the technician turns it on: `/api/set_learning_mode`',
  },
  'Templates.Full': {
    meaning: 'the item has the maximum number of templates',
    again: 'no',
    todo: 'delete one first',
  },
  'Templates.Marked': {
    meaning: 'the item is being deleted from all devices of the store; nothing was added',
    again: 'no',
    todo: 'the technician ends the deletion at the master (`DELETE /console/api/store/marks/{item}`) and synchronises',
  },
  'Templates.Unlike': {
    meaning: 'it looks different from the item’s other pictures; nothing was added',
    again: 'no',
    todo: 'ask a person whether it is that item, then send it without `unlike=refuse`',
  },
  'Templates.Damaged': {
    meaning: 'the picture of the template is damaged',
    again: 'no',
    todo: 'delete the template and teach the item again',
  },
  'Packages.Running': {
    meaning: 'an export or import is running',
    again: 'later',
    todo: 'wait until it ends: `GET /v1/packages/export`, `GET /v1/packages/import`',
  },
  'Packages.NotFound': {
    meaning: 'there is no package of that name; each export replaces the one before',
    again: 'no',
    todo: 'start an export: `POST /v1/packages/export`',
  },
  'Packages.BeyondEnd': {
    meaning: '`Range` goes beyond the end of the package',
    again: 'mended',
    todo: 'fetch it without `Range`',
  },
  'Tray.Empty': { meaning: 'the tray is empty', again: 'mended', todo: 'put the item on it and retry' },
  'Tray.NotEmpty': {
    meaning: 'something is on the tray, so it was not learned as empty; the earlier one stays',
    again: 'mended',
    todo: 'take everything off, hands too, and retry; if the tray itself has changed, have a person check the picture, then send it with `things=ignore`',
  },
  'Tray.NotLearned': {
    meaning: 'the empty tray has not been learned',
    again: 'no',
    todo: '`PUT /console/api/camera/empty-tray`',
  },
  'Backups.WrongPassphrase': {
    meaning: 'wrong passphrase; nothing was changed',
    again: 'mended',
    todo: 'enter the one it was made with; nothing else opens it',
  },
  'Backups.Damaged': {
    meaning: 'the file is not a backup, incomplete or altered; nothing was changed here',
    again: 'mended',
    todo: 'send it again, or another copy of it',
  },
  'Backups.TooNew': {
    meaning: 'the backup was made by a newer version; nothing was changed',
    again: 'mended',
    todo: 'update this device, then send it again',
  },
  'Backups.NewerPayments': {
    meaning: 'the device has payments or refunds (`newer`: how many) that the backup lacks; nothing was changed',
    again: 'mended',
    todo: 'back up this device first; `overNewerPayments` = `true` restores the older backup anyway and keeps the current data beside it',
  },
  'Backups.Busy': {
    meaning: 'a backup is being made or restored, or waits for the restart',
    again: 'later',
    todo: 'wait until it ends',
  },
  'Claim.NoCode': {
    meaning: 'the device is not showing a code',
    again: 'mended',
    todo: 'hold the learn button for ten seconds while no payment is shown, or switch a device that has no token yet off and on',
  },
  'Claim.WrongCode': {
    meaning: 'the code on the display is different',
    again: 'mended',
    todo: 'check it again, or have a new one shown',
  },
  'Claim.TooManyTries': {
    meaning: 'too many wrong codes from this address: none is checked for `seconds` seconds',
    again: 'later',
    todo: 'wait; the code stays valid for its ten minutes, and for other addresses',
  },
  'Device.NotManaged': {
    meaning: 'the device was started manually or runs in a container: the machine is not its own',
    again: 'no',
    todo: 'do it on the machine itself',
  },
  'Device.NotPermitted': {
    meaning: 'the system does not allow this',
    again: 'mended',
    todo: 'the check of the installation, in the technician’s guide, says what is missing',
  },
  'Device.UpdateRuns': {
    meaning: 'an update is in progress',
    again: 'later',
    todo: 'wait until it ends: `GET /console/api/device`',
  },
  'Device.NoReleaseBefore': {
    meaning: 'there is no previous version on the device',
    again: 'no',
    todo: 'install one: `laneware-ota update --from FILE --allow-downgrade`',
  },
  'Device.WrongName': {
    meaning: 'wrong device name; nothing was changed',
    again: 'mended',
    todo: 'check which device it is and enter its serial number',
  },
  'Device.ClockRefused': {
    meaning: 'the system did not allow its clock to be set; the service uses the sent time anyway',
    again: 'mended',
    todo: 'set the system clock, or use network time (NTP)',
  },
  'Device.NotFresh': {
    meaning: 'the device is already set up, or has no sandbox bank; nothing was changed',
    again: 'no',
    todo: 'send the settings of the bank and the display (`PUT /console/api/settings`)',
  },
  'Device.SaleRuns': {
    meaning: 'a payment is in progress, or its outcome is on the display: nothing was begun',
    again: 'later',
    todo: 'start it when the display is at rest',
  },
  'Device.ConfigWrong': {
    meaning: 'the configuration file is still invalid; the last valid configuration remains in use',
    again: 'mended',
    todo: 'correct what `detail` names',
  },
  'Device.ConfigInForce': {
    meaning: 'the configuration file is in use: there is nothing to try',
    again: 'no',
    todo: 'restart the device where the file has changed',
  },
  'Device.NoReport': {
    meaning: 'there is no report of this number: the last five are kept',
    again: 'no',
    todo: 'read which there are: `GET /console/api/self-test`',
  },
  'Device.SystemFailed': {
    meaning: 'the system could not do it, or did not answer',
    again: 'later',
    todo: 'check the outcome and read the log',
  },
  'Claim.TokenInUse': {
    meaning: 'another role has this token',
    again: 'mended',
    todo: 'choose another one, or let the device create it',
  },
  'SignIn.WrongPin': {
    meaning: 'no role has this PIN; after five wrong ones each costs a pause',
    again: 'mended',
    todo: 'enter it again, or sign in with a token',
  },
  'SignIn.WrongToken': {
    meaning: 'unknown token; after five wrong ones each costs a pause',
    again: 'mended',
    todo: 'send the token of `api.tokens`, `api.tills` or `api.token`, or one created on the device',
  },
  'SignIn.TooManyTries': {
    meaning: 'too many wrong ones: for `seconds` seconds only what was recently right from that address is checked',
    again: 'later',
    todo: 'wait, or sign in with a token',
  },
  'SignIn.EasyPin': {
    meaning: 'the PIN is easy to guess, such as 0000, 1234 or 1985',
    again: 'mended',
    todo: 'choose another one',
  },
  'SignIn.PinInUse': {
    meaning: 'another role has this PIN, and the device knows people by it alone',
    again: 'mended',
    todo: 'choose another one',
  },
  'SignIn.TechnicianFirst': {
    meaning: 'nobody could sign in as technician any more, by PIN or by token',
    again: 'mended',
    todo: "set the technician's PIN before the cashier's, and remove it last",
  },
  'Recognition.AnsweredOtherwise': {
    meaning: 'this recognition already has other feedback, which stands',
    again: 'no',
    todo: 'recognise again',
  },
  'Recognition.NotFound': {
    meaning: 'no recognition of the last 15 minutes has this id, or it has no such `thing`',
    again: 'no',
    todo: 'recognise again',
  },
  'Uncertain.NotFound': {
    meaning: 'this answer, or its assignment, is no longer kept',
    again: 'no',
    todo: '`GET /console/api/recognition/uncertain` lists what is kept',
  },
  'Uncertain.AnsweredOtherwise': {
    meaning: 'one of the answers was assigned differently before; nothing was added',
    again: 'no',
    todo: 'leave it out, or undo the assignment (`DELETE /console/api/recognition/uncertain/assignments/{id}`)',
  },
  'Store.NotMaster': {
    meaning: 'only the master of a store can do this',
    again: 'no',
    todo: 'send it to the master: `GET /console/api/store` has its address',
  },
  'Store.NoDevice': {
    meaning: 'no device with this serial number is paired',
    again: 'no',
    todo: '`GET /console/api/store` lists paired devices',
  },
  'Store.WrongName': {
    meaning: 'this is not the master’s serial number; nothing was deleted',
    again: 'mended',
    todo: 'check that it is the right device and enter its serial number (`master` of `GET /console/api/store`)',
  },
  'Store.NotSynchronised': {
    meaning: 'this device is not in a store, or cannot synchronise now',
    again: 'mended',
    todo: 'make it a master, or pair it with one; see `/health`',
  },
  'Store.NoCode': {
    meaning: 'no pairing code was seen',
    again: 'mended',
    todo: 'show it on the master’s page, hold it in front of the camera, larger and without glare, and retry',
  },
  'Store.Refused': {
    meaning: 'the master refused this device',
    again: 'mended',
    todo: 'show a new code on the master; if two devices have one serial number, change one',
  },
  'Store.Unreachable': {
    meaning: 'the master cannot be reached',
    again: 'later',
    todo: 'check that it is running and both are on the same network',
  },
  'Store.Late': { meaning: 'the master did not answer in time', again: 'later', todo: 'retry' },
  'Camera.Lost': {
    meaning: 'the camera is not connected',
    again: 'later',
    todo: 'call the technician; see `/health`',
  },
  'Camera.NoPicture': { meaning: 'no usable picture yet', again: 'later', todo: 'wait a second' },
  'Camera.NotDrawn': {
    meaning: 'the device has a camera or uses a folder of pictures: it has no drawn tray',
    again: 'no',
    todo: 'put the item under the camera',
  },
  'Model.NotReady': {
    meaning: 'the model is loading, or takes too long',
    again: 'later',
    todo: 'wait a second',
  },
});

/** All of it, for the pages that `type` leads to. */
export const RECOGNITION_PROBLEMS: OwnAdvice = Object.freeze({
  advices: RECOGNITION_ADVICE,
  statuses: STATUS_OF_CODE,
  isOther: () => false,
});
