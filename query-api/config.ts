import { OUTGOING_MAIL_CONFIG } from '../infra/mail/config.ts'
import type { ConfigSchema } from '../infra/runtime/config.ts'
import { choice, flag, integer, optional, origin, url } from '../infra/runtime/settings.ts'
import { QUOTA_CONFIG } from '../model/quotas/quotas.ts'
import { MAIL_CONFIG } from '../model/sources/ingestion-address.ts'
import { SIGN_ON_CONFIG } from './accounts/sign-on/config.ts'
import { SIGN_UP_MODES, type SignUpMode } from './accounts/sign-up-check.ts'

const BASE_URL = {
  env: 'BASE_URL',
  doc: 'Where senders, agents and people reach the service. Behind a proxy: the address outside it. `assay all` takes http://localhost and the PORT unless it is set. The query API as a program of its own must be told: webhooks are the edge’s, so one address for both is that of a proxy in front.',
}

/** For the query API as its own program, which cannot derive the public address. */
export const BASE_URL_CONFIG = { baseUrl: origin(BASE_URL) } satisfies ConfigSchema

export const QUERY_API_CONFIG = {
  ...MAIL_CONFIG,
  ...OUTGOING_MAIL_CONFIG,
  ...QUOTA_CONFIG,
  baseUrl: optional(origin(BASE_URL)),
  siteUrl: optional(
    url({
      env: 'SITE_URL',
      doc: 'The public site’s address, where it differs from BASE_URL. Its pages may call the MCP endpoint with a key and read the discovery documents, from a browser too (CORS).',
    }),
  ),
  searchMegabytes: integer({
    env: 'SEARCH_MEMORY_MB',
    doc: 'About how much memory the search takes for the words and sign bits of the workspaces that were searched last, about twice what their texts take and 190 bytes a signal. Others are read again when they are searched; of a workspace that needs more by itself the newest texts are held. A million signals of 600 characters need some 1,600.',
    default: 512,
    min: 16,
    max: 65_536,
  }),
  keylessCallsPerMinute: integer({
    env: 'MCP_KEYLESS_CALLS_PER_MINUTE',
    doc: 'How many MCP messages without a key that the program knows one client address may send a minute; an answer counts once more for every 32 KiB. An agent needs three to begin. Each program counts by itself. 0: without limit.',
    default: 600,
    min: 0,
    max: 1_000_000,
  }),
  signUp: choice<SignUpMode>({
    env: 'SIGN_UP',
    values: SIGN_UP_MODES,
    doc: 'Who may make an account. invited: whoever has the link of an invitation, and, while there is no account, the first who comes, who then administers the installation. open: everybody who reaches the service. closed: nobody.',
    default: 'invited',
  }),
  requireVerifiedEmail: flag({
    env: 'REQUIRE_VERIFIED_EMAIL',
    doc: 'Whether whoever makes an account from now on may sign in only once they have opened the link that is sent to their address. Needs SMTP_URL. Accounts that were made before, and the first one, sign in without.',
    default: false,
  }),
  ...SIGN_ON_CONFIG,
  throttleSignIn: flag({
    env: 'THROTTLE_SIGN_IN',
    doc: 'Whether guesses are limited: 20 tries a minute for one account from one address, 100 failures a minute from one address, and 100 failures an hour for one account. An address may begin 300 sign-ins, sign-ups and new passwords a minute; a sign-in that succeeds is not counted.',
    default: true,
  }),
}
