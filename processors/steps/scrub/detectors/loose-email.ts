import { type Detector, occurrences, type Span } from './detector.ts'

/** Providers of addresses for everybody: a plain word before their domains is a mailbox. */
const PROVIDERS =
  'gmail|googlemail|yahoo|ymail|hotmail|outlook|live|msn|icloud|aol|gmx|web|mail|proton|protonmail|tutanota|fastmail|zoho|yandex|qq|163|126|naver|daum|t-online|orange|laposte|libero|virgilio|wp|onet|interia|seznam|rediffmail|comcast|verizon|bk|rambler|ukr'
const ENDS =
  '(?:com|net|org|me|co|eu|info|io|edu|gov|de|at|ch|fr|es|it|nl|be|pl|cz|sk|hu|ro|ru|ua|se|no|dk|fi|pt|br|mx|ar|uk|ie|ca|au|nz|in|jp|kr|cn|tr|il|za)'
const PROVIDER = new RegExp(`^(?:${PROVIDERS})\\.${ENDS}(?:\\.[a-z]{2})?(?![\\w-]|\\.\\w)`, 'i')
const DOMAIN = new RegExp(`^(?:[a-z\\d](?:[a-z\\d-]{0,62})\\.){1,4}${ENDS}(?![\\w-]|\\.\\w)`, 'i')
/** The sign with a space on at least one side. */
const SIGN = /(?<=[\p{L}\d])(?: {1,2}@ {0,2}|@ {1,2})(?=[a-z\d])/giu
const LOCAL_PART = /(?<![\p{L}\p{N}._%+@/-])[\p{L}\p{N}._%+-]{1,64}$/u
/** A local part that is no plain word: it has a dot, a plus, an underscore or a digit, and is no file name. */
const TELLING = /^(?=.*[._+\d])\p{L}[\p{L}\p{N}._%+-]*$/u
const FILE = /\.(?:md|js|ts|json|ya?ml|html?|css|py|go|rs|txt|log|csv|png|jpe?g|pdf)$/i
const MAX_DOMAIN = 120
const MAX_LOCAL_PART = 65

/** Addresses with a space beside their sign: `kim @gmail.com`, `kim.example@ example.org`. */
export const looseEmail: Detector = {
  kind: 'EMAIL',
  *find(text): Iterable<Span> {
    for (const { 0: sign, index } of occurrences(SIGN, text)) {
      const after = index + sign.length
      const behind = text.slice(after, after + MAX_DOMAIN)
      const localPart = LOCAL_PART.exec(text.slice(Math.max(0, index - MAX_LOCAL_PART), index))?.[0]
      if (localPart === undefined) continue
      const provider = PROVIDER.exec(behind)?.[0]
      const domain =
        provider ?? (TELLING.test(localPart) && !FILE.test(localPart) ? DOMAIN.exec(behind)?.[0] : undefined)
      if (domain !== undefined) yield { start: index - localPart.length, end: after + domain.length }
    }
  },
}
