const RULE = String.raw`[\s>]*[-_=*]{2,}[\s-]*`

const ORIGINAL = new RegExp(
  `^${RULE}(original message|original appointment|ursprüngliche nachricht|originalnachricht|message d['’]origine|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|originalmeddelande|ursprungligt meddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna|původní zpráva|исходное сообщение|оригинальное сообщение|orijinal mesaj|原始邮件|原始郵件|邮件原件|元のメッセージ|원본 메시지)[-_=*\\s]*$`,
  'iu',
)

const FORWARDED = new RegExp(
  `^(?:${RULE}(forwarded message|forwarded by.{0,100}|weitergeleitete nachricht|message transféré|mensaje reenviado|messaggio inoltrato|mensagem encaminhada|doorgestuurd bericht|vidarebefordrat meddelande|videresendt (?:meddelelse|melding)|välitetty viesti|przekazana wiadomość|wiadomość przekazana dalej|přeposlaná zpráva|пересланное сообщение|перенаправленное сообщение|iletilen mesaj|转发的邮件|轉寄郵件|転送メッセージ|전달된 메시지)[-_=*\\s]*|[\\s>]*(begin forwarded message|anfang der weitergeleiteten nachricht|début du message (?:transféré|réexpédié)|inicio del mensaje reenviado|inizio messaggio inoltrato|início da mensagem (?:encaminhada|reencaminhada)|begin doorgestuurd bericht|vidarebefordrat brev|påbegyndt videresendt besked|początek przekazywanej wiadomości|начало переадресованного сообщения|начало пересылаемого сообщения|开始转发的邮件|転送されたメッセージ|전달된 메시지 시작)\\s?[:：]?\\s*)$`,
  'iu',
)

const MAX_LENGTH = 200

/** A line such as `-----Original Message-----`. */
export const isOriginalSeparator = (line: string): boolean => line.length <= MAX_LENGTH && ORIGINAL.test(line)

/** A line such as `---------- Forwarded message ---------` or `Begin forwarded message:`. */
export const isForwardSeparator = (line: string): boolean => line.length <= MAX_LENGTH && FORWARDED.test(line)

/** A line that is nothing but a rule, as Outlook puts above what it quotes. */
export const isRule = (line: string): boolean => /^\s*[_-]{10,}\s*$/.test(line)
