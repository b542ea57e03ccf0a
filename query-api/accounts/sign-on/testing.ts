import { createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** The issuer's claims about people, by their sign-in names. */
export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface TestIssuer {
  readonly url: string
  stop(): Promise<void>
}

const listen = async (listener: RequestListener, at: number): Promise<TestIssuer> => {
  const server = createServer(listener)
  server.listen(at, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const freePort = async (): Promise<number> => {
  const held = await listen(() => {}, 0)
  await held.stop()
  return Number(new URL(held.url).port)
}

export const CLIENT = { id: 'assay', secret: 'the secret of the client, long enough for anybody' }

/** A real OpenID provider on the loopback interface. Accepts every password and asks for no consent. */
export const startIssuer = async (people: People, redirectTo: string): Promise<TestIssuer> => {
  const port = await freePort()
  const provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${redirectTo}/api/auth/callback/oidc`],
        post_logout_redirect_uris: [`${redirectTo}/sign-in`],
      },
    ],
    cookies: { keys: ['a key for the cookies of a test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    // Puts the requested claims into the ID token, as Google and Entra do.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
    loadExistingGrant: async ({ oidc }) => {
      const { client, session, provider: own, params } = oidc
      if (!client || !session?.accountId) return undefined
      const grant = new own.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope(String(params?.scope))
      await grant.save()
      return grant
    },
  })
  return listen(provider.callback(), port)
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** An issuer with freely chosen claims, for tokens that no honest issuer makes. */
export const startLiar = async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...createPublicKey(privateKey).export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let claims: Readonly<Record<string, unknown>> = {}
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const tokenOf = (): string => {
    const now = Math.floor(Date.now() / 1000)
    const usual = { iss: url, aud: CLIENT.id, sub: randomUUID(), iat: now, exp: now + 300, email_verified: true }
    const signed = `${part({ alg: 'RS256', kid: 'one' })}.${part({ ...usual, ...claims })}`
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`
  }
  const answers: Readonly<Record<string, () => object>> = {
    '/.well-known/openid-configuration': () => ({
      issuer: url,
      authorization_endpoint: `${url}/auth`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': () => ({ keys: [jwk] }),
    '/token': () => ({ access_token: 'x', token_type: 'Bearer', id_token: tokenOf() }),
  }
  const issuer = await listen((request, response) => {
    const answer = answers[request.url ?? '']
    response.writeHead(answer ? 200 : 404, JSON_TYPE).end(JSON.stringify(answer?.() ?? {}))
  }, port)
  return {
    ...issuer,
    /** Sets additional claims of the next ID token. */
    say: (said: Readonly<Record<string, unknown>>) => {
      claims = said
    },
  }
}

/** Cookies of one browser, by origin. */
export const createBrowser = (fetchFrom: (request: Request) => Promise<Response>, ours: string) => {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  const go = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { origin } = new URL(address)
    const jar = jarOf(origin)
    const headers = new Headers(init.headers)
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const request = new Request(address, { ...init, headers, redirect: 'manual' })
    const response = origin === ours ? await fetchFrom(request) : await fetch(request)
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name)
      else jar.set(name, pair.slice(name.length + 1))
    }
    return response
  }
  const post = (path: string, body: object, below = 'auth') =>
    go(`${ours}/api/${below}/${path}`, {
      method: 'POST',
      headers: { ...JSON_TYPE, origin: ours },
      body: JSON.stringify(body),
    })
  return {
    go,
    post,
    /** Calls an operation as the app does. */
    call: (operation: string) => post(operation, {}, 'app'),
    /** Answers the issuer's address. */
    begin: async (back?: string, invitation?: string): Promise<URL> => {
      const given = { ...(back !== undefined && { back }), ...(invitation !== undefined && { invitation }) }
      const answer = await post('sign-in/sign-on', given)
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
      return new URL(((await answer.json()) as { url: string }).url)
    },
    /** Signs in on the issuer's pages. Answers the address to which the issuer redirects. */
    pass: async (begun: URL, login: string): Promise<string> => {
      let address = begun.href
      for (let pages = 0; pages < 10 && !address.startsWith(ours); pages += 1) {
        const isForm = new URL(address).pathname.startsWith('/interaction/')
        const response = await go(
          address,
          isForm ? { method: 'POST', body: new URLSearchParams({ prompt: 'login', login, password: 'any' }) } : {},
        )
        const next = response.headers.get('location')
        if (next === null) throw new Error(`${address} answered ${response.status}: ${await response.text()}`)
        address = new URL(next, address).href
      }
      return address
    },
    cookie: (): string => [...jarOf(ours)].map(([name, value]) => `${name}=${value}`).join('; '),
  }
}
