/** Only a phone number follows these words, so any number of a possible length is one. */
export const PHONE_WORDS =
  /(?:(?<!\p{L})(?:tele?|tlf|tfno?|tél|mobile|mob|fax|faks|sms|gsm|ph|portable|móvil|mobiel|telem[óo]vel)|phone|whatsapp|telefon\p{L}{0,40}|telefax|handy(?:nummer|nr)?|festnetz|rufnummer\p{L}{0,40}|durchwahl|rückruf\p{L}{0,40}|téléphone|teléfonos?|celular|telefon[oi]|cellulare|telefones?|telefoon\p{L}{0,40}|komórk\p{L}{0,40}|телефон\p{L}{0,40}|τηλέφωνο|puhelin\p{L}{0,40}|هاتف|电话|手机|電話|📞|☎|📱)(?!\p{Script=Latin})[^\d\n]{0,20}$/iu

const LABELS =
  '\\p{L}{0,40}phones?|telephone|tele?|tlf|tfno?|tél|mobile|mob|cell|cellphone|fax|faks|telefax|sms|whatsapp|gsm|ph|desk|direct(?: line| dial)?|switchboard|hotline|helpline|landline|reception|(?:contact|callback) (?:number|no\\.?)|\\p{L}{0,40}telefon\\p{L}{0,40}|handy|mobil|festnetz|durchwahl|rufnummer\\p{L}{0,40}|zentrale|téléphone|portable|fixe|standard|teléfono|móvil|fijo|celular|cellulare|cell|fisso|telefono|\\p{L}{0,40}telefoon\\p{L}{0,40}|mobiel|vast|kom(?:órk\\p{L}{0,40})?|komórkow\\p{L}{0,40}|stacjonarn\\p{L}{0,40}|telefone|telem[óo]vel|телефон\\p{L}{0,40}|τηλέφωνο|puhelin\\p{L}{0,40}'

/** A label right before the number, with a colon or as an abbreviation with a dot: any length is accepted after it. */
export const PHONE_LABEL = new RegExp(
  `(?<!\\p{L})(?:(?:${LABELS})(?:\\s*(?:numbers?|no|nr|num|nummer|numéro|número|numero|numer|#|home|work|office|private|main|primary|secondary|other|business|value)\\.?)?(?:\\s*[(/]\\s*\\p{L}{1,12}\\)?)?["'*]{0,2}(?:\\s*[:=]|\\s-)|(?:tele?|tél|mob|fax|cell|ph|kom|tlf)\\.)[\\s"'*]*$`,
  'iu',
)

