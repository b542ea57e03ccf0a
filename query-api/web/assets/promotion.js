import { element } from './api.js'

const choice = (value, label, ...children) =>
  element(
    'label',
    { class: 'inline' },
    element('input', { type: 'radio', name: 'to', value, required: '' }),
    label,
    ...children,
  )

const reference = element('input', {
  name: 'claim_id',
  'aria-label': 'Reference of the claim',
  placeholder: 'CLM-3',
  pattern: '[Cc][Ll][Mm]-[0-9]+',
  size: '10',
})

const title = element('h2', {})

const form = element(
  'form',
  { method: 'dialog' },
  title,
  choice('problem', 'A new problem'),
  choice('opportunity', 'A new opportunity'),
  choice('claim', 'The claim ', reference),
  element(
    'div',
    { class: 'actions' },
    element('button', { class: 'primary', value: 'promote' }, 'Promote'),
    element('button', { value: 'cancel', formnovalidate: '' }, 'Cancel'),
  ),
)

const dialog = element('dialog', { 'aria-label': 'Promote' }, form)
document.body.append(dialog)

const needClaim = () => {
  reference.required = form.elements.to.value === 'claim'
}
form.addEventListener('change', needClaim)
reference.addEventListener('focus', () => {
  form.elements.to.value = 'claim'
  needClaim()
})

/** Asks what a signal becomes evidence of, in the fields of `triage`; null when nobody wants that after all. */
export const askPromotion = signal => {
  form.reset()
  needClaim()
  title.textContent = `What is ${signal.reference} evidence of?`
  form.elements.to.value = signal.classification === 'idea' ? 'opportunity' : 'problem'
  dialog.returnValue = ''
  dialog.showModal()
  return new Promise(resolve => {
    dialog.addEventListener(
      'close',
      () => {
        const { to, claim_id } = Object.fromEntries(new FormData(form))
        if (dialog.returnValue !== 'promote') resolve(null)
        else resolve(to === 'claim' ? { claim_id: claim_id.toUpperCase() } : { kind: to })
      },
      { once: true },
    )
  })
}
