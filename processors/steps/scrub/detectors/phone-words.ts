/** Nothing but a phone number follows these, so that any number of a possible length is one. */
export const PHONE_WORDS =
  /(?:(?<!\p{L})(?:tele?|tlf|tfno?|tél|mobile|mob|fax|faks|sms|gsm|ph|portable|móvil|mobiel|telem[óo]vel)|phone|whatsapp|telefon\p{L}*|telefax|handy(?:nummer|nr)?|festnetz|rufnummer\p{L}*|durchwahl|rückruf\p{L}*|téléphone|teléfonos?|celular|telefon[oi]|cellulare|telefones?|telefoon\p{L}*|komórk\p{L}*|телефон\p{L}*|τηλέφωνο|puhelin\p{L}*|هاتف|电话|手机|電話|📞|☎|📱)(?!\p{Script=Latin})[^\d\n]{0,20}$/iu

const LABELS =
  '\\p{L}*phones?|telephone|tele?|tlf|tfno?|tél|mobile|mob|cell|cellphone|fax|faks|telefax|sms|whatsapp|gsm|ph|desk|direct(?: line| dial)?|switchboard|hotline|helpline|landline|reception|(?:contact|callback) (?:number|no\\.?)|\\p{L}*telefon\\p{L}*|handy|mobil|festnetz|durchwahl|rufnummer\\p{L}*|zentrale|téléphone|portable|fixe|standard|teléfono|móvil|fijo|celular|cellulare|cell|fisso|telefono|\\p{L}*telefoon\\p{L}*|mobiel|vast|kom(?:órk\\p{L}*)?|komórkow\\p{L}*|stacjonarn\\p{L}*|telefone|telem[óo]vel|телефон\\p{L}*|τηλέφωνο|puhelin\\p{L}*'

/** A label, with its colon or as an abbreviation with its dot, right before the number: no length is wrong after it. */
export const PHONE_LABEL = new RegExp(
  `(?<!\\p{L})(?:(?:${LABELS})(?:\\s*(?:numbers?|no|nr|num|nummer|numéro|número|numero|numer|#|home|work|office|private|main|primary|secondary|other|business|value)\\.?)?(?:\\s*[(/]\\s*\\p{L}{1,12}\\)?)?["'*]{0,2}(?:\\s*[:=]|\\s-)|(?:tele?|tél|mob|fax|cell|ph|kom|tlf)\\.)[\\s"'*]*$`,
  'iu',
)

/** These often come before a phone number, and before much else: what follows must be one that a country gives out. */
export const REACH_WORDS =
  /(?<!\p{L})(?:call(?:ed|s)?|cell|r[iau]ng|dial|reach|text|(?:my|your|our|the|contact) numbers?|nummer|ruf\p{L}*|anruf\p{L}*|erreich\p{L}*|unter|appel\p{L}*|rappel\p{L}*|joindre|joignable|numéros?|llam[aeá]\p{L}*|llám\p{L}*|números?|chiam\p{L}*|richiam\p{L}*|numer[oiy]?|lig(?:ar|ue|o|uem)|contato|bel(?:len)?|bereik\p{L}*|dzwo\p{L}*|zadzwo\p{L}*|kontaktowe)(?!\p{L})[^\d\n]{0,24}$|(?<![\p{L}'/_-])[mt](?:[.:]{1,2}|\)) ?$/iu

/** Right before a number, also after "phone", these say that it counts or identifies. */
export const COUNT_WORDS =
  /(?<!\p{L})(?:id|uuid|imei|count|total|size|model|build|os)[\s_.:#="'-]*(?:(?:is|was|number|no)[\s_.:#="'-]+)?$/iu
