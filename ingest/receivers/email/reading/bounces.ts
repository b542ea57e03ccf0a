import type { ProjectedMailbox } from '../../../../schemas/http/email.ts'

const MACHINE = /^(?:mailer[-_. ]?daemon|mail[-_. ]?daemon|mdaemon|double-bounce)$/i
const POSTMASTER = /^(?:post[-_. ]?master|mail[-_. ]?administrator|system[-_. ]administrator)$/i
const MACHINE_NAME = /^(?:mail delivery (?:sub)?system|mail(?:er)?[- ]daemon|mail delivery service)(?:$|\s)/i

/** The address before the @, without quotes and the backslash that some servers leave in it. */
const localPart = ({ email }: ProjectedMailbox): string =>
  /^"?([^"@\\]{0,100})\\?"?(?:@|$)/.exec(email ?? '')?.[1] ?? ''

const isCalled = (from: ProjectedMailbox, address: RegExp, name: RegExp): boolean =>
  address.test(localPart(from)) || name.test((from.name ?? '').trim())

const ANSWERING = /^(?:auto[-_.]?(?:repl(?:y|ies)|respon(?:d(?:er)?|se))|automated[-_.]response|majordomo|daemon)$/i
const ANSWERING_NAME =
  /^(?:mail |e-?mail )?auto[- ]?(?:reply|answer)$|(?:^|[\s(])auto-?responder\)?$|^\(?via the vacation program\)?$/i

/** True when only programs answer under the sender's address or name. */
export const answeringSender = (from: ProjectedMailbox): boolean => isCalled(from, ANSWERING, ANSWERING_NAME)

const LIST_SERVER = /^(?:listserv|listproc|listserver|mailserv)$/i
const LIST_ANSWER =
  /^(?:command confirmation|output of your|your (?:command|request|subscription)|you (?:are|have been) (?:now )?(?:un)?(?:subscribed|added|removed)|rejected posting|error condition|invalid request|no requests found|the file you requested|your message to \S{1,100}-request@|welcome to )/i

/** True for an answer of a list server. Some list servers also send people's mails under this address. */
export const answersOfList = (from: ProjectedMailbox, subject: string): boolean =>
  LIST_SERVER.test(localPart(from)) && LIST_ANSWER.test(subject.slice(0, 100).trim())

/** True for an address or name that only mail servers use. */
export const machineSender = (from: ProjectedMailbox): boolean => isCalled(from, MACHINE, MACHINE_NAME)

/** True for an address or name that mail servers use, and the people who run them. */
export const postmaster = (from: ProjectedMailbox): boolean => isCalled(from, POSTMASTER, POSTMASTER)

