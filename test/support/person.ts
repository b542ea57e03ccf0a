/** A signed-in person, driving the app's door as the web pages do. */
export interface Person {
  readonly baseUrl: string
  readonly email: string
  readonly cookie: string
  /** Where a trusted proxy would say that they come from. */
  readonly clientAddress: string
  /** Calls an operation through the app's door; answers its `data`, or throws with what the server said. */
  call<Data>(operation: string, input?: object): Promise<Data>
  /** The same person, calling in another of their workspaces. */
  inWorkspace(workspaceId: string): Person
}

export interface CreatedSource {
  readonly id: string
  readonly url: string
  /** Of a source of kind email, which has neither a URL nor a secret. */
  readonly address?: string
  readonly secret: string
  readonly examples: { readonly curl: string; readonly openssl: string } & Readonly<Record<string, string>>
}

export interface CreatedKey {
  readonly id: string
  readonly key: string
}

const PASSWORD = 'a long enough password'
let signedUp = 0

const cookieOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map(cookie => cookie.split(';', 1)[0])
    .join('; ')

/**
 * An address that only this process has, and no other person in it: where a proxy is trusted, people do not throttle
 * each other.
 */
const addressOf = (person: number): string =>
  ['10', (process.pid >> 8) & 255, process.pid & 255, person & 255].join('.')

/**
 * Signs a new person up, which makes a tenant and its first workspace; with the token of an invitation where one is
 * needed.
 */
export const signUp = async (baseUrl: string, invitation?: string): Promise<Person> => {
  signedUp += 1
  const clientAddress = addressOf(signedUp)
  const email = `person-${process.pid}-${signedUp}@example.com`
  const response = await fetch(`${baseUrl}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl, 'x-forwarded-for': clientAddress },
    body: JSON.stringify({
      name: 'Product manager',
      email,
      password: PASSWORD,
      ...(invitation !== undefined && { invitation }),
    }),
  })
  if (!response.ok) throw new Error(`Sign-up answered ${response.status}: ${await response.text()}`)
  return personWith({ baseUrl, email, clientAddress, cookie: cookieOf(response) }, {})
}

/** The same person and session, where the installation is reached at another address. */
export const personAt = ({ email, clientAddress, cookie }: Person, baseUrl: string): Person =>
  personWith({ baseUrl, email, clientAddress, cookie }, {})

/** The same person, once their sessions have ended. */
export const signInAgain = async ({ baseUrl, email, clientAddress }: Person): Promise<Person> => {
  const response = await fetch(`${baseUrl}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl, 'x-forwarded-for': clientAddress },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  if (!response.ok) throw new Error(`Sign-in answered ${response.status}: ${await response.text()}`)
  return personWith({ baseUrl, email, clientAddress, cookie: cookieOf(response) }, {})
}

const personWith = (
  who: Omit<Person, 'call' | 'inWorkspace'>,
  workspace: Readonly<Record<string, string>>,
): Person => ({
  ...who,
  inWorkspace: workspaceId => personWith(who, { 'x-workspace-id': workspaceId }),
  call: async <Data>(operation: string, input: object = {}): Promise<Data> => {
    const { baseUrl, cookie } = who
    const answer = await fetch(`${baseUrl}/api/app/${operation}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: baseUrl, cookie, ...workspace },
      body: JSON.stringify(input),
    })
    if (!answer.ok) throw new Error(`${operation} answered ${answer.status}: ${await answer.text()}`)
    const { data } = (await answer.json()) as { data: Data }
    return data
  },
})

export const createSignalSource = (person: Person): Promise<CreatedSource> =>
  person.call<CreatedSource>('create_source', { kind: 'signal', name: 'Support desk' })

export const createKey = (person: Person): Promise<CreatedKey> =>
  person.call<CreatedKey>('create_key', { label: 'Planning agent' })
