/** A plain-text mail to one person. */
interface Mail {
  /** Derived from the request: becomes the Message-ID, by which a recipient recognises a repeat. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Passes mails to a mail server. */
export interface Mailer {
  /**
   * Resolves once the server has accepted the mail. Rejects with `invalid_input` when the server refuses this mail or
   * its address for good, and with `unavailable` when a retry may succeed. No error names an address or quotes the
   * server.
   *
   * @example await mailer.send({ id: requestId, to: 'kim@example.com', subject, text })
   */
  send(mail: Mail): Promise<void>
}
