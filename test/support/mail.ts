import { eventually } from '../../infra/runtime/testing.ts'
import type { CreatedSource } from './person.ts'
import { post, type SenderAnswer } from './sender.ts'

const SECRET = 'a secret of the mail infrastructure'.replaceAll(' ', '-')

/** Opens both ways in for mail; an installation with it has an SMTP listener. */
export const MAIL_ENVIRONMENT = { INGEST_MAIL_DOMAIN: 'in.assay.test', EMAIL_INGEST_SECRET: SECRET } as const

/** Posts a mail for a source as mail infrastructure does: again while the answer is 503. */
export const postMail = (baseUrl: string, source: CreatedSource, mail: Buffer): Promise<SenderAnswer> =>
  eventually('the mail is answered', async () => {
    const answer = await post(`${baseUrl}/api/webhooks/email-ingest`, mail, {
      'content-type': 'message/rfc822',
      authorization: `Bearer ${SECRET}`,
      'x-envelope-to': source.address ?? '',
    })
    return answer.status !== 503 && answer
  })
