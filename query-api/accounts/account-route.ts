import type { TObject } from 'typebox'
import type { Database } from '../../infra/postgres/port.ts'
import { waysOf } from '../../model/accounts/accounts.ts'
import type { UserId } from '../../schemas/domain/ids.ts'
import type { AccountEvent } from '../../schemas/domain/vocabulary.ts'
import { CLIENT_ADDRESS_HEADER } from '../../schemas/http/headers.ts'
import type { BodyDoor } from '../http/body-door.ts'
import type { AccountEvents } from './account-events.ts'
import type { Auth } from './auth.ts'
import type { Body } from './bodies.ts'
import * as bodies from './bodies.ts'
import type { PasswordReset } from './password-reset.ts'
import type { SignOn } from './sign-on/sign-on.ts'
import type { SignUpCheck } from './sign-up-check.ts'
import type { Tries, TryRules } from './tries.ts'

export interface AccountsApiPorts {
  readonly door: Pick<BodyDoor, 'json'>
  readonly auth: Auth
  readonly admission: SignUpCheck
  readonly passwordReset: PasswordReset
  readonly events: AccountEvents
  /** Null when people sign in with a password alone. */
  readonly signOn: SignOn | null
  readonly ownWays: OwnWays
  readonly database: Database
  readonly baseUrl: string
  readonly origins: readonly string[]
  readonly tries: Tries
}

export interface AccountRoute {
  readonly method: 'GET' | 'POST'
  readonly body: TObject
  readonly answer: (ports: AccountsApiPorts, request: Request, body: Body) => Promise<Response>
  /** The event of the signed-in person's account after a success; null when this request caused none. */
  readonly event?: AccountEvent | EventOf
  /** Rules for counting the tries, when they differ from the rules for guesses. */
  readonly tries?: TryRules
}

export type EventOf = (ports: AccountsApiPorts, request: Request, body: Body) => Promise<AccountEvent | null>

/** The request for the library, with a body of known fields only. */
export const forwarded = (request: Request, body: object): Request => {
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  const { method, url } = request
  return new Request(url, method === 'GET' ? { headers } : { method, headers, body: JSON.stringify(body) })
}

export const get = (answer: AccountRoute['answer']): AccountRoute => ({ method: 'GET', body: bodies.NOTHING, answer })
export const post = (body: TObject, answer: AccountRoute['answer']): AccountRoute => ({ method: 'POST', body, answer })

/** The route with other rules for counting tries. */
export const counted = (tries: TryRules, route: AccountRoute): AccountRoute => ({ ...route, tries })

/** The route with an event of the signed-in person's account. */
export const withEvent = (event: AccountEvent | EventOf, route: AccountRoute): AccountRoute => ({ ...route, event })

export const clientAddressOf = ({ headers }: Request): string | null => headers.get(CLIENT_ADDRESS_HEADER)

/** The library's answer about the signed-in or new person; empty without one. */
export const answered = async (response: Response): Promise<LibrarysAnswer> => {
  try {
    return (await response.clone().json()) as LibrarysAnswer
  } catch {
    return {}
  }
}

interface LibrarysAnswer {
  readonly user?: { readonly id: UserId }
  readonly token?: string
  readonly code?: string
}

/** The same request at another path of the library. */
export const at = (path: string, request: Request, method: AccountRoute['method'] = 'POST'): Request =>
  new Request(new URL(path, request.url), { method, headers: request.headers })

/** Ways in which a person can sign in to their own account. */
export const createOwnWays = (database: Database) => (user: UserId) =>
  database.transaction({ role: 'assay_accounts' }, transaction => waysOf(transaction, user))

type OwnWays = ReturnType<typeof createOwnWays>