/** Words that often come before a phone number, and before much else: the number must be in use in a country. */
export const REACH_WORDS =
  /(?<!\p{L})(?:call(?:ed|s)?|cell|r[iau]ng|dial|reach|text|(?:my|your|our|the|contact) numbers?|nummer|ruf\p{L}*|anruf\p{L}*|erreich\p{L}*|unter|appel\p{L}*|rappel\p{L}*|joindre|joignable|numéros?|llam[aeá]\p{L}*|llám\p{L}*|números?|chiam\p{L}*|richiam\p{L}*|numer[oiy]?|lig(?:ar|ue|o|uem)|contato|bel(?:len)?|bereik\p{L}*|dzwo\p{L}*|zadzwo\p{L}*|kontaktowe)(?!\p{L})[^\d\n]{0,24}$|(?<![\p{L}'/_-])[mt](?:[.:]{1,2}|\)) ?$/iu

/** Links that open a call or a chat with a number. The number has its country code, mostly without a plus. */
export const PHONE_LINK =
  /(?<![\w.])(?:(?:tel|sms|smsto|mms|fax|callto|facetime|facetime-audio|sip|sips|skype):(?:\/\/)?|(?:www\.)?(?:wa|m|vk|ok|imo)\.(?:me|im)\/|(?:www\.)?(?:messenger|facebook)\.com\/(?:messages\/)?t\/|line\.me\/(?:R\/)?ti\/p\/~?|max\.ru\/u\/|(?:[a-z]+\.)?whatsapp\.com\/send\/?\?(?:\w+=\w*&)*phone=|whatsapp:\/\/send\/?\?(?:\w+=\w*&)*phone=|(?:t|telegram)\.me\/|tg:\/\/resolve\?phone=|viber:\/\/\w+\/?\?number=|(?:signal\.me|sgnl:\/\/signal\.me)\/#p\/|zalo\.me\/)$/i

/** Words right before a number, also after "phone", that make it a count or an identifier. */
export const COUNT_WORDS =
  /(?<!\p{L})(?:id|uuid|imei|count|total|size|model|build|os)[\s_.:#="'-]*(?:(?:is|was|number|no)[\s_.:#="'-]+)?$/iu

/** Longest text that is looked at behind a number. */
const REACH = 28

/**
 * An extension: `x565`, ` ext. 12`, `, Durchwahl 3`. A sign with other meanings must be close, or before two digits and
 * more.
 */
const WORDS =
  '(?:ext(?:n|ension|ensión|ensão)?|poste|durchwahl|dw|nebenstelle|klappe|int(?:erno)?|anexo|toestel|tst|wew(?:n|nętrzny)?|ramal|anknytning|доб|вн)\\.?:? ?\\d{1,7}'
const EXTENSION = new RegExp(
  `^(?: ?x\\.? ?\\d{2,7}|x\\d|#\\d{2,6}|;ext=\\d{1,7}|,?[ -]?(?:${WORDS}|\\(${WORDS}\\)))(?![\\p{L}\\d_%]|[.:]\\d)`,
  'iu',
)

/** Length of an extension at a position, in characters; 0 without one. */
export const extensionAt = (text: string, position: number): number =>
  EXTENSION.exec(text.slice(position, position + REACH))?.[0].length ?? 0

const ENDS = '(?=[ \\t]*(?:$|[\\n,;.)|&]))'
/** Labels close to a number, or in parentheses behind it, that name the phone. */
const PHONE_LABELS =
  'fax|tele?fax|tel|phone|telephone|mobile|mob|cell|cellular|cell ?phone|handy|mobil|telefon|festnetz|portable|fixe|téléphone|móvil|fijo|teléfono|cellulare|fisso|telefono|mobiel|vast|telefoon|kom(?:órka)?|komórkowy|stacjonarny|telemóvel|celular|telefone|whatsapp|sms|voice'
const PLACE_LABELS =
  'office|home|work|desk|direct(?: line)?|main (?:line|number)|private|business|after hours|büro|privat|dienstlich|geschäftlich|arbeit|zentrale|bureau|domicile|travail|standard|oficina|casa|trabajo|ufficio|lavoro|kantoor|thuis|werk|biuro|dom|praca|escritório|trabalho'
const LABEL_BEHIND = new RegExp(
  `^(?:[ \\t]?[-/][ \\t]?|[ \\t]?[(\\[][ \\t]?|[ \\t]{0,2})(?:(${PHONE_LABELS})|${PLACE_LABELS})\\.?[)\\]]?${ENDS}`,
  'iu',
)

/**
 * A label behind a number: of a phone for certain, or of a place that has one. It is close when a sign binds it to the
 * number.
 */
interface LabelBehind {
  readonly namesPhone: boolean
  readonly isBound: boolean
}

export const labelBehind = (text: string, position: number): LabelBehind | null => {
  const found = LABEL_BEHIND.exec(text.slice(position, position + REACH))
  if (found === null) return null
  return { namesPhone: found[1] !== undefined, isBound: !/^[ \t]*\p{L}/u.test(found[0]) }
}

/** Words between a verb and its preposition: `call me back`, `ruf mich bitte`. */
const FEW_WORDS = "(?:[\\s-]+[\\p{L}'’]{1,16}){0,4}"
const NUMBER_WORD = '(?:\\s+(?:the|this|my|der|die|le|el|il|het|o|numer|nummer|number|numéro|número|numero|nr|no))*'

/** Requests to call with the word that leads to the number, and "my number is", in some languages. */
const CALLS = [
  `(?:call|ring|phone|text|reach|contact|dial|fax|message|sms|whatsapp|get hold of)(?:s|ed|ing)?${FEW_WORDS}\\s+(?:on|at|via)${NUMBER_WORD}`,
  `(?:ruf|rufen|anrufen|anruf|rückruf|erreich\\p{L}*|meld\\p{L}*|telefonisch)${FEW_WORDS}\\s+unter${NUMBER_WORD}`,
  `(?:r?appel\\p{L}*|joindre|joignable|téléphon\\p{L}*|contact\\p{L}*)${FEW_WORDS}\\s+(?:au|sur)${NUMBER_WORD}`,
  `(?:ll[aá]m\\p{L}*|contáct\\p{L}*|marca\\p{L}*)${FEW_WORDS}\\s+(?:al|a)${NUMBER_WORD}`,
  `(?:richiam\\p{L}*|chiam\\p{L}*|contatt\\p{L}*|telefon\\p{L}*)${FEW_WORDS}\\s+(?:al|allo)${NUMBER_WORD}`,
  `(?:bel|bellen|bereik\\p{L}*)${FEW_WORDS}\\s+op${NUMBER_WORD}`,
  `(?:(?:za)?dzwo\\p{L}*|telefon|kontakt)${FEW_WORDS}\\s+(?:pod|na)${NUMBER_WORD}`,
  `(?:lig(?:ar|ue|a|uem)|contact\\p{L}*)${FEW_WORDS}\\s+(?:para|no|ao)${NUMBER_WORD}`,
  `(?:ring|nå|kontakta?)${FEW_WORDS}\\s+på${NUMBER_WORD}`,
  `(?:sms|text messages?|a text|texts|faxe?s?|voicemail|calling|calls|called)${FEW_WORDS}\\s+(?:to|from)${NUMBER_WORD}`,
  '(?:my|our|his|her|new|contact|callback) (?:phone )?numbers?(?:\\s+(?:is|are|to|now))*',
  '(?:meine|unsere|neue) (?:telefon)?nummer(?:\\s+(?:ist|lautet))?',
  'mon num[ée]ro(?:\\s+est)?(?:\\s+le)?',
  'mi n[úu]mero(?:\\s+es)?(?:\\s+el)?',
  'mio numero(?:\\s+è)?(?:\\s+il)?',
  'mijn nummer(?:\\s+is)?',
  'mój numer(?:\\s+to)?',
  'meu n[úu]mero(?:\\s+é)?(?:\\s+o)?',
]

/** Words that lead to a number of few digits, and to nothing else. */
export const CLEAR_CALL = new RegExp(`(?<!\\p{L})(?:${CALLS.join('|')})[\\s:.=]{0,3}$`, 'iu')

/** A verb right before a number that has a hyphen or a gap where a short phone number has one. */
export const BARE_CALL = /(?<!\p{L})(?:call|ring|phone|dial|text|fax)[\s:]{1,2}$/iu

/** Units and plurals behind a number that is a count. */
export const COUNTED =
  /^[ \t]?(?:times|users?|requests?|calls?|items?|rows?|records?|bytes|[kmgt]i?b|ms|sec\p{L}*|min\p{L}*|hours?|days?|weeks?|months?|years?|units?|points?|px|mal|fois|veces|volte|keer|razy|vezes|%|€|\$|£|eur|usd|gbp)(?!\p{L})/iu

/** Seven or eight digits in the groups of short national numbers, without dates. */
export const SHORT_NUMBER =
  /^(?:\d{3}[ .-]\d{4}|[2-9]\d{3}[ .-]\d{4}|\d{2}(?: \d{2}){3}|0\d{1,2}-\d{2,3}(?: \d{2}){2}|[2-9]\d{2} \d{2} \d{2,3}|[2-9]\d{2} \d \d{3}|(?!(?:19|20)\d{2}[01]\d)[2-9]\d{6,7})$/
export const SHORT_GROUPS = /^[2-9]\d{2,3}[ -]\d{4}$/

/** "t. 6969-4204", as in a signature: a letter with nothing else since the last number or on the line. */
export const LETTER_LABEL = /^\W*[tmpfc][.:]\s*$/iu

/** An address before the number, and a word that offers either. */
export const AFTER_ADDRESS =
  /(?:@[\p{L}\p{N}.-]{3,60}|\[EMAIL\])[>)\]]{0,2},? (?:or|and|oder|und|ou|et|o|y|e|of|en|lub|i)(?: (?:by|via|phone|call|text|on|at|tel\.?)){0,3} $/iu
