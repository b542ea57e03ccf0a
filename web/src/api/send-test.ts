import type { Output } from './client.ts'

export interface TestAnswer {
  readonly status: number
  readonly body: string
}

/**
 * Sends what `sign_test_request` signed from this page, as any sender would: through whatever stands in front of the service. Its path on
 * this page’s own origin, since no other would let the page see the answer.
 */
export const sendTest = async ({
  url,
  headers,
  body,
}: Pick<Output<'sign_test_request'>, 'url' | 'headers' | 'body'>): Promise<TestAnswer> => {
  const response = await fetch(new URL(url).pathname, {
    method: 'POST',
    headers,
    body,
    credentials: 'omit',
    redirect: 'error',
  })
  return { status: response.status, body: await response.text() }
}
