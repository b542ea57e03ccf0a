/** The headers of a mail by their names in lower case: each as it is written, the last one of a name. */
export type RawHeaders = ReadonlyMap<string, string>

export type Automatic = 'no' | 'written by a program' | 'says nothing'

const AUTOMATIC_REPLY =
  /^(automatic reply|auto(matic)?[ -]?reply|out of office|automatische antwort|abwesenheit|abwesenheitsnotiz|réponse automatique|absence du bureau|respuesta automática|risposta automatica|resposta automática|automatisch antwoord|autosvar|automaattinen vastaus|automatyczna odpowiedź|автоответ|自动回复|自動応答|undeliverable|undelivered mail returned|mail delivery (failed|failure)|delivery status notification)\b/iu

/**
 * Whether a program wrote a mail (RFC 3834), and whether it says anything: answers that programs give and reports about other mail
 * (RFC 6522) do not. A form's notification, which is generated rather than an answer, does.
 */
export const isAutomatic = (headers: RawHeaders, subject: string): Automatic => {
  const header = (name: string) => headers.get(name)?.trim().toLowerCase() ?? ''
  const submitted = header('auto-submitted')
  const saysNothing =
    submitted.startsWith('auto-replied') ||
    header('content-type').startsWith('multipart/report') ||
    header('return-path') === '<>' ||
    header('precedence') === 'auto_reply' ||
    headers.has('x-autoreply') ||
    headers.has('x-autorespond') ||
    headers.has('x-failed-recipients') ||
    (subject.length < 500 && AUTOMATIC_REPLY.test(subject) && submitted !== 'no' && submitted !== '')
  if (saysNothing) return 'says nothing'
  return submitted.startsWith('auto-') ? 'written by a program' : 'no'
}
