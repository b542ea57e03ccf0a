import assert from 'node:assert/strict'
import { createFakeModelServer } from '../../infra/models/testing.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { createSignalSource, type Person } from '../../test/support/person.ts'
import { sendSignal } from '../../test/support/sender.ts'

/** Two problems of which each has several claims, and a question. */
export const EXPORTS = [
  'The export of large boards fails with an error 500 when I click on download.',
  'Exporting a large board fails: error 500 after clicking download in Firefox.',
  'Export fails with error on big boards, nothing is downloaded at all.',
] as const
export const INVOICES = [
  'The invoice shows the wrong tax amount for customers in Spain, which is a bug.',
  'Wrong tax amount on the invoice of Spanish customers, a bug since Monday.',
] as const
export const QUESTION = 'How do I invite a colleague to a board?'
export const MARKUP =
  '<script>document.title="taken"</script><img src=x onerror="document.title=\'taken\'"> crashes with an error.'

/** What the judge says of two texts; a server that is asked as the production’s is. */
export const startJudge = async () => {
  const server = await createFakeModelServer(({ body }) => {
    const asked = JSON.stringify(body).toLowerCase()
    const same = ['export', 'invoice'].some(word => asked.split(word).length > 2)
    const verdict = { same_root_problem: same, reason: same ? 'Both tell of one root.' : 'Different roots.' }
    return {
      body: { choices: [{ message: { role: 'assistant', content: JSON.stringify(verdict) }, finish_reason: 'stop' }] },
    }
  })
  return { stop: server.stop, environment: { JUDGE_URL: server.url, JUDGE_MODEL: 'test-judge' } }
}

interface Located {
  readonly signal: {
    readonly reference: string
    readonly claims: readonly { readonly reference: string }[]
  } | null
}

/** Sends signals, one after another, and waits until each has its claim, or has come in where it starts none. */
export const tell = async (person: Person) => {
  const source = await createSignalSource(person)
  const arrived = async (id: string): Promise<Located['signal']> => {
    const { signal } = await person.call<Located>('lookup_signal', { id }).catch(() => ({ signal: null }))
    return signal
  }
  return async (text: string, rest: object = {}) => {
    const { status, body } = await sendSignal(source, { text, ...rest })
    assert.equal(status, 200, JSON.stringify(body))
    const id = String(body.snippet_id)
    const startsClaim = !text.endsWith('?')
    const signal = await eventually(`"${text.slice(0, 40)}" is there`, async () => {
      const found = await arrived(id)
      return found !== null && (!startsClaim || found.claims.length > 0) ? found : null
    })
    return { signal: signal.reference, claim: signal.claims[0]?.reference ?? '' }
  }
}
