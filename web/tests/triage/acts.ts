import { eventually } from '../../../infra/runtime/testing.ts'
import { createSignalSource } from '../../../test/support/person.ts'
import { sendSignal } from '../../../test/support/sender.ts'
import type { Visit } from '../visit.ts'

export const PATH = '/app/triage'
export const QUESTION = 'How do I invite a colleague to my workspace?'
export const CRASH = 'The login crashes since the last update and shows an error.'
export const REMARK = 'Lunch was good today.'
export const MARKUP =
  '<script>document.title="taken"</script><img src=x onerror="document.title=\'taken\'"> The page crashes.'
export const TURNED = '\u202aThis error is written from left to right\u202c'
/** What is left of it: the marks could turn what stands behind them. */
export const SHOWN = 'This error is written from left to right'
export const ENDLESS = `Error${'x'.repeat(49_995)}`

/** What is said once the question is accepted: it may speak of a need, and had no claim. */
export const QUESTION_ACCEPTED = /SIG-\d+ accepted\. New: CLM-\d+$/

interface Shown {
  readonly reference: string
  readonly state: string
  readonly version: number
  readonly classification: string
  readonly occurrences: number
  readonly claims: readonly { readonly reference: string }[]
}

/** What Triage is worked with, and the Signals that were sent to it. */
export const actsOf = (visit: () => Visit) => {
  /** By what each says, or by its number. */
  const ids: Record<string, string> = {}
  let source: ReturnType<typeof createSignalSource> | undefined
  const send = async (signal: { readonly text: string }): Promise<string> => {
    source ??= createSignalSource(visit().person)
    const { body } = await sendSignal(await source, signal)
    return String(body.snippet_id)
  }
  const signalOf = async (text: string): Promise<Shown> =>
    (await visit().person.call<{ signal: Shown }>('lookup_signal', { id: ids[text] })).signal
  const stateOf = async (text: string) => (await signalOf(text)).state
  const becomes = (text: string, state: string) =>
    eventually(`it is ${state}`, async () => (await stateOf(text)) === state || null)

  const option = (text: string) => visit().page.getByRole('option').filter({ hasText: text })
  const current = () => visit().page.locator('[role=option][data-current]')
  const isAt = (text: string) => current().filter({ hasText: text }).waitFor()
  const press = async (...keys: string[]) => {
    for (const key of keys) await visit().page.keyboard.press(key)
  }
  const says = (text: RegExp) => visit().page.getByRole('status').filter({ hasText: text }).waitFor()
  const dialog = () => visit().page.getByRole('dialog')
  const count = async () => (await visit().page.locator('[data-count]').textContent())?.split(' ')[0]

  return { ids, send, signalOf, stateOf, becomes, option, isAt, press, says, dialog, count }
}

export type Acts = ReturnType<typeof actsOf>
