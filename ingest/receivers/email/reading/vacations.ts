/** Characters in which an answer says that its writer is away. */
const MAX_OPENING = 600

/** Names of automatic answers, by language. */
const NAMES = [
  'auto(?:matic|mated)?[- ]?(?:repl(?:y|ied)|respon(?:s|se|der)|answer)|out[- ]of[- ](?:the )?office(?: (?:auto[- ]?)?(?:reply|response))?|(?:on )?vacation(?: reply| message| notice)?|away from (?:my|the) (?:office|mail)|ooo|oof',
  'automatische (?:antwort|rückantwort|abwesenheitsnotiz|e-?mail-?antwort)|abwesenheit(?:snotiz|smeldung|sbenachrichtigung|sagent)?|außer haus|nicht im büro',
  "réponse automatique|(?:message d[’'])?absence(?: du bureau)?|absent\\(?e?\\)? du bureau|en congés?",
  'respuesta automática|fuera de (?:la )?oficina|ausente(?: de la oficina)?',
  "risposta automatica|fuori (?:ufficio|sede)|assente(?: dall[’']ufficio)?",
  'resposta automática|fora do escritório|ausência(?: temporária)?',
  'automatisch antwoord|automatische beantwoording|afwezig(?:heid)?(?:smelding|sbericht)?|niet aanwezig',
  'autosvar|automatiskt? svar|frånvaro(?:meddelande)?|fravær(?:smelding|sbesked)?|ikke på kontoret',
  'automaattinen vastaus|poissa(?: toimistosta)?',
  'automatyczna odpowiedź|autoodpowiedź|odpowiedź automatyczna|poza biurem|nieobecność',
  'automatická odpověď|mimo kancelář|automatická odpoveď',
  'răspuns automat|în afara biroului',
  'automatikus válasz|házon kívül',
  'otomatik (?:yanıt|cevap)|ofis dışında',
  'автоответ(?:чик)?|автоматический ответ|автоматична відповідь|нет на месте|вне офиса',
  'αυτόματη απάντηση|εκτός γραφείου',
  '自动回复|自動回覆|自动答复|外出(?:自动回复)?',
  '自動応答|自動返信|不在(?:通知|のお知らせ)?',
  '자동 ?(?:회신|응답)|부재(?: ?중)?(?: 알림)?',
  'תשובה אוטומטית|رد تلقائي|الرد التلقائي|ตอบกลับอัตโนมัติ|trả lời tự động|balasan otomatis',
]

/**
 * The name is the whole subject, in brackets, or stands before a colon, a dash or a sender: `Automatic reply: About
 * it`, `Automatic reply from Kim Lee`.
 */
const SUBJECT = new RegExp(
  `^[\\[(]?(?<name>${NAMES.join('|')})(?:[\\])]\\s|[\\])]?(?:\\s*$|\\s?[:：]|\\s[-–—]\\s|\\s(?<from>from|by|of|to|von|de|di) ))`,
  'iu',
)
/** The name must say `automatic` or `notice`: people write `on vacation from Monday to Friday` too. */
const NAMED_AUTOMATIC = /auto|авто|αυτό|risposta|notice|message|notiz|meldung/iu

