const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4}){1,200}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/** The key in a secret of Standard Webhooks; null when the text is no such secret. */
export const webhookKey = (secret: string): Buffer | null => {
  const encoded = SECRET.exec(secret)?.[1]
  return encoded === undefined ? null : Buffer.from(encoded, 'base64')
}

/** Length of a key, in bytes: the specification allows 64 at most, and Svix lets vendors choose up to 75. */
export const WEBHOOK_KEY_BYTES = { least: 24, most: 75 } as const
