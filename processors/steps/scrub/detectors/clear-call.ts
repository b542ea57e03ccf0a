/** Words between a verb and its preposition: `call me back`, `ruf mich bitte`. */
const FEW_WORDS = "(?:[\\s-]+[\\p{L}'’]{1,16}){0,4}"
const NUMBER_WORD = '(?:\\s+(?:the|this|my|der|die|le|el|il|het|o|numer|nummer|number|numéro|número|numero|nr|no))*'

/** In some languages: asking somebody to call, with the word that leads to the number; and "my number is". */
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

/** What leads to a number of few digits, and to nothing else. */
export const CLEAR_CALL = new RegExp(`(?<!\\p{L})(?:${CALLS.join('|')})[\\s:.=]{0,3}$`, 'iu')

/** A verb with nothing between it and the number, which has a hyphen or a gap where a short phone number has it. */
export const BARE_CALL = /(?<!\p{L})(?:call|ring|phone|dial|text|fax)[\s:]{1,2}$/iu

/** Units and plurals: the number before them counts. */
export const COUNTED =
  /^[ \t]?(?:times|users?|requests?|calls?|items?|rows?|records?|bytes|[kmgt]i?b|ms|sec\p{L}*|min\p{L}*|hours?|days?|weeks?|months?|years?|units?|points?|px|mal|fois|veces|volte|keer|razy|vezes|%|€|\$|£|eur|usd|gbp)(?!\p{L})/iu

/** Seven or eight digits as short national numbers are printed; together they are no date. */
export const SHORT_NUMBER =
  /^(?:\d{3}[ .-]\d{4}|[2-9]\d{3}[ .-]\d{4}|\d{2}(?: \d{2}){3}|0\d{1,2}-\d{2,3}(?: \d{2}){2}|[2-9]\d{2} \d{2} \d{2,3}|[2-9]\d{2} \d \d{3}|(?!(?:19|20)\d{2}[01]\d)[2-9]\d{6,7})$/
export const SHORT_GROUPS = /^[2-9]\d{2,3}[ -]\d{4}$/

/** "t. 6969-4204", as in a signature: a letter and nothing else since the last number or on the line. */
export const LETTER_LABEL = /^\W*[tmpfc][.:]\s*$/iu

/** An address before the number, and a word that offers the one or the other. */
export const AFTER_ADDRESS =
  /(?:@[\p{L}\p{N}.-]{3,60}|\[EMAIL\])[>)\]]{0,2},? (?:or|and|oder|und|ou|et|o|y|e|of|en|lub|i)(?: (?:by|via|phone|call|text|on|at|tel\.?)){0,3} $/iu
