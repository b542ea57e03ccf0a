/** As the edge lets records wait for company, unless told otherwise (INGEST_LINGER). */
const LINGER_MS = 5

/** Lets calls of a few milliseconds share one `send`; each resolves with the batch that it is in. */
export const createBatcher = <Message>(
  send: (messages: Message[]) => Promise<void>,
): ((message: Message) => Promise<void>) => {
  let waiting: { readonly messages: Message[]; readonly sent: Promise<void> } | null = null
  return message => {
    if (waiting === null) {
      const messages: Message[] = []
      const sent = new Promise<void>((resolve, reject) => {
        setTimeout(() => {
          waiting = null
          send(messages).then(resolve, reject)
        }, LINGER_MS)
      })
      waiting = { messages, sent }
    }
    waiting.messages.push(message)
    return waiting.sent
  }
}
