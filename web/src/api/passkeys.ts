import { t } from '../language/messages.ts'
import { get, Problem, post } from './http.ts'

export interface OwnPasskey {
  readonly id: string
  readonly name: string
  /** Whether the person’s other devices have it, too. */
  readonly backed_up: boolean
  readonly created_at: string
  readonly last_used_at: string | null
}

export const PASSKEYS_KEY = ['passkeys'] as const

export const readPasskeys = async (): Promise<readonly OwnPasskey[]> =>
  (await get<{ readonly items: readonly OwnPasskey[] }>('/api/auth/passkeys')).items

/** Whether this browser makes passkeys at this address: over HTTPS or on this machine, and in browsers from 2025 on. */
export const makesPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'

/** What a browser says in a word, as a sentence. */
const problemOf = (error: unknown, sentences: Readonly<Record<string, string>>): unknown => {
  if (!(error instanceof DOMException)) return error
  const detail = sentences[error.name] ?? t('The browser could not do it: {reason}', { reason: error.message })
  return new Problem({ code: error.name, detail })
}

const ELSEWHERE = t('Passkeys hold at one address alone, and this is another one. Open the service at its own address.')

/** Has the browser make a passkey, with the password of who is signed in. Rejects with a Problem. */
export const addPasskey = async ({ name, password }: { readonly name: string; readonly password: string }) => {
  const options = await post<PublicKeyCredentialCreationOptionsJSON>('/api/auth/passkeys/options', { password })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  try {
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    const { id, response } = made.toJSON() as RegistrationResponseJSON
    const { clientDataJSON, authenticatorData, transports = [] } = response
    await post('/api/auth/passkeys/add', { name, id, clientDataJSON, authenticatorData, transports })
  } catch (error) {
    throw problemOf(error, {
      NotAllowedError: t('No passkey was made: it was cancelled, or took too long.'),
      InvalidStateError: t('This device has a passkey of your account already.'),
      SecurityError: ELSEWHERE,
    })
  }
}

interface Proof {
  readonly id: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
}

/**
 * What the passkey says that the person picks: in a window of the browser’s (`optional`), or among what it offers for
 * the address field, for as long as it takes (`conditional`). Rejects with a Problem; when the signal aborts, too.
 */
export const askForPasskey = async (mediation: 'optional' | 'conditional', signal?: AbortSignal): Promise<Proof> => {
  const options = await post<PublicKeyCredentialRequestOptionsJSON>('/api/auth/sign-in/passkey-options', {}, { signal })
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  try {
    const request = { publicKey, mediation, ...(signal && { signal }) }
    const picked = (await navigator.credentials.get(request)) as PublicKeyCredential
    const { id, response } = picked.toJSON() as AuthenticationResponseJSON
    const { clientDataJSON, authenticatorData, signature } = response
    return { id, clientDataJSON, authenticatorData, signature }
  } catch (error) {
    throw problemOf(error, {
      NotAllowedError: t('No passkey was used: it was cancelled, took too long, or this device has none for here.'),
      SecurityError: ELSEWHERE,
    })
  }
}

export const signInWithPasskey = (proof: Proof): Promise<unknown> => post('/api/auth/sign-in/passkey', proof)

/** Whether the browser offers passkeys where the address is typed. */
export const offersQuietly = async (): Promise<boolean> =>
  makesPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true
