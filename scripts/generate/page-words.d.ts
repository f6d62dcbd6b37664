/** The keys of the words of all pages. Written by `npm run generate`. */
declare global {
  type PageWords =
    | typeof import('../../firmware/banks/pages/words/en.js')
    | typeof import('../../firmware/console/pages/words/en/device.js')
    | typeof import('../../firmware/console/pages/words/en/lane.js')
    | typeof import('../../firmware/console/pages/words/en/machine.js')
    | typeof import('../../firmware/console/pages/words/en/welcome.js')
    | typeof import('../../firmware/core/pages/words/en/remedies.js')
    | typeof import('../../firmware/core/pages/words/en/shell.js')
    | typeof import('../../firmware/features/call-log/page/words/en.js')
    | typeof import('../../firmware/features/printed-codes/page/words/en.js')
    | typeof import('../../firmware/features/reconciliation/page/words/en.js')
    | typeof import('../../firmware/features/scale/page/words/en.js')
    | typeof import('../../firmware/features/self-test/page/words/en.js')
    | typeof import('../../firmware/features/teach/page/words/en.js')
    | typeof import('../../firmware/features/voice/page/words/en.js')
    | typeof import('../../firmware/payments/pages/words/en.js')
    | typeof import('../../firmware/recognition/pages/words/en/camera.js')
    | typeof import('../../firmware/recognition/pages/words/en/items.js')
    | typeof import('../../firmware/recognition/pages/words/en/scale.js')
    | typeof import('../../firmware/sync/pages/words/en.js');
}

export {};
