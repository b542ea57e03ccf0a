import { t } from '../language/messages.ts'
import { Problem, post } from './http.ts'
import { getOwn, postOwn } from './own-requests.ts'

export interface OwnPasskey {
  readonly id: string
  readonly name: string
  /** True when the person's other devices have the passkey, too. */
  readonly backed_up: boolean
  readonly created_at: string
  readonly last_used_at: string | null
}

export const PASSKEYS_KEY = ['passkeys'] as const

export const readPasskeys = async (): Promise<readonly OwnPasskey[]> =>
  (await getOwn<{ readonly items: readonly OwnPasskey[] }>('passkeys')).items

/** True when this browser makes passkeys at this address: over HTTPS or on this machine, in browsers from 2025 on. */
export const makesPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'

/** A browser's error name as a sentence. */
const problemOf = (error: unknown, sentences: Readonly<Record<string, string>>): unknown => {
  if (!(error instanceof DOMException)) return error
  const detail = sentences[error.name] ?? t('The browser could not do it: {reason}', { reason: error.message })
  return new Problem({ code: error.name, detail })
}

const ELSEWHERE = t(
  'A passkey works at one address only, and this is a different one. Open the service at its usual address.',
)

/** Lets the browser make a passkey, with the signed-in person's password. Rejects with a Problem. */
export const addPasskey = async ({ name, password }: { readonly name: string; readonly password: string }) => {
  const options = await postOwn<PublicKeyCredentialCreationOptionsJSON>('passkeys/options', { password })
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  try {
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    const { id, response } = made.toJSON() as RegistrationResponseJSON
    const { clientDataJSON, authenticatorData, transports = [] } = response
    await postOwn('passkeys/add', { name, id, clientDataJSON, authenticatorData, transports })
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
 * Proof of the chosen passkey: from a window of the browser (`optional`), or from its suggestions at the address field,
 * without a time limit (`conditional`). Rejects with a Problem, also when the signal aborts.
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

/** True when the browser suggests passkeys at the address field. */
export const offersQuietly = async (): Promise<boolean> =>
  makesPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true
