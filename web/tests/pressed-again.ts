/**
 * Runs in every page of the stories, before its own scripts: whoever decides in a dialog does so again and again, by
 * Ctrl+Enter and by its button, while the answer is on its way, when it is there, and while the dialog goes. A dialog
 * that asks for the same a second time is a fault of the page.
 *
 * A story has the page lose the answers of the address that it writes to `lostAnswersOf`. They are lost before they get
 * here: pressed for an answer that never came, a page would send again by itself, ahead of the story.
 */
export const PRESSED_AGAIN = `{
  const send = fetch
  const ask = async (asked, options) => {
    const answer = await send(asked, options)
    if (window.lostAnswersOf === asked) throw new TypeError('Failed to fetch')
    return answer
  }
  const progress = new WeakMap()
  const press = form => {
    if (!form.isConnected) return
    for (const _ of [1, 2]) {
      form.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }))
    }
    form.querySelector('button[type=submit]:not(:disabled)')?.click()
  }
  const later = (form, times) => {
    for (const ms of times) setTimeout(() => press(form), ms)
  }
  fetch = async (asked, options) => {
    const key = new Headers(options?.headers).get('x-idempotency-key')
    const form = [...document.querySelectorAll('[role=dialog] form[data-change]')].at(-1)
    if (key === null || form === undefined) return ask(asked, options)
    const keys = progress.get(form) ?? new Map()
    const before = keys.get(asked)
    if (before !== undefined && before !== key) console.error('A dialog sent twice: ' + asked + ' ' + options.body)
    progress.set(form, keys.set(asked, key))
    later(form, [0, 1])
    const response = await ask(asked, options)
    if (!response.ok) progress.delete(form)
    else {
      press(form)
      later(form, [0, 1, 20, 150])
    }
    return response
  }
}`
