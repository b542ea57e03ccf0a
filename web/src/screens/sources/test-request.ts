import type { Output } from '../../api/client.ts'

type Signed = Output<'sign_test_request'>
export type TestRequest = Pick<Signed, 'url' | 'headers' | 'body'>

/** Only a hash of a metric’s secret is stored, so the person at the page fills it in; it goes to the endpoint alone. */
export const filledIn = (
  { url, headers, body, lacks_secret }: Signed,
  given: { readonly secret: string; readonly value: number },
): TestRequest => {
  if (!lacks_secret) return { url, headers, body }
  const filled = Object.entries(headers).map(([name, content]) => [name, content.replace('{secret}', given.secret)])
  return { url, headers: Object.fromEntries(filled), body: JSON.stringify({ value: given.value }) }
}

/** The request as it goes over the wire, for a person to compare their own with. */
export const written = ({ url, headers, body }: TestRequest): string =>
  [
    `POST ${new URL(url).pathname}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\n')
