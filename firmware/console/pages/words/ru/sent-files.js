/** The Russian words of ../../en/welcome/sent-files.js. */
export default {
  'file.choose': 'Выбрать файл',
  'file.none': 'Файл не выбран',
  'sentFile.chooseOther': 'Выбрать другой файл',
  'sentFile.remove': 'Убрать',
  'sentFile.kept': 'Хранится на этом устройстве.',
  'sentFile.good': '{name}, действует до {until}',
  'sentFile.early': '{name}, действует только с {from}',
  'sentFile.ended': '{name}, истёк {until}: получите новый',
  'problem.RequestParams.InvalidField.too-large':
    'Файл больше 64 КиБ. Выберите именно тот файл, который дал банк; из набора многих центров — только центр банка.',
  'problem.RequestParams.InvalidField.empty': 'Файл пуст. Выберите другой.',
  'problem.RequestParams.InvalidField.no-certificate':
    'В этом файле нет целого сертификата или ключа. Выберите файл PEM или PKCS #12 (.pfx, .p12).',
  'problem.RequestParams.InvalidField.damaged':
    'Сертификат или ключ в этом файле повреждён или обрезан. Получите файл заново.',
  'problem.RequestParams.InvalidField.is-request':
    'Это запрос на сертификат. Выберите сертификат, который банк по нему выпустил.',
  'problem.RequestParams.InvalidField.not-pkcs12':
    'Здесь нужен один файл с сертификатом и ключом (.pfx, .p12). Файлы PEM выбирают в полях «Клиентский сертификат» и «Ключ клиентского сертификата».',
  'problem.RequestParams.InvalidField.not-pem':
    'Это PKCS #12 (.pfx, .p12), а здесь нужен файл PEM. Если это клиентский сертификат, выберите его в поле «Клиентский сертификат с ключом».',
  'problem.RequestParams.InvalidField.lacks-certificate':
    'В этом файле есть ключ, но нет сертификата. Выберите файл сертификата.',
  'problem.RequestParams.InvalidField.lacks-key': 'В этом файле есть сертификат, но нет ключа. Выберите файл ключа.',
  'problem.RequestParams.InvalidField.other-key':
    'Это ключ не от этого клиентского сертификата. Выберите ключ, с которым сертификат запрашивали.',
  'problem.RequestParams.InvalidField.other-of-pair': 'Сертификат и ключ нужны вместе: выберите и этот файл.',
  'problem.RequestParams.InvalidField.old-cipher': 'Файл зашифрован устаревшим способом. Попросите у банка новый.',
  'problem.RequestParams.InvalidField.unopened': 'Этот файл не открывается. Выберите другой.',
  'problem.RequestParams.InvalidField.not-rsa': 'Здесь нужен ключ RSA.',
  'problem.RequestParams.InvalidField.not-kept': 'Этот файл на устройстве больше не хранится. Выберите его ещё раз.',
  'problem.RequestParams.InvalidField.too-many':
    'Хранится сорок файлов, и все они используются. Сначала удалите ненужный профиль.',
  'problem.RequestParams.InvalidField.not-base64': 'Файл дошёл не целиком: выберите его ещё раз.',
  'problem.RequestParams.InvalidField.wrong-password':
    'Этот пароль не открывает сертификат или ключ. Проверьте пароль и файл.',
};
