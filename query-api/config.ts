import { flag, integer, optional, url } from '../infra/runtime/settings.ts'
import { MAIL_CONFIG } from '../model/sources/config.ts'

/** What a user can set of the query API. */
export const QUERY_API_CONFIG = {
  ...MAIL_CONFIG,
  baseUrl: optional(
    url({
      env: 'BASE_URL',
      doc: 'Where senders, agents and people reach the service. Behind a proxy: the address outside it. Unless set, http://localhost and the PORT.',
    }),
  ),
  siteUrl: optional(
    url({
      env: 'SITE_URL',
      doc: 'The public site’s address, where it differs from BASE_URL. Its pages may call the service.',
    }),
  ),
  searchMegabytes: integer({
    env: 'SEARCH_MEMORY_MB',
    doc: 'About how much memory the search takes for the sign bits of the workspaces that were searched last, some 190 bytes a signal. Others are read again when they are searched.',
    default: 512,
    min: 16,
    max: 65_536,
  }),
  throttleSignIn: flag({
    env: 'THROTTLE_SIGN_IN',
    doc: 'Whether an address may try to sign in or up at most 20 times a minute.',
    default: true,
  }),
}
