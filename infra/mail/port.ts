/** One mail as it leaves: plain text, to one person. */
interface Mail {
  /** Made of the request, so that whoever gets it twice can tell: it becomes the Message-ID. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Hands mails to a mail server. */
export interface Mailer {
  /**
   * Resolves once the server has taken the mail. Rejects with `invalid_input` where it refuses this mail or its address
   * for good, and with `unavailable` where another try may do. No message names an address or repeats what the server
   * said.
   */
  send(mail: Mail): Promise<void>
}