/** Lotus Notes' subject: `AUTO: Kim Lee is out of the office (returning 01/08/2026)` */
const ABOUT_ITSELF = new RegExp(
  `^(?:\\[[^\\]]{1,40}\\]\\s{0,3})?(?<auto>auto: )?(?:[^:]{1,100} )?(?:${[
    'is (?:currently )?out of (?:the|my) office',
    'ist (?:au(?:ß|ss)er haus|nicht im büro|abwesend)',
    'est absente?(?: du bureau)?',
    "è (?:assente|fuori (?:ufficio|sede))(?: dall[’']ufficio)?",
    'está (?:ausente|fuera de la oficina)(?: de la oficina)?',
    'está (?:ausente|fora do escritório)(?: do escritório)?',
    'is (?:afwezig|niet aanwezig|niet op kantoor)',
    'är inte på kontoret',
  ].join('|')})\\.?(?:\\s\\([^)]{1,60}\\))?$`,
  'iu',
)
/** The sentence that Notes writes then, with both days. */
const FROM_UNTIL = [
  /^i will be out of the office starting\s{1,3}(?:on |from )?\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\s{1,3}and will not return until\s{1,3}\d/i,
  /^ich werde ab\s{1,3}\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\s{1,3}nicht im büro sein\.\s{1,3}ich kehre zurück am\s{1,3}\d/iu,
  /^je serai absente?\s?(?:\(e\) )?(?:du bureau )?à partir du\s{1,3}\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\s{1,3}(?:et )?(?:de retour le|je serai de retour le|ne reviendrai que le)\s{1,3}\d/iu,
  /^(?:sarò assente dall[’']ufficio a partire dal|estaré ausente de la oficina (?:a partir del|desde el))\s{1,3}\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\s{1,3}(?:e non tornerò fino al|y no volveré hasta el)\s{1,3}\d/iu,
]

/** The match of a subject that tells of somebody's absence; null for other subjects. */
export const aboutItself = (subject: string): RegExpExecArray | null => ABOUT_ITSELF.exec(subject.slice(0, 300).trim())

/** True for a program's notice of absence, by subject and first words. */
export const absenceNotice = (subject: string, text: string): boolean => {
  const said = aboutItself(subject)
  if (said === null) return false
  return said.groups?.auto !== undefined || FROM_UNTIL.some(form => form.test(text.slice(0, MAX_OPENING).trim()))
}

/** First words that say that no person wrote the text. */
const SELF_NAMED =
  /^[^\p{L}\p{N}]{0,20}(?:(?:this|the following(?: text| message)?) is an auto(?:mated|matic|matically generated)[- ](?:e-?mail |mail )?(?:response|reply|answer|acknowledge?ment)|dies ist eine automatische? (?:antwort|rückantwort|empfangsbestätigung)|ceci est une réponse automatique|esta es una respuesta automática|questa è una risposta automatica|esta é uma resposta automática|dit is een automatisch (?:antwoord|bericht)|detta är ett automatiskt svar|это автоматический ответ)(?!\p{L})/iu

export const namesItselfAutomatic = (text: string): boolean => SELF_NAMED.test(text.slice(0, MAX_OPENING))

/** A receipt of a help desk. People confirm things too, hence the sender must be a program as well. */
const RECEIPT =
  /^(?:[^:]{1,60} [-–—] )?(?:auto(?:matic|mated)? )?(?:acknowledge?ment(?: of (?:receipt|your .{1,40}))?|confirmation of receipt|(?:e-?mail[- ])?(?:eingangs|empfangs)bestätigung|accusé de réception|acuse de recibo|conferma di ricezione|confirmação de recebimento|ontvangstbevestiging)(?!\p{L})/iu

export const receiptSubject = (subject: string): boolean => RECEIPT.test(subject.slice(0, 300).trim())

/**
 * True for the subject of an automatic answer. The subject alone does not decide, since people write about such answers
 * too.
 */
export const answerSubject = (subject: string): boolean => {
  const { name, from } = SUBJECT.exec(subject.slice(0, 300).trim())?.groups ?? {}
  return name !== undefined && (from === undefined || NAMED_AUTOMATIC.test(name))
}

const ABSENCES = [
  /\b(?:i am|i'm|i’m|i will be|i'll be|we are) (?:currently |now |presently )?(?:(?:out of|away from) (?:the |my )?office|on (?:annual |parental |maternity |sick )?(?:leave|vacation|holidays?))\b/i,
  /\b(?:bin|sind) (?:ich |wir )?(?:derzeit |zurzeit |momentan |aktuell |bis |vom |ab )?.{0,40}(?:nicht (?:im (?:büro|haus)|erreichbar)|außer haus|abwesend|im urlaub)/iu,
  /\bje suis (?:actuellement )?(?:absente?|en congés?|en vacances|hors du bureau)/iu,
  /\b(?:estoy|estaré|me encuentro) (?:actualmente )?(?:fuera de (?:la |mi )?oficina|de vacaciones|ausente)/iu,
  /\b(?:sono|sarò) (?:attualmente )?(?:fuori (?:ufficio|sede)|assente|in ferie)/iu,
  /\b(?:estou|estarei) (?:atualmente )?(?:fora do escritório|ausente|de férias)/iu,
  /\b(?:ik ben|wij zijn) (?:momenteel |op dit moment )?(?:afwezig|niet (?:op kantoor|aanwezig)|met (?:vakantie|verlof))/iu,
  /\bjag är (?:för närvarande )?(?:inte på kontoret|på semester|ledig)|\bjeg er (?:ikke på kontoret|på ferie|bortreist)|\bolen (?:lomalla|poissa)/iu,
  /(?:jestem (?:obecnie )?(?:poza biurem|na urlopie|nieobecn)|(?:jsem|budu) (?:mimo kancelář|na dovolené)|(?:я )?(?:в отпуске|нахожусь в отпуске|буду отсутствовать)|izindeyim|iznindeyim|ofis dışındayım)/iu,
  /(?:不在にして|休暇中|外出中|休假|正在外出|부재중|휴가 ?중)/u,
]

/** True for a text that says in its beginning that its writer is away. */
export const absenceForm = (text: string): boolean => {
  const opening = text.slice(0, MAX_OPENING)
  return ABSENCES.some(form => form.test(opening))
}
