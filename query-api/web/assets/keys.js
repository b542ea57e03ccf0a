import { element } from './api.js'

const keyList = keys =>
  element(
    'dl',
    { class: 'keys' },
    ...keys.flatMap(({ key, does }) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, does)]),
  )

const helpDialog = keys => {
  const close = element('button', { type: 'button', click: () => dialog.close() }, 'Close')
  const dialog = element('dialog', { 'aria-label': 'Keys' }, element('h2', {}, 'Keys'), keyList(keys), close)
  document.body.append(dialog)
  return dialog
}

const isWriting = target => target.closest('input, select, textarea, dialog') !== null

/** Runs what a key stands for, unless somebody is filling in a field; `?` and `button` show the list of keys. */
export const shortcuts = (button, keys) => {
  const all = [...keys, { key: '?', does: 'Show these keys', run: () => dialog.showModal() }]
  const dialog = helpDialog(all)
  button.addEventListener('click', () => dialog.showModal())
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return
    const pressed = all.find(({ key }) => key === event.key)
    if (pressed === undefined) return
    event.preventDefault()
    pressed.run()
  })
}
