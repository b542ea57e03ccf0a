import type { Output } from '../../api/operations.ts'

type Signed = Output<'sign_test_request'>
export type TestRequest = Pick<Signed, 'url' | 'headers' | 'body'>

/** Of a bearer secret only the hash is stored, so the person at the page fills it in; it goes to the endpoint alone. */
export const filledIn = (
  { url, headers, body, secret_missing }: Signed,
  given: {
    readonly secret: string
    /** What the body says instead of its example; null where the kind has no value to choose. */
    readonly value: number | null
  },
): TestRequest => {
  if (!secret_missing) return { url, headers, body }
  const filled = Object.entries(headers).map(([name, content]) => [name, content.replace('{secret}', given.secret)])
  return {
    url,
    headers: Object.fromEntries(filled),
    body: given.value === null ? body : JSON.stringify({ value: given.value }),
  }
}

/** The request as it goes over the wire, for a person to compare their own with. */
export const written = ({ url, headers, body }: TestRequest): string =>
  [
    `POST ${new URL(url).pathname}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\n')
