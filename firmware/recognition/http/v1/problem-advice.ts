/** What recognition's codes mean to a till: `docs/errors.md` is written from it. */
import type { Advice, OwnAdvice } from '../../../http/index.ts';
import { type Code, STATUS_OF_CODE } from './problem.ts';

type Own = Exclude<Code, 'RequestParams.TooMany' | 'Internal.StorageFull' | 'Internal.UnexpectedError'>;

export const RECOGNITION_ADVICE: Readonly<Record<Own, Advice>> = Object.freeze({
  'Items.NotFound': { meaning: 'nothing is said of such an item', again: 'no', todo: '`PUT /v1/items/{id}` says it' },
  'Items.NoPicture': { meaning: 'the item has no picture', again: 'no', todo: 'show none' },
  'Items.PictureUnusable': {
    meaning: 'no JPEG or PNG, too large, or not whole',
    again: 'mended',
    todo: 'send another picture',
  },
  'Items.BarcodeTaken': {
    meaning: 'another item has that barcode; nothing was changed',
    again: 'mended',
    todo: 'ask a person which of the two it is: take the `barcode` from the `item` that is named in the answer (`PATCH /v1/items/{id}` with its other `barcodes`), then send the same again; or leave it out here',
  },
  'Items.IllegalFile': {
    meaning: 'the file cannot be read; nothing was changed',
    again: 'mended',
    todo: 'mend it as `detail` says',
  },
  'Deletions.NotFound': {
    meaning: 'there is no such deletion any more: it was done, or taken back',
    again: 'no',
    todo: '`GET /console/api/deletions` lists those that can be taken back',
  },
  'Templates.NotFound': {
    meaning: 'the item has no such template',
    again: 'no',
    todo: '`GET /v1/items/{id}/templates` lists those that it has',
  },
  'Templates.Locked': {
    meaning: 'learning is locked on this device',
    again: 'no',
    todo: 'the technician unlocks it with `/api/set_learning_mode`',
  },
  'Templates.Full': {
    meaning: 'the item has as many templates as it may',
    again: 'no',
    todo: 'delete one first',
  },
  'Templates.Marked': {
    meaning: 'the item is marked to be deleted from all devices of the store; nothing was learned',
    again: 'no',
    todo: 'the technician takes the mark away at the master (`DELETE /console/api/store/marks/{item}`), and synchronises',
  },
  'Templates.Unlike': {
    meaning: 'what lies there is unlike what the item was taught by; nothing was learned',
    again: 'no',
    todo: 'ask a person whether it is that item, and then send it without `unlike=refuse`',
  },
  'Templates.Damaged': {
    meaning: 'the picture of the template is damaged on the storage',
    again: 'no',
    todo: 'delete the template, and learn the item again',
  },
  'Packages.Running': {
    meaning: 'a package is being made or brought in',
    again: 'later',
    todo: 'wait until it is done: see `GET /v1/packages/export` and `GET /v1/packages/import`',
  },
  'Packages.NotFound': {
    meaning: 'there is no package of that name; an old one goes with the next export',
    again: 'no',
    todo: 'begin an export (`POST /v1/packages/export`)',
  },
  'Packages.BeyondEnd': {
    meaning: '`Range` asks for more than there is of the package',
    again: 'mended',
    todo: 'fetch it without `Range`',
  },
  'Tray.Empty': { meaning: 'nothing lies on the tray', again: 'mended', todo: 'put the item on it, and send it again' },
  'Tray.NotEmpty': {
    meaning:
      'something is seen on the tray, so that it was not learned as the empty one; what was learned before stays',
    again: 'mended',
    todo: 'take everything off it, also the hand, and send it again; where the tray itself has changed, have a person look at the picture, and send it with `things=ignore`',
  },
  'Tray.NotLearned': {
    meaning: 'the empty tray was never learned',
    again: 'no',
    todo: '`PUT /console/api/camera/empty-tray`',
  },
  'Backups.WrongPassphrase': {
    meaning: 'the backup does not open with the passphrase; nothing was changed',
    again: 'mended',
    todo: 'type the one that it was made with; nothing else opens it',
  },
  'Backups.Damaged': {
    meaning: 'the file is no backup, not all of one, or was changed; nothing was changed here',
    again: 'mended',
    todo: 'send it again, or another copy of it',
  },
  'Backups.TooNew': {
    meaning: 'a later release has made the backup; nothing was changed',
    again: 'mended',
    todo: 'update this device, then send it again',
  },
  'Backups.NewerPayments': {
    meaning: 'the device knows payments or refunds (`newer`: how many) that the backup does not; nothing was changed',
    again: 'mended',
    todo: 'make a backup of this device first; `overNewerPayments` = `true` restores the older one anyway, and keeps what is there beside it',
  },
  'Backups.Busy': {
    meaning: 'a backup is being made, or put back, or waits for the next start',
    again: 'later',
    todo: 'wait for its end',
  },
  'Chain.NotMaster': {
    meaning: 'a store joins its chain at its master, and this device is none',
    again: 'mended',
    todo: 'send it to the master of the store, or make this device the master first (`/api/set_sync_master`)',
  },
  'Claim.NoCode': {
    meaning: 'the device shows no code that makes a token',
    again: 'mended',
    todo: 'hold the learn button for ten seconds while no payment is shown, or switch a device that has no token yet off and on',
  },
  'Claim.WrongCode': {
    meaning: 'it is not the code on the display',
    again: 'mended',
    todo: 'read it again, or have the device show a new one',
  },
  'Claim.TooManyTries': {
    meaning: 'too many wrong codes came from this address: for `seconds` none of it is looked at',
    again: 'later',
    todo: 'wait for as long; the code stays good for its ten minutes, and for other addresses',
  },
  'Device.NotManaged': {
    meaning: 'the device runs by hand, or in a container: its machine is not its own',
    again: 'no',
    todo: 'do it on the machine itself',
  },
  'Device.NotPermitted': {
    meaning: 'the system does not let the device do that',
    again: 'mended',
    todo: 'the check of the installation, in the technician’s guide, says what is missing',
  },
  'Device.UpdateRuns': {
    meaning: 'an update is on its way',
    again: 'later',
    todo: 'wait for its end: see `GET /console/api/device`',
  },
  'Device.NoReleaseBefore': {
    meaning: 'no release before this one is on the device',
    again: 'no',
    todo: 'install one: `laneware-ota update --from FILE --allow-downgrade`',
  },
  'Device.WrongName': {
    meaning: 'the name that was typed is not that of this device; nothing was changed',
    again: 'mended',
    todo: 'look which device it is, and type its serial number',
  },
  'Device.ClockRefused': {
    meaning: 'the system has not let its clock be set; this service still takes the time that was sent',
    again: 'mended',
    todo: 'set the clock of the system, or have it set by the network (NTP)',
  },
  'Device.NotFresh': {
    meaning: 'the device is set up already, or has no sandbox bank; nothing was changed',
    again: 'no',
    todo: 'send the settings of the bank and the display (`PUT /console/api/settings`)',
  },
  'Device.SystemFailed': {
    meaning: 'the system of the device did not do it, or has not answered',
    again: 'later',
    todo: 'look what has become of it, and read the log',
  },
  'Claim.TokenInUse': {
    meaning: 'the token that was chosen is that of another role',
    again: 'mended',
    todo: 'choose another one, or let the device make it',
  },
  'SignIn.WrongPin': {
    meaning: 'no one has this PIN; after five wrong ones each costs a pause',
    again: 'mended',
    todo: 'type it again, or sign in with a token',
  },
  'SignIn.WrongToken': {
    meaning: 'the token opens nothing on this device; after five such each costs a pause',
    again: 'mended',
    todo: 'send the token of `api.tokens`, `api.tills` or `api.token`, or one that was made on the device',
  },
  'SignIn.TooManyTries': {
    meaning:
      'too many wrong ones were sent: for `seconds` none is looked at but what was right from that address lately',
    again: 'later',
    todo: 'wait for as long, or sign in with a token',
  },
  'SignIn.EasyPin': {
    meaning: 'the PIN is one of the first that anybody tries, as 0000, 1234 or 1985',
    again: 'mended',
    todo: 'choose another one',
  },
  'SignIn.PinInUse': {
    meaning: 'the PIN is that of the other role: by it alone the device knows who signs in',
    again: 'mended',
    todo: 'choose another one',
  },
  'SignIn.TechnicianFirst': {
    meaning: 'no one could sign in as technician any more: neither by a PIN nor by a token',
    again: 'mended',
    todo: "set the technician's PIN before the cashier's, and remove it after",
  },
  'Recognition.AnsweredOtherwise': {
    meaning: 'other feedback on this recognition was taken before, and counts',
    again: 'no',
    todo: 'recognise again',
  },
  'Recognition.NotFound': {
    meaning: 'no recognition of the last quarter of an hour has that id, or it has no such `thing`',
    again: 'no',
    todo: 'recognise again',
  },
  'Uncertain.NotFound': {
    meaning: 'that answer, or what was said of it, is not kept any more',
    again: 'no',
    todo: '`GET /console/api/recognition/uncertain` lists those that are',
  },
  'Uncertain.AnsweredOtherwise': {
    meaning: 'something else was said of one of the answers before; nothing was learned',
    again: 'no',
    todo: 'leave it out, or take back what was said (`DELETE /console/api/recognition/uncertain/assignments/{id}`)',
  },
  'Store.NotMaster': {
    meaning: 'only the master of a store does that, and this device is none',
    again: 'no',
    todo: 'send it to the master: `GET /console/api/store` has its address',
  },
  'Store.NoDevice': {
    meaning: 'no device of that serial number is paired',
    again: 'no',
    todo: '`GET /console/api/store` lists those that are',
  },
  'Store.WrongName': {
    meaning: 'what was typed is not the serial number of this master; nothing was deleted',
    again: 'mended',
    todo: 'see that it is the right device, and type its serial number (`master` of `GET /console/api/store`)',
  },
  'Store.NotSynchronised': {
    meaning: 'this device takes part in no store, or cannot now',
    again: 'mended',
    todo: 'make it a master, or pair it with one; `/health` says more',
  },
  'Store.NoCode': {
    meaning: 'no code of a master was seen',
    again: 'mended',
    todo: 'have the page of the master show it, hold it before the camera, larger and without glare, and send it again',
  },
  'Store.Refused': {
    meaning: 'the master has not let this device in',
    again: 'mended',
    todo: 'have the master show a new code; where two devices have one serial number, give one of them another',
  },
  'Store.Unreachable': {
    meaning: 'the master cannot be reached',
    again: 'later',
    todo: 'check that it runs and that both are on one network',
  },
  'Store.Late': { meaning: 'the master took too long', again: 'later', todo: 'send it again' },
  'Camera.Lost': {
    meaning: 'the camera gives nothing',
    again: 'later',
    todo: 'call the technician; `/health` says more',
  },
  'Camera.NoPicture': { meaning: 'there is no usable picture yet', again: 'later', todo: 'wait for a second' },
  'Camera.NotDrawn': {
    meaning: 'the device has a camera, or shows the pictures of a folder: there is no drawn tray',
    again: 'no',
    todo: 'lay the thing before the camera',
  },
  'Model.NotReady': {
    meaning: 'the model is being loaded, or takes too long',
    again: 'later',
    todo: 'wait for a second',
  },
  'Internal.StorageRefused': {
    meaning: 'the storage has taken nothing',
    again: 'later',
    todo: 'call the technician; `/health` says more',
  },
});

/** All of it, for the pages that `type` leads to. */
export const RECOGNITION_PROBLEMS: OwnAdvice = Object.freeze({
  advices: RECOGNITION_ADVICE,
  statuses: STATUS_OF_CODE,
  isOther: () => false,
});