/** Beginnings of reports' subjects, or whole subjects. */
const SUBJECTS = [
  // English
  /^(?:undelivered|undeliverable|returned|failed)(?: (?:e-?)?mail)?(?: message)?(?: returned to sender)?(?:\s?[:-]|$)/i,
  /^(?:mail|message|e-?mail)? ?(?:system error - returned mail|delivery (?:failed|failure|error|problem|delayed|warning|status|report|notification|status notification|status report)|not delivered|could not be delivered|undeliverable)\b/i,
  /^delivery (?:status notification|failure|has failed|delayed)|^non-?delivery(?: report| notification)?\s?[:(]|^failure (?:notice|delivery)$/i,
  /^(?:permanent|temporary) delivery failure|^(?:delayed mail|warning: (?:could not send message|message|e-?mail) )|^nondeliverable mail/i,
  /^postmaster notify\s?:|^(?:smtp )?mail (?:delivery )?warning$|^(?:returned|bounced) mail\b|^your (?:message|mail|e-?mail)\b.{0,200}\b(?:could not be delivered|was not delivered)\.?$/i,
  /^you [^\s@]{1,64}@[^\s@]{1,190} are not (?:a )?member\b|^aws notification message$|^loop alert: |: non remis\b|\(delivery (?:failed|failure)\)$|^complaint about message from \d{1,3}\./i,
  // German, Dutch, Swedish, Norwegian, Danish, Finnish
  /^(?:unzustellbar|nicht zustellbar|zustellung (?:fehlgeschlagen|verzögert)|zustellungsbenachrichtigung|ihre nachricht konnte nicht)(?!\p{L})/iu,
  /^(?:onbestelbaar|niet bezorgd|niet-bestelbaar|olevererbart|går ej att leverera|kan ikke leveres|ikke leverbar|uleverbar|meddelelsen kunne ikke leveres|toimitus epäonnistui|ei voida toimittaa)(?!\p{L})/iu,
  // French, Spanish, Portuguese, Italian, Romanian
  /^(?:non remis|échec de (?:la )?remise|message non (?:remis|distribué)|notification d['’]état de remise|courrier non distribué)(?!\p{L})/iu,
  /^(?:no se puede entregar|no entregado|correo no entregado|no se pudo entregar|notificación de estado de entrega|devolución)(?!\p{L})/iu,
  /^(?:não é possível entregar|não entregue|não foi possível entregar|falha na entrega|mensagem não entregue)(?!\p{L})/iu,
  /^(?:non recapitabile|mancato recapito|impossibile recapitare|mancata consegna|nelivrat|imposibil de livrat)(?!\p{L})/iu,
  // Polish, Czech, Hungarian, Turkish, Greek, Russian, Ukrainian
  /^(?:niedostarczon[aey]|nie można dostarczyć|nedoručiteln[éá]|nelze doručit|nedoručeno|kézbesíthetetlen|sikertelen kézbesítés|teslim edilemedi|iletilemedi)(?!\p{L})/iu,
  /^(?:δεν είναι δυνατή η παράδοση|μη παραδοτέο|не удается доставить|недоставлен\p{L}{0,8}|не доставлено|не вдалося доставити)(?!\p{L})/iu,
  // Chinese, Japanese, Korean
  /^(?:无法送达|無法傳遞|未送达|退信|系统退信|配信不能|配信不可|配送不能|メール配信エラー|送信エラー|배달되지 않음|배달 실패|반송)/u,
]

const TECHNICAL =
  /^(?:(?:no|do[-_.]?not)[-_.]?reply(?:[-_.+].{0,60})?|.{0,40}(?:admin(?:istrator)?|bounces?|mailsystem|mail[-_.]service)|feedback-?loop.{0,20}|automat(?:ed|ic)[-_.].{1,60}|notifications?|abuse|root|listserv)$/i
const TECHNICAL_NAME = /\b(?:administrator|mail ?(?:system|server|service)|list ?serv(?:er)?|content-filter)\b/i

/** True for an address or name that programs use for people's mails too, such as a no-reply address. */
export const technicalSender = (from: ProjectedMailbox): boolean => isCalled(from, TECHNICAL, TECHNICAL_NAME)

/** A tag that some servers put before a subject. */
const TAG = /^\[[^\]]{1,40}\]\s{0,3}/

/** True for a delivery report's subject. The subject alone does not decide, since people write such subjects too. */
export const bounceSubject = (subject: string): boolean => {
  const plain = subject.slice(0, 300).trim().replace(TAG, '')
  return SUBJECTS.some(form => form.test(plain))
}

/** Characters in which a report says what it is, and characters searched for the words of servers. */
const MAX_OPENING = 1000
const MAX_TEXT = 8000

/** A person who writes about a report greets first; a server names itself. */
const GREETING =
  /^(?:hi|hello|hey|dear|hallo|guten|liebe|sehr|bonjour|hola|buenos|ciao|olá|beste|hej)(?!\p{L})(?!\. this is the)/iu

const OPENINGS = [
  /^\{"(?:notification|event)Type":"(?:Bounce|Complaint|Delivery|DeliveryDelay|Reject)",/,
  /^(?:hi\. this is the|this is the (?:mail(?: system| delivery)?|mailer-daemon|postfix|qmail)|this (?:message|report|is an automatically).{0,60}(?:created automatically|generated|relates to a message you sent))/im,
  /\b(?:could not|cannot|can ?not|can't|was not|has not been|were not|not) (?:be |been )?(?:deliver(?:ed|able)?|sent)\b|\babuse report for an e-?mail\b|\bis no longer (?:in use|monitored|active)\b/i,
  /\b(?:unable to deliver|undeliverable|undelivered|failed recipients?|non-?delivery report|delivery (?:to .{1,60})?(?:has )?failed|did not reach|returned mail|invalid user address|(?:user|host|domain) unknown|unknown (?:user|host)|mailbox (?:is )?(?:full|unavailable)|the original message was received)\b/i,
  /(?:konnte nicht zugestellt werden|nicht zustellbar|n['’]a pas pu [êe]tre (?:d[ée]livr[ée]|remis)|no se pudo entregar|não pôde ser entregue|non è stato (?:possibile )?(?:consegna|recapita)|kon niet worden (?:bezorgd|afgeleverd)|не может быть доставлено|не удалось доставить|配信できません|送信できません|届けできません|无法送达|无法投递)/iu,
]
const SERVER_SPEECH = [
  /(?:^|\s)#?[45]\d\d[ -]#?[45]\.\d{1,2}\.\d{1,3}|\b(?:said|code|error|host|smtp|reason)[^\n]{0,60}?\b[45]\d\d\b|^\s{0,8}[45]\d\d[ -]/im,
  /^\s{0,8}<?[^<>\s@]{1,254}@[^<>\s@]{1,254}>?\s{0,3}[:.]?$|:\s<[^<>\s@]{1,254}@[^<>\s@]{1,254}>/m,
  /^(?:final-recipient|reporting-mta|diagnostic-code|remote-mta|return-path|received):|^[-*=_]{3,20} [^\n]{1,60}[-*=_]{3,20}$/im,
]

/** True for a text in the form of a report: it opens as a report and contains a server's words. */
export const bounceForm = (text: string): boolean => {
  const start = text.slice(0, MAX_TEXT).trim()
  return opensAsBounce(start) && SERVER_SPEECH.some(form => form.test(start))
}

/** True for a text that opens as a report. */
export const opensAsBounce = (text: string): boolean => {
  const opening = text.slice(0, MAX_OPENING).trim()
  return !GREETING.test(opening) && OPENINGS.some(form => form.test(opening))
}
