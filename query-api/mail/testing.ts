import assert from 'node:assert/strict'
import { parseSmtpUrl } from '../../infra/mail/config.ts'
import type { Mailer } from '../../infra/mail/port.ts'
import { createSmtpMailer } from '../../infra/mail/smtp-mailer.ts'
import { startTestMailServer, type TestMailServer } from '../../infra/mail/testing.ts'
import type { QueryApiPorts } from '../query-api.ts'
import { startTestApi, type TestApi } from '../testing.ts'

export interface MailingTestApi extends TestApi {
  readonly mailServer: TestMailServer
  /** Sends to the test mail server. */
  readonly mailer: Mailer
}

/** The query API for tests, with its own mail server. */
export const startMailingTestApi = async (ports: Partial<QueryApiPorts> = {}): Promise<MailingTestApi> => {
  const mailServer = await startTestMailServer()
  const server = parseSmtpUrl(mailServer.url) ?? assert.fail('no server')
  const mailer = createSmtpMailer({ server, from: { name: 'Assay', address: 'assay@example.com' } })
  const kit = await startTestApi({ mailer, ...ports })
  return {
    ...kit,
    mailServer,
    mailer,
    stop: async () => {
      await kit.stop()
      await mailServer.stop()
    },
  }
}
