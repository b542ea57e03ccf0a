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
  /** Null: people sign in with a password alone. */
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
  /** What it means to the account of who is signed in, once it has succeeded; null where this request did not do it. */
  readonly event?: AccountEvent | EventOf
  /** How its tries are counted, where it is not as those of a guess. */
  readonly tries?: TryRules
}

export type EventOf = (ports: AccountsApiPorts, request: Request, body: Body) => Promise<AccountEvent | null>

/** Hands a request on to the library, with nothing in its body but what the door knows. */
export const forwarded = (request: Request, body: object): Request => {
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  const { method, url } = request
  return new Request(url, method === 'GET' ? { headers } : { method, headers, body: JSON.stringify(body) })
}

export const get = (answer: AccountRoute['answer']): AccountRoute => ({ method: 'GET', body: bodies.NOTHING, answer })
export const post = (body: TObject, answer: AccountRoute['answer']): AccountRoute => ({ method: 'POST', body, answer })

/** The same, with its tries counted otherwise. */
export const counted = (tries: TryRules, route: AccountRoute): AccountRoute => ({ ...route, tries })

/** The same, and what it means to the account of who is signed in. */
export const withEvent = (event: AccountEvent | EventOf, route: AccountRoute): AccountRoute => ({ ...route, event })

export const clientAddressOf = ({ headers }: Request): string | null => headers.get(CLIENT_ADDRESS_HEADER)

/** What the library says of whom it signed in or up; empty where it did not. */
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

/** The same request at another path of the library's. */
export const at = (path: string, request: Request, method: AccountRoute['method'] = 'POST'): Request =>
  new Request(new URL(path, request.url), { method, headers: request.headers })

/** How a person may sign in to their own account. */
export const createOwnWays = (database: Database) => (user: UserId) =>
  database.transaction({ role: 'assay_accounts' }, transaction => waysOf(transaction, user))

type OwnWays = ReturnType<typeof createOwnWays>
